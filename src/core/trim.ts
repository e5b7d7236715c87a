/**
 * Ends of a text cut off, in linear time: a pattern such as `/-+$/` tries every hyphen of the text as the first of
 * the last ones, which takes the square of a long run in the middle.
 */

/** Returns the text without any of `characters` at its start. */
export function trimStartOf(text: string, characters: string): string {
  let start = 0
  while (start < text.length && characters.includes(text[start]!)) start++
  return text.slice(start)
}

/** Returns the text without any of `characters` at its end. */
export function trimEndOf(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text[end - 1]!)) end--
  return text.slice(0, end)
}

/** Returns the text without any of `characters` at either end. */
export function trimBothOf(text: string, characters: string): string {
  return trimStartOf(trimEndOf(text, characters), characters)
}

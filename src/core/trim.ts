/**
 * Trimming of given characters in linear time: a pattern such as `/-+$/` tries every hyphen as the start of the
 * trailing run, which is quadratic in a long run in the middle.
 */

/** Returns the text without leading `characters`. */
export function trimStartOf(text: string, characters: string): string {
  let start = 0
  while (start < text.length && characters.includes(text[start]!)) start++
  return text.slice(start)
}

/** Returns the text without trailing `characters`. */
export function trimEndOf(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text[end - 1]!)) end--
  return text.slice(0, end)
}

/** Returns the text without leading and trailing `characters`. */
export function trimBothOf(text: string, characters: string): string {
  return trimStartOf(trimEndOf(text, characters), characters)
}

/** Reads plain words in their Markdown, over the markup between them: where in the source a character of the words is. */

/** Markup between two characters is no longer, apart from destinations and elements. */
const maxMarkup = 80
/** Destinations of links and images, and tags of elements: no character of the content is in them. */
const unread = /\]\([^()\n]*\)|<\/?[A-Za-z][^<>]*>/g
/** An address in angle brackets is read. */
const autolink = /^<[A-Za-z][A-Za-z\d+.-]*:/
export const maskCharacter = '\0'

/** Returns the source with characters that are no content replaced by `maskCharacter`. */
export const maskUnread = (source: string): string =>
  source.replace(unread, (whole) => (autolink.test(whole) ? whole : maskCharacter.repeat(whole.length)))

/** Reads characters in their masked source, over the markup between them, until one of the two ends; returns how far it got. */
export function readSource(
  source: string,
  characters: string,
): { readonly length: number; readonly characters: number } {
  let length = 0
  let count = 0
  for (const character of characters) {
    if (length >= source.length) break
    const window = source.slice(length, markupEnd(source, length))
    const next = character === ' ' ? window.search(/\s/) : window.indexOf(character)
    // What is written otherwise, such as an entity, is not found.
    if (next >= 0) length += next + character.length
    count += character.length
  }
  return { length, characters: count }
}

/** Returns where markup that begins at an offset ends at the latest. */
function markupEnd(source: string, start: number): number {
  const limit = start + maxMarkup
  let end = source.indexOf(maskCharacter, start)
  if (end < 0 || end >= limit) return limit
  while (source[end] === maskCharacter) end++
  return end + maxMarkup
}

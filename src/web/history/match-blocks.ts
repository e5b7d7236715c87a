/**
 * Finds the elements of a rendered page that are the blocks of its text, by their letters and their order: a page for
 * readers does not name its blocks. A block whose element is not found has none; nothing is displayed beside it.
 */

/** Elements that are looked at for one block: some blocks have none, and some elements belong to no block. */
const lookahead = 6
/** Letters by which a beginning is recognized. */
const beginning = 24

/** Returns for the source of each block the index of its element, by the text of the elements. */
export function matchBlocks(
  sources: readonly string[],
  elements: readonly string[],
): readonly (number | undefined)[] {
  const texts = elements.map(lettersOf)
  let next = 0
  return sources.map((source) => {
    const letters = lettersOf(visiblePart(source))
    for (let at = next; at < Math.min(texts.length, next + lookahead); at++) {
      if (!isSameBeginning(letters, texts[at]!)) continue
      next = at + 1
      return at
    }
    return undefined
  })
}

function isSameBeginning(block: string, element: string): boolean {
  if (block === '' || element === '') return block === element
  return block.includes(element.slice(0, beginning)) || element.includes(block.slice(0, beginning))
}

const lettersOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')

/** Without the line of a fence, tags, and destinations of links. */
const visiblePart = (source: string): string =>
  source.replace(/^[ \t]*(?:```|~~~)[^\n]*\n/, '').replace(/\{%[^%]*%\}|<[^<>]*>|\]\([^()\n]*\)/g, ' ')

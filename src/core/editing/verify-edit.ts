/**
 * Verification of an edit: whether the text after it parses to the document that the editor means.
 *
 * An editor sends its splices in up to three widths (`write-edits.ts`) with the hash of the document that it means. The
 * narrowest ones whose text parses to that document are taken. If none does, the narrowest are taken all the same, so
 * that nothing is lost, and the blocks around them are answered to be displayed as source: never a silent change.
 *
 * What is compared is the text that the editor had, with its own splices alone, before those of others are merged.
 */
import { partitionPoint } from '../binary-search.js'
import { type HashMemo, hashDocument } from './canonical.js'
import { carryHashes } from './changed-blocks.js'
import type { SourceBlock, SourceDocument } from './source-blocks.js'
import { type Splice, applySplices } from './splice.js'
import type { Span } from '../document/types.js'

export interface VerifiedEdit {
  readonly splices: readonly Splice[]
  readonly text: string
  readonly document: SourceDocument
  /** Which of the widths was taken; undefined when none has the document that is meant. */
  readonly width?: number
  /** Blocks of the text that are not what is meant, to be displayed as source. */
  readonly asSource: readonly Span[]
}

/**
 * Returns the edit to make. `widths` are splices of `text`, the narrowest first, at least one of them; `meant` is the hash
 * of the document that the editor means, and `parse` reads a text. With `known`, blocks of the text that are known by their
 * hashes are hashed only where the edit changed them.
 */
export function verifyEdit(
  text: string,
  widths: readonly (readonly Splice[])[],
  meant: string,
  parse: (text: string) => SourceDocument,
  known?: { readonly document: SourceDocument; readonly memo: HashMemo },
): VerifiedEdit {
  let first: VerifiedEdit | undefined
  for (const [width, splices] of widths.entries()) {
    const after = applySplices(text, splices)
    const document = parse(after)
    if (known) carryHashes(known.document, document, splices, known.memo)
    if (hashDocument(document, known?.memo) === meant)
      return { splices, text: after, document, width, asSource: [] }
    first ??= { splices, text: after, document, asSource: blocksAround(document, splices) }
  }
  if (first === undefined) throw new RangeError('an edit has at least one width')
  return first
}

/** The spans of the innermost blocks that contain each splice, in the text after them; of equal ones, one. */
function blocksAround(document: SourceDocument, splices: readonly Splice[]): Span[] {
  const rows = [document.blocks, ...document.footnotes.map(({ blocks }) => blocks)]
  const spans: Span[] = []
  let shift = 0
  for (const { start, end, text } of splices) {
    const place = { start: start + shift, end: start + shift + text.length }
    shift += text.length - (end - start)
    for (const row of rows) for (const span of innermost(row, place)) spans.push(span)
  }
  return spans
    .toSorted((a, b) => a.start - b.start || b.end - a.end)
    .filter(
      ({ start, end }, index, all) =>
        index === 0 || start >= all[index - 1]!.end || end > all[index - 1]!.end,
    )
}

/** The innermost block around a place, or the blocks of the page that it touches. */
function innermost(row: readonly SourceBlock[], place: Span): Span[] {
  for (let blocks = row, found: SourceBlock | undefined; ;) {
    const at = firstEndingAt(blocks, place.start)
    const around = blocks[at]
    if (around === undefined || around.span.start > place.start || around.span.end < place.end) {
      if (found !== undefined) return [found.span]
      const touched: Span[] = []
      for (let next = at; (blocks[next]?.span.start ?? Infinity) <= place.end; next++)
        touched.push(blocks[next]!.span)
      return touched
    }
    found = around
    blocks = around.blocks ?? []
  }
}

/** The position of the first block that does not end before an offset. */
function firstEndingAt(blocks: readonly SourceBlock[], offset: number): number {
  return partitionPoint(blocks.length, (position) => blocks[position]!.span.end < offset)
}

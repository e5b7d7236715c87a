/** Texts and splices for property-based tests of editing. */
import fc from 'fast-check'
import { parsePage } from '../markdown/parse.js'
import type { MeantDocument } from './canonical.js'
import { type EditedBlock, type SourceBlock, type SourceDocument, sourceDocument } from './source-blocks.js'
import { type Splice, findSpliceFault } from './splice.js'
import type { EditedDocument } from './write-edits.js'

const piece = fc.constantFrom(
  'alpha', 'beta', ' ', '\n', '\n\n', '- ', '1. ', '> ', '\r\n', '😀', 'e\u0301', '中文', '*', '**', '`', '[a](b)', '|', '{% hint style="info" %}', '{% endhint %}',
) // prettier-ignore

/** Texts of words, markup, line breaks of both kinds, and characters of several units. */
export const texts = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''))

/** Splices of a text, which may touch; fractions of its length become offsets. */
export function splicesOf(text: string, places: readonly (readonly [number, number, string])[]): Splice[] {
  const offset = (fraction: number): number => {
    const at = Math.floor(fraction * (text.length + 1))
    return text.codePointAt(at - 1)! > 0xffff ? at - 1 : at
  }
  const splices: Splice[] = []
  let last = 0
  for (const [from, to, replacement] of places.toSorted(([a], [b]) => a - b)) {
    const [start, end] = [offset(Math.min(from, to)), offset(Math.max(from, to))]
    if (start < last) continue
    splices.push({ start, end, text: replacement })
    last = end
  }
  if (findSpliceFault(text, splices)) throw new Error('faulty example')
  return splices
}

const fraction = fc.double({ min: 0, max: 0.999, noNaN: true })
export const placesOfSplices = fc.array(
  fc
    .tuple(
      fraction,
      fc.oneof(fc.constant(0), fc.double({ min: 0, max: 0.3, noNaN: true })),
      fc.array(piece, { maxLength: 3 }),
    )
    .map(([from, length, pieces]) => [from, Math.min(0.999, from + length), pieces.join('')] as const),
  { maxLength: 4 },
)

export const sourceOf = (text: string): SourceDocument => sourceDocument(text, parsePage(text))

/** Calls `visit` for every block with the one around it. */
export function visitSource(
  blocks: readonly SourceBlock[],
  visit: (block: SourceBlock, parent: SourceBlock | undefined) => void,
  parent?: SourceBlock,
): void {
  for (const block of blocks) {
    visit(block, parent)
    visitSource(block.blocks ?? [], visit, block)
  }
}

/** Returns the document with one block replaced by what `edit` returns for it. */
export function editBlock(
  document: SourceDocument,
  target: SourceBlock,
  edit: (block: SourceBlock) => readonly EditedBlock[],
): EditedDocument & MeantDocument {
  const row = (blocks: readonly SourceBlock[]): readonly EditedBlock[] => {
    let isEdited = false
    const edited = blocks.flatMap((block): readonly EditedBlock[] => {
      if (block === target) {
        isEdited = true
        return edit(block)
      }
      if (block.blocks === undefined) return [block]
      const inner = row(block.blocks)
      if (inner === block.blocks) return [block]
      isEdited = true
      return [{ ...block, blocks: inner }]
    })
    return isEdited ? edited : blocks
  }
  return { ...document, blocks: row(document.blocks) }
}

/** Returns the block with a word typed into the middle of its text; undefined when it has no text. */
export function typeWord(block: SourceBlock, word: string): EditedBlock | undefined {
  if (block.type === 'code') {
    const code = String(block.attributes['code'])
    const middle = code.length >> 1
    if (code.codePointAt(middle - 1)! > 0xffff) return undefined
    return {
      ...block,
      attributes: { ...block.attributes, code: code.slice(0, middle) + word + code.slice(middle) },
    }
  }
  const { inlines = [] } = block
  const index = inlines.findIndex((inline, at) => inline.type === 'text' && at >= (inlines.length - 1) / 2)
  const inline = inlines[index]
  if (inline?.type !== 'text') return undefined
  const middle = inline.text.length >> 1
  if (inline.text.codePointAt(middle - 1)! > 0xffff) return undefined
  const text = inline.text.slice(0, middle) + word + inline.text.slice(middle)
  return { ...block, inlines: inlines.with(index, { ...inline, text }) }
}

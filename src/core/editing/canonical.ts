/**
 * Canonical form of a document, and its hash: equal for two trees that a reader and an author cannot tell apart. An editor
 * sends the hash of the tree that it means; the server compares it with that of the tree that the text parses to.
 *
 * Left out are spans, anchors that are derived from texts, members that are undefined, and how blanks are written: a run of
 * them is one space, none at the ends of a line, with the marks that the characters on both sides share. Marks are sorted,
 * neighbouring texts with the same marks are one, and an emoji is its characters.
 *
 * The hash of a block is made from those of its children, so that an editor computes again what was edited alone.
 */
import { digest, sortMembers } from '../digest.js'
import { emojiCharacters } from '../document/emoji-code.js'
import type { Inline, Mark } from '../document/types.js'
import type { EditedBlock } from './source-blocks.js'

/** Hashes of blocks that were computed before; a block is never changed in place. */
export type HashMemo = WeakMap<EditedBlock, string>

export interface MeantDocument {
  readonly title?: { readonly text: string }
  readonly blocks: readonly EditedBlock[]
  readonly footnotes: readonly { readonly identifier: string; readonly blocks: readonly EditedBlock[] }[]
}

/** Returns the hash of the canonical form of a document. */
export function hashDocument({ title, blocks, footnotes }: MeantDocument, memo: HashMemo = new WeakMap()): string {
  const notes = footnotes.map(({ identifier, blocks: body }) => [identifier, hashesOf(body, memo)])
  return digest(JSON.stringify([title === undefined ? '' : collapse(title.text).trim(), hashesOf(blocks, memo), notes]))
}

/** Returns the hash of the canonical form of a block with its content. */
export function hashBlock(block: EditedBlock, memo: HashMemo = new WeakMap()): string {
  const known = memo.get(block)
  if (known !== undefined) return known
  const hash = digest(JSON.stringify(canonicalMembers(block, memo), sortMembers))
  memo.set(block, hash)
  return hash
}

function hashesOf(blocks: readonly EditedBlock[], memo: HashMemo): string[] {
  return blocks.map((block) => hashBlock(block, memo))
}

function canonicalMembers({ type, attributes, inlines, blocks = [] }: EditedBlock, memo: HashMemo): unknown[] {
  return [type, canonicalAttributes(attributes), inlines ? canonicalInlines(inlines) : [], hashesOf(blocks, memo)]
}

/** Attributes with inlines, whose blanks do not matter either. */
const inlineAttributes = new Set(['title', 'caption'])

function canonicalAttributes(value: unknown, name = ''): unknown {
  if (inlineAttributes.has(name) && Array.isArray(value)) return canonicalInlines(value as readonly Inline[])
  if (Array.isArray(value)) return value.map((member) => canonicalAttributes(member))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => {
      const isDefault = member === undefined || member === null || member === false
      return isDefault ? [] : [[key, canonicalAttributes(member, key)]]
    }),
  )
}

/** A run of characters with the same marks, or an inline that is no text; `link` surrounds either. */
interface Piece {
  readonly text?: string
  readonly node?: unknown
  readonly marks: readonly string[]
  readonly link: string
}

/** Returns inlines as arrays of strings: texts with sorted marks, and other inlines with their members. */
export function canonicalInlines(inlines: readonly Inline[]): unknown[] {
  const pieces = settleBlanks(piecesOf(inlines, ''))
  const joined: { text?: string; node?: unknown; style: string }[] = []
  for (const { text, node, marks, link } of pieces) {
    const style = JSON.stringify([marks, link])
    const last = joined.at(-1)
    if (text !== undefined && last?.text !== undefined && last.style === style) last.text += text
    else joined.push(text === undefined ? { node, style } : { text, style })
  }
  return joined.map(({ text, node, style }) => [text ?? node, style])
}

function piecesOf(inlines: readonly Inline[], link: string): Piece[] {
  return inlines.flatMap((inline): Piece[] => {
    switch (inline.type) {
      case 'text':
        return [{ text: inline.text, marks: marksOf(inline.marks ?? []), link }]
      case 'emoji': {
        const text = emojiCharacters(inline.code)
        return [text === undefined ? { node: inline, marks: [], link } : { text, marks: [], link }]
      }
      case 'link': {
        const { children, ...target } = inline
        return piecesOf(children, JSON.stringify(target, sortMembers))
      }
      case 'annotation': {
        const node = [inline.type, inline.identifier, canonicalInlines(inline.children)]
        return [{ node, marks: [], link }]
      }
      default:
        return [{ node: canonicalAttributes(inline), marks: [], link }]
    }
  })
}

function marksOf(marks: readonly Mark[]): string[] {
  return [...new Set(marks.map((mark) => JSON.stringify(mark, sortMembers)))].toSorted()
}

function collapse(text: string): string {
  return text.replace(/[ \t\r\n\f]+/g, ' ')
}

/** Splits blanks off and gives them the marks that both sides share; drops those at the ends of a line. */
function settleBlanks(pieces: readonly Piece[]): Piece[] {
  const parts = pieces.flatMap((piece): Piece[] =>
    piece.text === undefined
      ? [piece]
      : (collapse(piece.text).match(/ |[^ ]+/g) ?? []).map((text) => ({ ...piece, text })),
  )
  const settled: Piece[] = []
  let isBlank = false
  for (const part of parts) {
    if (part.text === ' ') {
      isBlank = true
      continue
    }
    const last = settled.at(-1)
    if (isBlank && last !== undefined && !isBreak(last) && !isBreak(part)) settled.push(between(last, part))
    isBlank = false
    settled.push(part)
  }
  // A break at the end of a block is not displayed.
  while (settled.length > 0 && isBreak(settled.at(-1)!)) settled.pop()
  return settled
}

function between(before: Piece, after: Piece): Piece {
  const others = new Set(after.marks)
  return {
    text: ' ',
    marks: before.marks.filter((mark) => others.has(mark)),
    link: before.link === after.link ? before.link : '',
  }
}

function isBreak({ node }: Piece): boolean {
  return typeof node === 'object' && node !== null && 'type' in node && node.type === 'break'
}

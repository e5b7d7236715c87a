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
import { digest } from '../digest.js'
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
export function hashDocument(
  { title, blocks, footnotes }: MeantDocument,
  memo: HashMemo = new WeakMap(),
): string {
  const notes = footnotes.map(({ identifier, blocks: body }) => [identifier, hashesOf(body, memo)])
  return digest(
    JSON.stringify([
      title === undefined ? '' : collapse(title.text).replace(/^ | $/g, ''),
      hashesOf(blocks, memo),
      notes,
    ]),
  )
}

/** Returns the hash of the canonical form of a block with its content. */
export function hashBlock(block: EditedBlock, memo: HashMemo = new WeakMap()): string {
  const known = memo.get(block)
  if (known !== undefined) return known
  const hash = digest(JSON.stringify(canonicalMembers(block, memo)))
  memo.set(block, hash)
  return hash
}

function hashesOf(blocks: readonly EditedBlock[], memo: HashMemo): string[] {
  return blocks.map((block) => hashBlock(block, memo))
}

function canonicalMembers(
  { type, attributes, inlines, blocks = [] }: EditedBlock,
  memo: HashMemo,
): unknown[] {
  return [
    type,
    canonicalAttributes(attributes),
    inlines ? canonicalInlines(inlines) : [],
    hashesOf(blocks, memo),
  ]
}

/** Attributes whose value `false` is not the same as none. */
const negatable = new Set(['checked', 'lineNumbers'])
/** Attributes with inlines, whose blanks do not matter either. */
const inlineAttributes = new Set(['title', 'caption'])

function canonicalAttributes(value: unknown, name = ''): unknown {
  if (inlineAttributes.has(name) && Array.isArray(value)) return canonicalInlines(value as readonly Inline[])
  if (Array.isArray(value)) return value.map((member) => canonicalAttributes(member))
  if (typeof value !== 'object' || value === null) return value
  const members: unknown[] = []
  for (const key of Object.keys(value).toSorted()) {
    const member = (value as Readonly<Record<string, unknown>>)[key]
    const isDefault = member === undefined || member === null || (member === false && !negatable.has(key))
    if (isDefault) continue
    members.push(key, canonicalAttributes(member, key))
  }
  return { members }
}

/** A run of characters with the same marks, or an inline that is no text; `link` surrounds either. */
interface Piece {
  readonly text?: string
  readonly node?: unknown
  readonly isBreak?: boolean
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
        const { url, title, mention, children } = inline
        return piecesOf(children, JSON.stringify([url, title, mention]))
      }
      case 'annotation': {
        const node = [inline.type, inline.identifier, canonicalInlines(inline.children)]
        return [{ node, marks: [], link }]
      }
      default:
        return [{ node: canonicalAttributes(inline), isBreak: inline.type === 'break', marks: [], link }]
    }
  })
}

const noMarks: readonly string[] = []

function marksOf(marks: readonly Mark[]): readonly string[] {
  if (marks.length === 0) return noMarks
  const names = marks.map((mark) =>
    mark.type === 'color' ? JSON.stringify([mark.type, mark.text, mark.background]) : mark.type,
  )
  return names.length === 1 ? names : [...new Set(names)].toSorted()
}

function collapse(text: string): string {
  return text.replace(/[ \t\r\n\f]+/g, ' ')
}

/** Gives blanks between pieces the marks that both of them share; drops those at the ends of a line. */
function settleBlanks(pieces: readonly Piece[]): Piece[] {
  const settled: Piece[] = []
  let isBlank = false
  for (const piece of pieces) {
    const text = piece.text === undefined ? undefined : collapse(piece.text)
    if (text?.startsWith(' ')) isBlank = true
    const words = text?.replace(/^ | $/g, '')
    if (words === '') continue
    const last = settled.at(-1)
    if (isBlank && last !== undefined && !last.isBreak && !piece.isBreak) settled.push(between(last, piece))
    settled.push(words === undefined ? piece : { ...piece, text: words })
    isBlank = text?.endsWith(' ') ?? false
  }
  // A break at the end of a block is not displayed.
  while (settled.at(-1)?.isBreak) settled.pop()
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

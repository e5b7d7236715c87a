/**
 * Source blocks: the blocks of a text in one shape for all types, each with its type, attributes and span, for programs
 * that edit the text. The same tree is what an editor means: a block of it without a span is new.
 *
 * Parts of containers (items, tabs, cells) are blocks as well. The span of a child is inside that of its parent, and
 * siblings are disjoint and in order. Blank lines, prefixes and tags belong to no child. What is displayed from its source
 * alone is an `opaque` block, which has no content and is never rewritten.
 */
import type { JsonValue } from '../document/json-node.js'
import type { Block, BlockType, Inline, Span, TableCell } from '../document/types.js'
import type { ParsedPage } from '../markdown/parse.js'
import { sourceLines } from './lines.js'

export type SourceBlockType =
  | BlockType
  | 'list-item'
  | 'tab'
  | 'step'
  | 'column'
  | 'update'
  | 'table-row'
  | 'table-cell'
  | 'footnote'
  | 'opaque'

export type SourceAttributes = { readonly [name: string]: JsonValue | undefined }

export interface EditedBlock {
  readonly type: SourceBlockType
  /** The source of the block in the text; absent for a block that is not in the text yet. */
  readonly span?: Span
  /** Members of the block besides its content; of an opaque block, `kind` is its type, and `source` its lines. */
  readonly attributes: SourceAttributes
  /** The text of a paragraph or heading. Annotations have no bodies: these are the footnotes of the text. */
  readonly inlines?: readonly Inline[]
  /** Blocks inside, or the parts of a list, table, or group. */
  readonly blocks?: readonly EditedBlock[]
}

export interface SourceBlock extends EditedBlock {
  readonly span: Span
  readonly blocks?: readonly SourceBlock[]
}

export interface SourceFootnote {
  readonly identifier: string
  readonly span: Span
  readonly blocks: readonly SourceBlock[]
}

/** A text with its blocks in it. */
export interface SourceDocument {
  /** The front matter with its fences and their line ends. */
  readonly frontMatter?: Span
  /** The title: its words, and the whole heading. */
  readonly title?: { readonly text: string; readonly span: Span; readonly line: Span }
  readonly blocks: readonly SourceBlock[]
  readonly footnotes: readonly SourceFootnote[]
}

type ParsedText = Pick<ParsedPage, 'frontMatter' | 'title' | 'document' | 'footnotes'>

/** Returns the source blocks of a text that was parsed. */
export function sourceDocument(text: string, parsed: ParsedText): SourceDocument {
  const { frontMatter, title, document } = parsed
  // Further definitions of a name are never used.
  const names = new Set<string>()
  const footnotes = parsed.footnotes.filter(({ identifier }) => {
    const isFirst = !names.has(identifier)
    names.add(identifier)
    return isFirst
  })
  const rowOf = (blocks: readonly Block[], end: number): readonly SourceBlock[] => {
    const row = limitSpans(text, sourceBlocks(text, blocks), end)
    return names.size > 0 ? withoutBodies(row) : row
  }
  return {
    ...(frontMatter && { frontMatter }),
    ...(title && { title: { text: title.text, span: title.span, line: title.line } }),
    blocks: rowOf(document.blocks, text.length),
    footnotes: footnotes.map(({ identifier, span, blocks }) => ({
      identifier,
      span,
      blocks: rowOf(blocks, span.end),
    })),
  }
}

/** The Markdown parser places the end of a fence that a list item cuts off behind the start of what follows. */
function limitSpans(text: string, blocks: readonly SourceBlock[], end: number): readonly SourceBlock[] {
  let limit = end
  let isChanged = false
  const limited = blocks.toReversed().map((block) => {
    const { start } = block.span
    const isLate = block.span.end > limit
    const span = isLate ? { start, end: contentEnd(text, start, limit) } : block.span
    limit = start
    const inner = block.blocks && limitSpans(text, block.blocks, span.end)
    if (!isLate && inner === block.blocks) return block
    isChanged = true
    return { ...block, span, ...(inner && { blocks: inner }) }
  })
  return isChanged ? limited.toReversed() : blocks
}

function contentEnd(text: string, start: number, limit: number): number {
  let end = Math.max(start, limit)
  while (end > start && /\s/.test(text[end - 1]!)) end--
  return end
}

/** Where a group has its parts, and the type of each part. */
const groups = new Map<string, readonly [member: string, part: SourceBlockType]>([
  ['list', ['items', 'list-item']],
  ['tabs', ['tabs', 'tab']],
  ['stepper', ['steps', 'step']],
  ['columns', ['columns', 'column']],
  ['updates', ['updates', 'update']],
])

/** Derived from other members, or not part of what an author wrote. */
const derived = new Set(['type', 'span', 'anchor', 'aliases', 'children', 'blocks', 'href'])
/** The blocks of legacy specifications are made from attributes of their tags. */
const opaqueTypes = new Set<BlockType>(['html', 'swagger'])

function sourceBlocks(text: string, blocks: readonly Block[]): SourceBlock[] {
  return blocks.map((block) => sourceBlock(text, block))
}

function sourceBlock(text: string, block: Block): SourceBlock {
  const { type, span } = block
  if (opaqueTypes.has(type) || (block.type === 'paragraph' && block.isSource)) {
    const source = sourceLines(text, span).join('\n')
    return { type: 'opaque', span, attributes: { kind: type, source } }
  }
  if (block.type === 'table') return tableBlock(text, block)
  const [member, part] = groups.get(type) ?? []
  const attributes = attributesOf(block, member)
  if (member !== undefined) {
    const parts = (block as unknown as Readonly<Record<string, readonly Part[]>>)[member]!
    return { type, span, attributes, blocks: parts.map((one) => partBlock(text, part!, one.span, one)) }
  }
  if ('children' in block) return { type, span, attributes, inlines: block.children }
  return 'blocks' in block
    ? { type, span, attributes, blocks: sourceBlocks(text, block.blocks) }
    : { type, span, attributes }
}

interface Part {
  readonly span: Span
  readonly blocks: readonly Block[]
}

function partBlock(
  text: string,
  type: SourceBlockType,
  span: Span,
  part: { readonly blocks: readonly Block[] },
): SourceBlock {
  return { type, span, attributes: attributesOf(part), blocks: sourceBlocks(text, part.blocks) }
}

function attributesOf(block: object, parts?: string): SourceAttributes {
  const attributes: Record<string, JsonValue> = {}
  for (const [name, value] of Object.entries(block)) {
    if (value !== undefined && name !== parts && !derived.has(name)) attributes[name] = value as JsonValue
  }
  return attributes
}

/** Removes the bodies of annotations from inlines, wherever they are: a footnote may be referenced often. */
function withoutBodies<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(withoutBodies) as Value
  if (typeof value !== 'object' || value === null) return value
  const isAnnotation = 'type' in value && value.type === 'annotation'
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      isAnnotation && name === 'body' ? [] : [[name, withoutBodies(member)]],
    ),
  ) as Value
}

/** Rows and cells have no span of their own: it is that of their content, empty at the end of what is before. */
function tableBlock(text: string, table: Block & { type: 'table' }): SourceBlock {
  let last = table.span.start
  const rows = table.rows.map((cells): SourceBlock => {
    const blocks = cells.map((cell): SourceBlock => {
      const span = cellSpan(cell, last)
      last = span.end
      return partBlock(text, 'table-cell', span, cell)
    })
    const span = { start: blocks[0]?.span.start ?? last, end: last }
    return { type: 'table-row', span, attributes: {}, blocks }
  })
  return { type: 'table', span: table.span, attributes: attributesOf(table, 'rows'), blocks: rows }
}

function cellSpan({ blocks }: TableCell, last: number): Span {
  return { start: blocks[0]?.span.start ?? last, end: blocks.at(-1)?.span.end ?? last }
}

/** Types whose blocks are a member of their own. */
const containers = new Set<string>(
  'blockquote hint expandable if openapi-operation openapi-schemas openapi-webhook'.split(' '),
)
const noSpan: Span = { start: 0, end: 0 }

/**
 * Returns the blocks that source blocks stand for, as the formatter of Markdown takes them: an opaque block is HTML, and
 * anchors are empty except for ids that the author set. Blocks whose lines `linesOf` returns are added to `verbatim`.
 */
export function blocksOfSource(
  blocks: readonly EditedBlock[],
  linesOf: (block: EditedBlock) => readonly string[] | undefined = () => undefined,
  verbatim = new Map<Block, readonly string[]>(),
): Block[] {
  const inner = (one: EditedBlock) => blocksOfSource(one.blocks ?? [], linesOf, verbatim)
  return blocks.map((source) => {
    const lines = linesOf(source)
    const block = blockOfSource(source, lines === undefined ? inner : () => [])
    if (lines !== undefined) verbatim.set(block, lines)
    return block
  })
}

function blockOfSource(source: EditedBlock, inner: (block: EditedBlock) => Block[]): Block {
  const { type, attributes, inlines, blocks = [] } = source
  const anchorOf = (one: EditedBlock) => one.attributes['id'] ?? ''
  const common = { ...attributes, type, span: noSpan, anchor: anchorOf(source) }
  if (type === 'opaque') return { type: 'html', span: noSpan, html: String(attributes['source'] ?? '') }
  if (type === 'table') {
    const rows = blocks.map((row) =>
      (row.blocks ?? []).map((cell) => ({ ...cell.attributes, blocks: inner(cell) })),
    )
    return { ...common, rows } as unknown as Block
  }
  const [member] = groups.get(type) ?? []
  if (member !== undefined) {
    const parts = blocks.map((one) => ({
      ...one.attributes,
      span: noSpan,
      anchor: anchorOf(one),
      blocks: inner(one),
    }))
    return { ...common, [member]: parts } as unknown as Block
  }
  const content = inlines && { children: withBodies(inlines) }
  return { ...common, ...content, ...(containers.has(type) && { blocks: inner(source) }) } as unknown as Block
}

/** Returns inlines as a document has them: annotations with a body, which the formatter of single blocks does not write. */
export function withBodies(inlines: readonly Inline[]): readonly Inline[] {
  return inlines.map((inline) => {
    if (inline.type === 'annotation') return { ...inline, children: withBodies(inline.children), body: [] }
    return inline.type === 'link' ? { ...inline, children: withBodies(inline.children) } : inline
  })
}

/**
 * Markdown parser of the dialect: text to document. The text is never changed or rejected: unknown markup becomes
 * text and is reported in `problems`. It resolves neither links nor files nor expressions.
 */
import { createBudget } from '../budget.js'
import type { Block, Document, ExpressionOccurrence, Problem, Reference, Span } from '../document/types.js'
import { plainText } from '../document/plain-text.js'
import { anchorOf } from './anchors.js'
import { readBlocks } from './blocks.js'
import { trimInlines } from './caption.js'
import { findConstruct } from './constructs.js'
import { collectDefinitions } from './definitions.js'
import { readUnreferencedFootnotes } from './footnotes.js'
import { findCoverReferences, frontMatterSpan } from './front-matter.js'
import { readInlines } from './inlines.js'
import { takeHeadingId } from './heading-id.js'
import { takeAnchor } from './markdown-blocks.js'
import { createReader, type Reader } from './reader.js'
import type { SyntaxNode } from './syntax-node.js'
import { spanIn } from './source.js'
import { blockNodes, inlineNodes, readSyntax } from './tokens.js'

export interface ParsedPage {
  /** The whole front matter, including fences and their line ends. */
  readonly frontMatter?: Span
  /** `span` covers the title's own characters, `line` the whole heading; `anchors` are its URL fragments. */
  readonly title?: {
    readonly text: string
    readonly span: Span
    readonly line: Span
    readonly anchors: readonly string[]
  }
  /** Without front matter and title. */
  readonly document: Document
  /** All definitions of footnotes, in document order; annotations of the document have the same bodies. */
  readonly footnotes: readonly ParsedFootnote[]
  /** In document order; no two overlap. */
  readonly references: readonly Reference[]
  /** In document order; no two overlap. */
  readonly expressions: readonly ExpressionOccurrence[]
  readonly problems: readonly Problem[]
}

export interface ParsedFootnote {
  readonly identifier: string
  readonly span: Span
  readonly blocks: readonly Block[]
}

/**
 * Longer texts are not parsed: they become one code block. The worst million characters (nothing but markup)
 * takes two seconds and half a gigabyte; the longest page in real documentation is a third of it.
 */
export const maxTextLength = 1_000_000

/** Returns the parsed text of a page; never throws. */
export function parsePage(text: string): ParsedPage {
  return parse(text, true)
}

/** Returns a parsed text without front matter and title, such as a reusable content or a comment; never throws. */
export function parseFragment(text: string): Omit<ParsedPage, 'frontMatter' | 'title'> {
  return parse(text, false)
}

/** Returns the document of Markdown that was not written for pages: dialect tags are text in it. */
export function parseForeign(text: string): Document {
  return parse(text, false, () => false).document
}

const isTag = (name: string): boolean => findConstruct(name) !== undefined

function parse(written: string, isPage: boolean, isKnown: (name: string) => boolean = isTag): ParsedPage {
  // Same length, so offsets stay valid. Databases cannot store U+0000 in data derived from the text.
  const text = written.replaceAll('\0', '\ufffd')
  if (text.length > maxTextLength) return asCode(text)
  const frontMatter = isPage ? frontMatterSpan(text) : undefined
  const reader = createReader(text, isKnown, readBlocks, readInlines, createBudget())
  const children = readSyntax(reader, reader.scope.masked, reader.scope)
  collectDefinitions(reader, children, reader.scope)
  const first = isPage ? children.findIndex((child) => !isInvisible(child)) : -1
  const heading =
    first >= 0 && children[first]!.type === 'heading' && children[first]!.depth === 1
      ? children[first]
      : undefined
  const title = heading && readTitle(reader, heading)
  const body = heading ? children.slice(first + 1) : children
  const blocks = reader.blocks(blockNodes(reader, body, reader.scope))
  readUnreferencedFootnotes(reader)
  reader.anchors.resolveAliases()
  if (frontMatter) reader.references.push(...findCoverReferences(text, frontMatter))
  return {
    ...(frontMatter ? { frontMatter } : {}),
    ...(title ? { title } : {}),
    document: { blocks },
    footnotes: readFootnotes(reader),
    references: inOrder(reader.references),
    expressions: inOrder(reader.expressions),
    problems: reader.problems.toSorted((a, b) => a.span.start - b.span.start),
  }
}

function isInvisible(node: SyntaxNode): boolean {
  return (
    node.type === 'yaml' ||
    node.type === 'definition' ||
    (node.type === 'html' && /^<!--(?:(?!-->)[^])*-->\s*$/.test(node.value ?? ''))
  )
}

function readTitle(reader: Reader, heading: SyntaxNode): NonNullable<ParsedPage['title']> {
  const { scope } = reader
  const { id, children } = takeHeadingId(heading, scope)
  const { ids, rest } = takeAnchor(inlineNodes(reader, children, scope))
  const line = spanIn(scope, heading.position.start.offset, heading.position.end.offset)
  const inlines = trimInlines(reader.inlines(rest))
  const text = plainText(inlines)
  const anchors = reader.anchors.join(inlines.map((one) => (one.type === 'anchor' ? one.aliases : [])))
  reader.anchors.claim([id ?? '', ...ids, anchorOf(text)].filter(Boolean), anchors)
  const start = rest[0]?.start ?? line.end
  let end = Math.max(start, rest.at(-1)?.end ?? start)
  while (end > start && /\s/.test(reader.text[end - 1]!)) end--
  return { text, span: { start, end }, line, anchors }
}

function readFootnotes(reader: Reader): readonly ParsedFootnote[] {
  const footnotes = [...reader.footnotes.values()].map(({ node, scope, body = [] }) => ({
    identifier: node.identifier!,
    span: spanIn(scope, node.position.start.offset, node.position.end.offset),
    blocks: body,
  }))
  return footnotes.toSorted((a, b) => a.span.start - b.span.start)
}

/** Sorts by position; a span may occur twice, at a definition and its use, and one inside another is dropped. */
function inOrder<WithSpan extends { readonly span: Span }>(items: readonly WithSpan[]): readonly WithSpan[] {
  const sorted = items.toSorted((a, b) => a.span.start - b.span.start || a.span.end - b.span.end)
  const distinct: WithSpan[] = []
  for (const item of sorted) {
    const last = distinct.at(-1)
    const isNew = !last || (item.span.start >= last.span.end && item.span.start > last.span.start)
    if (isNew) distinct.push(item)
  }
  return distinct
}

function asCode(text: string): ParsedPage {
  const span = { start: 0, end: text.length }
  return {
    document: { blocks: [{ type: 'code', span, code: text }] },
    footnotes: [],
    references: [],
    expressions: [],
    problems: [{ message: `Longer than ${maxTextLength} characters: shown as code`, span }],
  }
}

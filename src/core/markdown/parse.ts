/**
 * Text to document. The text is never changed and never refused: what the dialect does not know is shown as
 * text, and said in `problems`. Nothing is resolved here, neither links nor files nor expressions.
 */
import { createBudget } from '../budget.js'
import type { Document, PlacedExpression, Problem, Reference, Span } from '../document/types.js'
import { plainText } from '../document/plain-text.js'
import { readBlocks } from './blocks.js'
import { trimInlines } from './caption.js'
import { findConstruct } from './constructs.js'
import { collectDefinitions } from './definitions.js'
import { readOtherFootnotes } from './footnotes.js'
import { findCoverReferences, frontMatterSpan } from './front-matter.js'
import { readInlines } from './inlines.js'
import { takeAnchor } from './markdown-blocks.js'
import { createReader, type Reader } from './reader.js'
import type { SyntaxNode } from './syntax-node.js'
import { spanIn } from './source.js'
import { blockNodes, inlineNodes, readSyntax } from './tokens.js'

export interface ParsedPage {
  /** The whole block of front matter, fences and the end of their line included. */
  readonly frontMatter?: Span
  /** `span` holds the title's own characters, `line` the whole heading. */
  readonly title?: { readonly text: string; readonly span: Span; readonly line: Span }
  /** Without front matter and title. */
  readonly document: Document
  /** In the order of the text; no two overlap. */
  readonly references: readonly Reference[]
  /** In the order of the text; none stands in another. */
  readonly expressions: readonly PlacedExpression[]
  readonly problems: readonly Problem[]
}

/**
 * Longer texts are not parsed: they are shown as one block of code. The worst million (nothing but markup)
 * takes two seconds and half a gigabyte; the longest page met in real documentation is a third of it.
 */
export const maxTextLength = 1_000_000

/** Returns what the text of a page says; never throws. */
export function parsePage(text: string): ParsedPage {
  return parse(text, true)
}

/** Returns what a text without front matter and title says, such as a reusable content or a comment; never throws. */
export function parseFragment(text: string): Omit<ParsedPage, 'frontMatter' | 'title'> {
  return parse(text, false)
}

/** Returns what Markdown says that was not written for pages: tags of the dialect are text in it. */
export function parseForeign(text: string): Document {
  return parse(text, false, () => false).document
}

const isTag = (name: string): boolean => findConstruct(name) !== undefined

function parse(written: string, isPage: boolean, isKnown: (name: string) => boolean = isTag): ParsedPage {
  // As long as it was: places in the one are places in the other. No database holds it in what is made of the text.
  const text = written.replaceAll('\0', '\ufffd')
  if (text.length > maxTextLength) return refuse(text)
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
  readOtherFootnotes(reader)
  reader.anchors.settle()
  if (frontMatter) reader.references.push(...findCoverReferences(text, frontMatter))
  return {
    ...(frontMatter ? { frontMatter } : {}),
    ...(title ? { title } : {}),
    document: { blocks },
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
  const nodes = inlineNodes(reader, heading.children ?? [], scope)
  const { rest } = takeAnchor(nodes)
  const line = spanIn(scope, heading.position.start.offset, heading.position.end.offset)
  const text = plainText(trimInlines(reader.inlines(rest)))
  const start = rest[0]?.start ?? line.end
  let end = Math.max(start, rest.at(-1)?.end ?? start)
  while (end > start && /\s/.test(reader.text[end - 1]!)) end--
  return { text, span: { start, end }, line }
}

/** A place may be met twice, as a definition and where it is used; one that lies in another is left out. */
function inOrder<Placed extends { readonly span: Span }>(places: readonly Placed[]): readonly Placed[] {
  const sorted = places.toSorted((a, b) => a.span.start - b.span.start || a.span.end - b.span.end)
  const kept: Placed[] = []
  for (const place of sorted) {
    const last = kept.at(-1)
    const isNew = !last || (place.span.start >= last.span.end && place.span.start > last.span.start)
    if (isNew) kept.push(place)
  }
  return kept
}

function refuse(text: string): ParsedPage {
  const span = { start: 0, end: text.length }
  return {
    document: { blocks: [{ type: 'code', span, code: text }] },
    references: [],
    expressions: [],
    problems: [{ message: `Longer than ${maxTextLength} characters: shown as code`, span }],
  }
}

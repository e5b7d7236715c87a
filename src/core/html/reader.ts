/**
 * Reader context: the state of converting one page, with its ids, losses and budget. Converters of single elements
 * (`code.ts`, `tables.ts`, …) reach the others only through it.
 */
import type { Budget } from '../budget.js'
import type { Block, Inline, Mark } from '../document/types.js'
import type { HtmlElement, HtmlNode } from './nodes.js'

/** Span of a block that was not parsed from a text. */
export const noSpan = { start: 0, end: 0 }

export interface Footnote {
  readonly identifier: string
  /** Filled after the page has been read. */
  readonly body: Block[]
}

export interface HtmlReader {
  readonly budget: Budget
  /** The first element of each id. */
  readonly ids: ReadonlyMap<string, HtmlElement>
  /** Marks of the classes in the page's style sheet. */
  readonly styles: ReadonlyMap<string, readonly Mark[]>
  /** Elements already read as a part of another, or not part of the content. */
  readonly skipped: Set<HtmlElement>
  /** Referenced footnotes, in order of first reference. */
  readonly notes: Map<HtmlElement, Footnote>
  /** The fragment of each converted heading. */
  readonly headingAnchors: Map<HtmlElement, string>
  /** Fragments that the page's links target. */
  readonly linkedIds: ReadonlySet<string>
  /** True when ids may be written by hand, so that links from elsewhere may target them. */
  readonly hasWrittenIds: boolean
  /** Levels by which headings are raised. */
  readonly headingShift: number
  /** Returns the destination to write; undefined when it is empty or not safe. */
  destination(url: string | undefined, kind: 'link' | 'image' | 'file'): string | undefined
  /** Records content that a document cannot represent, by a description. */
  reportLoss(what: string): void
  blocks(nodes: readonly HtmlNode[]): Block[]
  inlines(nodes: readonly HtmlNode[], marks?: readonly Mark[]): Inline[]
}

/**
 * The state of reading one page: what stands under which id, what was lost, what it may cost. The parts that know an
 * element each (`code.ts`, `tables.ts`, …) get it as their only door to the others.
 */
import type { Budget } from '../budget.js'
import type { Block, Inline, Mark } from '../document/types.js'
import type { HtmlElement, HtmlNode } from './nodes.js'

/** Where a block stands that was not read from a text. */
export const nowhere = { start: 0, end: 0 }

export interface Note {
  readonly identifier: string
  /** Empty until the page has been read. */
  readonly body: Block[]
}

export interface HtmlReader {
  readonly budget: Budget
  /** The first element of each id. */
  readonly ids: ReadonlyMap<string, HtmlElement>
  /** What the classes of a style sheet in the page say of a text. */
  readonly styles: ReadonlyMap<string, readonly Mark[]>
  /** Elements that have been read as a part of something else, or are none of the content. */
  readonly passedOver: Set<HtmlElement>
  /** Notes that were referred to, in the order of their first mention. */
  readonly notes: Map<HtmlElement, Note>
  /** The fragment of each heading that was read. */
  readonly called: Map<HtmlElement, string>
  /** Fragments that links of the page ask for. */
  readonly asked: ReadonlySet<string>
  /** Levels that headings are raised by. */
  readonly raised: number
  /** Returns the destination as it is to be written, undefined for one that leads nowhere or is not safe. */
  destination(url: string | undefined, kind: 'link' | 'image' | 'file'): string | undefined
  /** Notes something that has no place in a document, by what it is called. */
  lose(what: string): void
  blocks(nodes: readonly HtmlNode[]): Block[]
  inlines(nodes: readonly HtmlNode[], marks?: readonly Mark[]): Inline[]
}

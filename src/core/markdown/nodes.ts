/** The marks of one row of siblings, and the tree that `nest.ts` makes of them. */
import type { Scope } from './source.js'
import type { SyntaxNode } from './syntax-node.js'
import type { Attributes, Tag } from './tags.js'

interface Place {
  /** Offsets in the whole text. */
  readonly start: number
  readonly end: number
}

/** Markdown that holds no mark of its own. */
export interface MarkdownNode extends Place {
  readonly kind: 'markdown'
  readonly node: SyntaxNode
  readonly scope: Scope
}

/** Text between HTML tags, decoded. */
export interface TextNode extends Place {
  readonly kind: 'text'
  readonly text: string
}

export interface StrayNode extends Place {
  readonly kind: 'stray'
  readonly family: 'tag' | 'html'
  readonly name: string
  readonly closes: boolean
}

export interface ElementNode extends Place {
  readonly kind: 'element'
  readonly name: string
  readonly attributes: Attributes
  readonly contentStart: number
  readonly contentEnd: number
  readonly children: Node[]
}

export interface TagNode extends Place {
  readonly kind: 'tag'
  readonly tag: Tag
  /** False for a tag that stands alone. */
  readonly isClosed: boolean
  /** False for one whose end tag is missing, too. */
  readonly isEnded: boolean
  readonly contentStart: number
  readonly contentEnd: number
  readonly children: Node[]
}

export type Node = MarkdownNode | TextNode | StrayNode | ElementNode | TagNode

export interface TagToken extends Place {
  readonly kind: 'tag token'
  readonly tag: Tag
  readonly ending: Ending
}

/**
 * How a tag ends that has no end tag: not at all, for it stands alone; with the next block, for it holds one; before
 * the next of its name, for it is a part of something; else with what it stands in.
 */
export type Ending = 'alone' | 'next block' | 'next part' | 'outer'

export interface ElementToken extends Place {
  readonly kind: 'element token'
  readonly name: string
  readonly closes: boolean
  readonly attributes: Attributes
}

export type Token = MarkdownNode | TextNode | TagToken | ElementToken

/** Where a tag or an element ends. */
export interface Partner {
  readonly index: number
  /** Whether the token at `index` is the end mark itself, not just the place where the element must end. */
  readonly isEndMark: boolean
}

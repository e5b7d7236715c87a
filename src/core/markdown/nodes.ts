/** Tokens of sibling nodes, and the tree that `pair-tags.ts` builds from them. */
import type { Scope } from './source.js'
import type { SyntaxNode } from './syntax-node.js'
import type { Attributes, Tag } from './tags.js'

interface Place {
  /** Offsets in the full text. */
  readonly start: number
  readonly end: number
}

/** A Markdown node without tags. */
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
  /** Of an opening HTML tag. */
  readonly attributes?: Attributes
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
  /** False for a self-contained tag. */
  readonly isClosed: boolean
  /** False also for a tag whose end tag is missing. */
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
 * How a tag without an end tag ends: not at all, since it is self-contained; with the next block, since it contains
 * one; before the next of its name, since it is a part of a group; else with its parent.
 */
export type Ending = 'alone' | 'next block' | 'next part' | 'outer'

export interface ElementToken extends Place {
  readonly kind: 'element token'
  readonly name: string
  readonly closes: boolean
  readonly attributes: Attributes
}

export type Token = MarkdownNode | TextNode | TagToken | ElementToken

/** The end of a tag or an element. */
export interface Partner {
  readonly index: number
  /** Whether the token at `index` is the end tag itself, not just the position where the element must end. */
  readonly isEndMark: boolean
}

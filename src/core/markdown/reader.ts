/**
 * Parser context: the state of parsing one text, with the tags hidden from the Markdown parser, assigned anchors,
 * problems and references found, and the nesting depth. Constructs reach the rest of the parser only through it.
 */
import { partitionPoint } from '../binary-search.js'
import type {
  Alignment,
  Block,
  Inline,
  Mark,
  ExpressionOccurrence,
  Problem,
  Reference,
  Span,
} from '../document/types.js'
import type { Budget } from '../budget.js'
import { type Anchors, createAnchors } from './anchors.js'
import type { ElementNode, Node } from './nodes.js'
import { splitRaw } from './raw-tags.js'
import { decodeDestination } from './references.js'
import type { SyntaxNode } from './syntax-node.js'
import { chooseFiller, maskTags, type Scope, separateTags } from './source.js'
import { type Attribute, findTags, type Tag } from './tags.js'

export interface Footnote {
  readonly node: SyntaxNode
  readonly scope: Scope
  body?: readonly Block[]
  isOpen?: boolean
}

export interface Definition {
  readonly url: string
  readonly title?: string
}

export interface Reader {
  readonly text: string
  readonly scope: Scope
  /** Sticky pattern of a mask; undefined when the text contains no known tag. */
  readonly mask: RegExp | undefined
  readonly problems: Problem[]
  readonly references: Reference[]
  readonly expressions: ExpressionOccurrence[]
  readonly footnotes: Map<string, Footnote>
  /** Reference definitions by identifier. */
  readonly definitions: Map<string, Definition>
  /** Definitions as text, to be parsed again with a fragment of the page. */
  definitionLines: string
  /** Kind of the references found inside the current construct. */
  referenceKind: Reference['kind'] | undefined
  /** Returns the tag hidden at an offset of the text. */
  tagAt(offset: number): Tag | undefined
  /** Returns `value`, from that span of the text, with its hidden tags restored. */
  unmask(value: string, span: Span): string
  /** Returns the text of a text node; unknown tags are reported. */
  readText(value: string, span: Span): string
  problem(message: string, span: Span): void
  refer(kind: Reference['kind'], url: string, span: Span, syntax: Reference['syntax']): void
  readonly anchors: Anchors
  /** Runs `read` one level deeper, or returns `instead()` when that exceeds the budget. */
  nested<Value>(span: Span, read: () => Value, instead: () => Value): Value
  /** `align` applies to the paragraphs and headings directly in `nodes`. */
  blocks(nodes: readonly Node[], align?: Alignment): Block[]
  inlines(nodes: readonly Node[], marks?: readonly Mark[]): Inline[]
}

/** Returns the reader of `text`, within a budget; the block and inline parsers are passed in. */
export function createReader(
  text: string,
  isKnown: (name: string) => boolean,
  blocks: (reader: Reader, nodes: readonly Node[], align?: Alignment) => Block[],
  inlines: (reader: Reader, nodes: readonly Node[], marks: readonly Mark[]) => Inline[],
  budget: Budget,
): Reader {
  const rawTags = splitRaw(text.includes('{%') ? findTags(text) : [])
  const tags = [...rawTags.marks, ...rawTags.others.filter((tag) => isKnown(tag.name))].toSorted(
    (a, b) => a.span.start - b.span.start,
  )
  const unknownTags = rawTags.others.filter((tag) => !isKnown(tag.name))
  const filler = tags.length > 0 ? chooseFiller(text) : ''
  // The Markdown parser drops a byte order mark and counts from after it.
  const base = text.startsWith('\ufeff') ? 1 : 0
  const masked = tags.length > 0 ? maskTags(text, tags, filler) : text
  const byStart = new Map(tags.map((tag) => [tag.span.start, tag]))
  // linear: a mask begins with a character that is not the filler.
  const pattern = new RegExp(`<\\?${filler}+\\?>`, 'g')
  const reported = new Set<string>()

  const reader: Reader = {
    text,
    scope:
      tags.length > 0 || /<details\b/i.test(text)
        ? separateTags(masked.slice(base), base)
        : { masked: masked.slice(base), at: (offset) => offset + base },
    // linear: sticky.
    mask: tags.length > 0 ? new RegExp(`<\\?${filler}+\\?>`, 'y') : undefined,
    problems: [],
    references: [],
    expressions: [],
    footnotes: new Map(),
    definitions: new Map(),
    definitionLines: '',
    referenceKind: undefined,
    tagAt: (offset) => byStart.get(offset),
    unmask(value, span) {
      if (tags.length === 0 || !value.includes(filler)) return value
      let next = firstFrom(tags, span.start)
      return value.replace(pattern, (mask) => {
        const tag = tags[next++]
        return tag && tag.span.end <= span.end ? text.slice(tag.span.start, tag.span.end) : mask
      })
    },
    readText(value, span) {
      const written = reader.unmask(value, span)
      if (unknownTags.length === 0 || !written.includes('{%')) return written
      for (let index = firstFrom(unknownTags, span.start); index < unknownTags.length; index++) {
        const tag = unknownTags[index]!
        if (tag.span.start >= span.end) break
        const isEscaped = text[tag.span.start - 1] === '\\'
        if (!isEscaped) reader.problem(`{% ${tag.name} %} is no tag of the dialect: shown as text`, tag.span)
      }
      return written
    },
    problem(message, span) {
      reader.problems.push({ message, span })
    },
    refer(kind, url, span, syntax) {
      // Quote and list markers inside a destination split its characters.
      if (decodeDestination(text.slice(span.start, span.end), syntax) !== url) return
      reader.references.push({ kind: reader.referenceKind ?? kind, url, span, syntax })
    },
    anchors: createAnchors(),
    nested(span, read, instead) {
      return budget.nested(
        () => {
          budget.spend('steps')
          return read()
        },
        ({ message, resource }) => {
          if (!reported.has(resource)) reader.problem(`${message}: shown as text`, span)
          reported.add(resource)
          return instead()
        },
      )
    },
    blocks: (nodes, align) => blocks(reader, nodes, align),
    inlines: (nodes, marks = []) => inlines(reader, nodes, marks),
  }
  return reader
}

function firstFrom(tags: readonly Tag[], start: number): number {
  return partitionPoint(tags.length, (position) => tags[position]!.span.start < start)
}

/** Collects the reference in an attribute and returns its URL; undefined when the attribute is absent. */
export function referAttribute(
  reader: Reader,
  kind: Reference['kind'],
  attribute: Attribute | undefined,
): string | undefined {
  if (attribute === undefined) return undefined
  reader.refer(kind, attribute.value, attribute.span, 'attribute')
  return attribute.value
}

/** Returns the value of an HTML attribute; undefined when it is absent or empty. */
export function elementValue(element: ElementNode, name: string): string | undefined {
  return element.attributes.get(name)?.value || undefined
}

/** Returns whether an HTML attribute is present and not "false". */
export function elementFlag(element: ElementNode, name: string): boolean {
  const attribute = element.attributes.get(name)
  return attribute !== undefined && attribute.value !== 'false'
}

type Defined<Value> = { [Key in keyof Value]: Exclude<Value[Key], undefined> }

/** Returns a copy of `object` without undefined members; a copy, because `delete` makes every later read slow. */
export function defined<Value extends object>(object: Value): Defined<Value> {
  const copy: Partial<Value> = {}
  for (const key in object) if (object[key] !== undefined) copy[key] = object[key]
  return copy as Defined<Value>
}

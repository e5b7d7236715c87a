/** Documents by hand, for tests and the gallery: blocks without their places in a text, contexts that know nothing. */
import type { Block, Document, Inline, Paragraph, Text } from '../../core/document/types.js'
import type { RenderContext } from './context.js'

type WithoutSpan<Value> = Value extends { readonly span: unknown }
  ? { [Key in keyof Omit<Value, 'span'>]: WithoutSpan<Value[Key]> }
  : Value extends readonly (infer Item)[]
    ? readonly WithoutSpan<Item>[]
    : Value

export type LooseBlock = Block extends infer Each ? WithoutSpan<Each> : never

const span = { start: 0, end: 0 }

/** The blocks as a document; blocks inside blocks need no places either, for nothing here reads them. */
export function documentOf(...blocks: readonly LooseBlock[]): Document {
  return { blocks: blocks.map((block) => ({ ...block, span }) as Block) }
}

/** Text with marks of the given types. */
export function text(value: string, ...marks: readonly ('bold' | 'italic' | 'code')[]): Text {
  return marks.length === 0
    ? { type: 'text', text: value }
    : { type: 'text', text: value, marks: marks.map((type) => ({ type })) }
}

/** A paragraph of texts and other inlines. */
export function paragraph(...children: readonly (string | Inline)[]): Paragraph {
  return {
    type: 'paragraph',
    span,
    children: children.map((child) => (typeof child === 'string' ? text(child) : child)),
  }
}

/** A context whose links lead where they say, without files, includes or values; `known` replaces its parts. */
export function contextOf(known: Partial<RenderContext> = {}): RenderContext {
  return {
    link: (url) => ({ href: url, ...(/^https?:/.test(url) ? { external: true } : {}) }),
    file: () => undefined,
    include: () => undefined,
    evaluate: () => undefined,
    ...known,
  }
}

/** Test documents, for tests and the gallery: blocks without source positions, and empty contexts. */
import type { Block, Document, Inline, Paragraph, Text } from '../../core/document/types.js'
import type { RenderContext } from './context.js'

type WithoutSpan<Value> = Value extends { readonly span: unknown }
  ? { [Key in keyof Omit<Value, 'span'>]: WithoutSpan<Value[Key]> }
  : Value extends readonly (infer Item)[]
    ? readonly WithoutSpan<Item>[]
    : Value

export type LooseBlock = Block extends infer Each ? WithoutSpan<Each> : never

const span = { start: 0, end: 0 }

/** Returns the blocks as a document; nested blocks need no positions either, because the renderer ignores them. */
export function documentOf(...blocks: readonly LooseBlock[]): Document {
  return { blocks: blocks.map((block) => ({ ...block, span }) as Block) }
}

/** Text with marks of these types. */
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

/** A context that returns links unchanged, without files, includes or values; `overrides` replaces its parts. */
export function contextOf(overrides: Partial<RenderContext> = {}): RenderContext {
  return {
    link: (url) => ({ href: url, ...(/^https?:/.test(url) ? { external: true } : {}) }),
    file: () => undefined,
    include: () => undefined,
    evaluate: () => undefined,
    ...overrides,
  }
}

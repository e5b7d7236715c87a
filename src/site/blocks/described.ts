/**
 * Descriptions in a specification: Markdown that was written for nobody's page. What it writes as HTML is sanitised as
 * on any page; headings are bold lines, for the page has its own.
 */
import type { Block } from '../../core/document/types.js'
import { parseForeign } from '../../core/markdown/parse.js'
import { html, type Html } from '../html.js'
import type { RenderContext, Rendering } from './context.js'

/** Most descriptions are plain sentences, and need no parser. */
const plain = /^[^\n*_`<>[\]#|~\\&!:@{}$]*$/
/** Characters that cost a step. */
const perStep = 20

/** A page is rendered once more when its large pieces are done. */
const parsed = new WeakMap<RenderContext, Map<string, readonly Block[]>>()

export function renderDescription(text: string | undefined, page: Rendering): Html | false {
  if (text === undefined) return false
  page.spend('steps', 1 + text.length / perStep)
  if (plain.test(text)) return html`<p>${text}</p>`
  let known = parsed.get(page.context)
  if (known === undefined) parsed.set(page.context, (known = new Map()))
  let blocks = known.get(text)
  if (blocks === undefined) {
    // An expression of the dialect has its own class, and is none here.
    const { blocks: read } = parseForeign(text.replace(/class=(["'])expression\1/g, ''))
    known.set(text, (blocks = read.map(withoutHeading)))
  }
  return page.blocks(blocks)
}

function withoutHeading(block: Block): Block {
  if (block.type !== 'heading') return block
  const children = block.children.map((inline) =>
    inline.type === 'text'
      ? { ...inline, marks: [{ type: 'bold' } as const, ...(inline.marks ?? [])] }
      : inline,
  )
  return { type: 'paragraph', span: block.span, children }
}

/**
 * Markdown descriptions of specifications. Their HTML is sanitised as on any page; headings become bold lines, because
 * the page has its own.
 */
import type { Block } from '../../core/document/types.js'
import { parseForeign } from '../../core/markdown/parse.js'
import { html, type Html } from '../html.js'
import type { RenderContext, PageRenderer } from './context.js'

/** Most descriptions are plain sentences, and need no parser. */
const plain = /^[^\n*_`<>[\]#|~\\&!:@{}$]*$/
/** Characters that cost a step. */
const perStep = 20

/** Cache by context: a page is rendered once more when its deferred fragments are done. */
const parsed = new WeakMap<RenderContext, Map<string, readonly Block[]>>()

export function renderDescription(text: string | undefined, page: PageRenderer): Html | false {
  if (text === undefined) return false
  page.spend('steps', 1 + text.length / perStep)
  if (plain.test(text)) return html`<p>${text}</p>`
  let cache = parsed.get(page.context)
  if (cache === undefined) parsed.set(page.context, (cache = new Map()))
  let blocks = cache.get(text)
  if (blocks === undefined) {
    // Expressions have their own class in our dialect; specifications have none.
    const { blocks: read } = parseForeign(text.replace(/class=(["'])expression\1/g, ''))
    cache.set(text, (blocks = read.map(withoutHeading)))
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

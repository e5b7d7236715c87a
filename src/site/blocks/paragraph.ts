/** Paragraphs. */
import type { Paragraph } from '../../core/document/types.js'
import { attributes, html, type Html } from '../html.js'
import type { PageRenderer } from './context.js'

/** A `p` with its alignment. */
export function renderParagraph(block: Paragraph, page: PageRenderer): Html {
  const align = block.align === undefined || block.align === 'start' ? undefined : `align-${block.align}`
  return html`<p${attributes({ class: align, dir: page.context.direction })}>${page.inlines(block.children)}</p>\n`
}

/** Expandable content, opened by the browser natively; find-in-page opens it too. */
import type { Expandable } from '../../core/document/types.js'
import { attributes, html, type Html } from '../html.js'
import type { PageRenderer } from './context.js'
import { icon } from './icons.js'

/** A `details` element with its anchor. */
export function renderExpandable(block: Expandable, page: PageRenderer): Html {
  const own = attributes({ class: 'expandable', id: page.anchor(block.anchor), open: block.open })
  return html`<details${own}>
    <summary>${icon('chevron-right')}<span>${page.aliases(block.aliases)}${page.inlines(block.title)}</span></summary>
    <div class="expandable-body">
${page.blocks(block.blocks)}</div></details>\n`
}

/** Content that opens on demand; the browser does it, and a search in the page opens it too. */
import type { Expandable } from '../../core/document/types.js'
import { attributes, html, type Html } from '../html.js'
import type { Rendering } from './context.js'
import { icon } from './icons.js'

/** A `details` element that its anchor names. */
export function renderExpandable(block: Expandable, page: Rendering): Html {
  const own = attributes({ class: 'expandable', id: page.anchor(block.anchor), open: block.open })
  return html`<details${own}>
    <summary>${icon('chevron-right')}<span>${page.aliases(block.aliases)}${page.inlines(block.title)}</span></summary>
    <div class="expandable-body">
${page.blocks(block.blocks)}</div></details>\n`
}

/** A quotation. */
import type { Blockquote } from '../../core/document/types.js'
import { html, type Html } from '../html.js'
import type { PageRenderer } from './context.js'

/** A `blockquote` with its blocks. */
export function renderBlockquote(block: Blockquote, page: PageRenderer): Html {
  return html`<blockquote>${page.blocks(block.blocks)}</blockquote>\n`
}

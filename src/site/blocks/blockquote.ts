/** A quotation. */
import type { Blockquote } from '../../core/document/types.js'
import { html, type Html } from '../html.js'
import type { Rendering } from './context.js'

/** A `blockquote` with its blocks. */
export function renderBlockquote(block: Blockquote, page: Rendering): Html {
  return html`<blockquote>${page.blocks(block.blocks)}</blockquote>\n`
}

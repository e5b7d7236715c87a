/** A drawing, as the picture that its editor saved. */
import type { Drawing } from '../../core/document/types.js'
import { html, type Html } from '../html.js'
import type { PageRenderer } from './context.js'
import { renderImage } from './images.js'

/** A figure with the picture. */
export function renderDrawing(block: Drawing, page: PageRenderer): Html {
  return html`<div class="images drawing"><figure>${renderImage(block, page, { place: 'column' })}</figure></div>\n`
}

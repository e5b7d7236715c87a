/** A thematic break. */
import { html, type Html } from '../html.js'

/** An `hr`. */
export function renderDivider(): Html {
  return html`<hr>\n`
}

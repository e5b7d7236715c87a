/** Numbered steps as a list; the style sheet draws the numbers. */
import type { Stepper } from '../../core/document/types.js'
import { html, type Html, nothing } from '../html.js'
import type { PageRenderer } from './context.js'
import { icon } from './icons.js'

/** An `ol` of steps; an icon replaces the number of a step. */
export function renderStepper(block: Stepper, page: PageRenderer): Html {
  return html`<ol class="stepper" role="list">
    ${block.steps.map((step) => {
      const sign = icon(step.icon)
      return html`<li${sign !== nothing && html` class="with-icon"`}>
        ${sign !== nothing && html`<span class="step-icon">${sign}</span>`}
        <div class="step-body">${page.blocks(step.blocks)}</div>
      </li>\n`
    })}
  </ol>\n`
}

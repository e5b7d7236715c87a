/** Steps in their order; the numbers are made by the style sheet from a true list. */
import type { Stepper } from '../../core/document/types.js'
import { html, type Html, nothing } from '../html.js'
import type { Rendering } from './context.js'
import { icon } from './icons.js'

/** An `ol` of steps; a step with an icon shows it instead of its number. */
export function renderStepper(block: Stepper, page: Rendering): Html {
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

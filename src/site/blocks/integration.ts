/** Placeholder of an integration block: its name and properties. Integrations are not executed. */
import type { Integration } from '../../core/document/types.js'
import { attributes, html, type Html } from '../html.js'
import { icon } from './icons.js'
import { safeUrl } from './safe-url.js'

/** A labelled box with the block's properties; those that are web addresses are links. */
export function renderIntegration(block: Integration): Html {
  const properties = Object.entries(block.props)
  return html`<div class="integration">
    <p class="box-title">
      ${icon('puzzle')}<strong>${block.integration}</strong> <span>${block.block}</span>
    </p>
    ${
      properties.length > 0 &&
      html`<dl>
        ${properties.map(
          ([name, value]) =>
            html`<div>
              <dt>${name}</dt>
              <dd>${propertyValue(value)}</dd>
            </div>`,
        )}
      </dl>`
    }
  </div>\n`
}

function propertyValue(value: string): Html {
  if (!/^https?:\/\//i.test(value)) return html`${value}`
  return html`<a${attributes({ href: safeUrl(value), rel: 'noopener' })}>${value}</a>`
}

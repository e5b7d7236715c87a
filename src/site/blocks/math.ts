/**
 * Formulas as MathML, which browsers set themselves: no font, no script, no picture.
 *
 * A formula that cannot be read is shown as it was written. Inline styles are taken out, because the
 * page's content policy refuses them: colours become attributes.
 */
import temml from 'temml'
import type { InlineMath, Math as MathBlock } from '../../core/document/types.js'
import { html, type Html, trusted } from '../html.js'

/** Characters; Temml is linear, but a formula of this length is no formula. */
const longest = 10_000

/** A formula that stands alone, in the middle, scrolling inside itself when it is wide. */
export function renderMath(block: MathBlock): Html {
  return html`<div class="math" tabindex="0">${mathMarkup(block.formula, true)}</div>`
}

/** A formula inside a line. */
export function renderInlineMath(inline: InlineMath): Html {
  return mathMarkup(inline.formula, false)
}

function mathMarkup(formula: string, displayMode: boolean): Html {
  if (formula.length <= longest) {
    try {
      // No `trust`: \href, \includegraphics and the like are errors, so nothing in here can lead anywhere.
      const markup = temml.renderToString(formula, {
        displayMode,
        throwOnError: true,
        maxExpand: 500,
        maxSize: [20, 20],
      })
      return trusted(withoutStyles(markup))
    } catch {
      // Shown below as it was written.
    }
  }
  return html`<code class="math-source" title="This formula could not be read">${formula}</code>`
}

function withoutStyles(markup: string): string {
  return markup.replace(/ style="([^"]*)"/g, (_, style: string) => {
    const color = /(?:^|;)\s*color:\s*(#[0-9a-f]{3,8}|[a-z]+)/i.exec(style)?.[1]
    const background = /background-color:\s*(#[0-9a-f]{3,8}|[a-z]+)/i.exec(style)?.[1]
    return (
      (color === undefined ? '' : ` mathcolor="${color}"`) +
      (background === undefined ? '' : ` mathbackground="${background}"`)
    )
  })
}

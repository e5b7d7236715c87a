/**
 * Formulas as MathML, which browsers render natively: no font, no script, no picture.
 *
 * A formula that cannot be parsed is rendered as its source. Inline styles are removed, because the content security
 * policy refuses them: colours become attributes.
 */
import temml from 'temml'
import type { InlineMath, Math as MathBlock } from '../../core/document/types.js'
import { html, type Html, trusted } from '../html.js'
import type { PageRenderer } from './context.js'

/** Characters: a letter takes at most a hundred, so longer markup is a macro expansion. */
const maxMarkupLength = 1_000_000

/** A display formula, centred; wide ones scroll. */
export function renderMath(block: MathBlock, page: PageRenderer): Html {
  return html`<div class="math" tabindex="0">${renderFormula(block, true, page)}</div>`
}

/** An inline formula. */
export function renderInlineMath(inline: InlineMath, page: PageRenderer): Html {
  return renderFormula(inline, false, page)
}

function renderFormula(owner: MathBlock | InlineMath, display: boolean, page: PageRenderer): Html {
  const { formula } = owner
  const markup = page.renderFragment(owner, { kind: 'formula', text: formula, display })
  return markup === undefined
    ? html`<code class="math-source" title="This formula could not be read">${formula}</code>`
    : trusted(markup)
}

/** Returns the formula as MathML; undefined if it cannot be parsed, or the markup is too long. */
export function formulaMarkup(formula: string, displayMode: boolean): string | undefined {
  try {
    // No `trust`: \href, \includegraphics and the like are errors, so that a formula contains no links.
    const markup = temml.renderToString(formula, {
      displayMode,
      throwOnError: true,
      maxExpand: 500,
      maxSize: [20, 20],
    })
    return markup.length <= maxMarkupLength ? withoutStyles(markup) : undefined
  } catch {
    return undefined
  }
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

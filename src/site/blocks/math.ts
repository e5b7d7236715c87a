/**
 * Formulas as MathML, which browsers set themselves: no font, no script, no picture.
 *
 * A formula that cannot be read is shown as it was written. Inline styles are taken out, because the
 * page's content policy refuses them: colours become attributes.
 */
import temml from 'temml'
import type { InlineMath, Math as MathBlock } from '../../core/document/types.js'
import { html, type Html, trusted } from '../html.js'
import type { Rendering } from './context.js'

/** Characters: a letter takes a hundred at most, so this is what macros make of themselves. */
const longestMarkup = 1_000_000

/** A formula that stands alone, in the middle, scrolling inside itself when it is wide. */
export function renderMath(block: MathBlock, page: Rendering): Html {
  return html`<div class="math" tabindex="0">${shown(block, true, page)}</div>`
}

/** A formula inside a line. */
export function renderInlineMath(inline: InlineMath, page: Rendering): Html {
  return shown(inline, false, page)
}

function shown(owner: MathBlock | InlineMath, display: boolean, page: Rendering): Html {
  const { formula } = owner
  const markup = page.piece(owner, { kind: 'formula', text: formula, display })
  return markup === undefined
    ? html`<code class="math-source" title="This formula could not be read">${formula}</code>`
    : trusted(markup)
}

/** The formula as MathML; undefined when it cannot be read, or becomes far longer than it was written. */
export function formulaMarkup(formula: string, displayMode: boolean): string | undefined {
  try {
    // No `trust`: \href, \includegraphics and the like are errors, so nothing in here can lead anywhere.
    const markup = temml.renderToString(formula, {
      displayMode,
      throwOnError: true,
      maxExpand: 500,
      maxSize: [20, 20],
    })
    return markup.length <= longestMarkup ? withoutStyles(markup) : undefined
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

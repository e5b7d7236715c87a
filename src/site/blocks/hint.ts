/** A hint: something beside the text that matters; its kind is said by icon, colour and a hidden word alike. */
import type { Hint, HintStyle } from '../../core/document/types.js'
import { html, type Html, nothing } from '../html.js'
import type { Rendering } from './context.js'
import { icon, knownIcon } from './icons.js'

const looks: Readonly<Record<HintStyle, { readonly icon: string; readonly word: string }>> = {
  info: { icon: 'info', word: 'Note' },
  success: { icon: 'circle-check', word: 'Tip' },
  warning: { icon: 'triangle-alert', word: 'Warning' },
  danger: { icon: 'octagon-alert', word: 'Danger' },
}

/** An aside of the hint's style. */
export function renderHint(block: Hint, page: Rendering): Html {
  const look = looks[block.style]
  const chosen = knownIcon(block.icon)
  return html`<div class="hint hint-${block.style}" role="note" aria-label="${look.word}">
    ${chosen === nothing ? icon(look.icon) : chosen}
    <div class="hint-body">${page.blocks(block.blocks)}</div>
  </div>\n`
}

/** A hint: something beside the text that matters; its kind is said by icon, colour and a hidden word alike. */
import type { Hint, HintStyle } from '../../core/document/types.js'
import { html, type Html, nothing } from '../html.js'
import type { Rendering } from './context.js'
import { icon, knownIcon } from './icons.js'

const icons: Readonly<Record<HintStyle, string>> = {
  info: 'info',
  success: 'circle-check',
  warning: 'triangle-alert',
  danger: 'octagon-alert',
}

/** An aside of the hint's style. */
export function renderHint(block: Hint, page: Rendering): Html {
  const chosen = knownIcon(block.icon)
  return html`<div class="hint hint-${block.style}" role="note" aria-label="${hintWord(block.style, page)}">
    ${chosen === nothing ? icon(icons[block.style]) : chosen}
    <div class="hint-body">${page.blocks(block.blocks)}</div>
  </div>\n`
}

function hintWord(style: HintStyle, { words }: Rendering): string {
  switch (style) {
    case 'info':
      return words.info
    case 'success':
      return words.success
    case 'warning':
      return words.warning
    case 'danger':
      return words.danger
  }
}

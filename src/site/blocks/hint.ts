/** Hints (callouts): an icon, a colour and a visually hidden word each name the style. */
import type { Hint, HintStyle } from '../../core/document/types.js'
import { html, type Html, nothing } from '../html.js'
import type { PageRenderer } from './context.js'
import { icon, knownIcon } from './icons.js'

const icons: Readonly<Record<HintStyle, string>> = {
  info: 'info',
  success: 'circle-check',
  warning: 'triangle-alert',
  danger: 'octagon-alert',
}

/** The hint with the icon and colour of its style. */
export function renderHint(block: Hint, page: PageRenderer): Html {
  const chosen = knownIcon(block.icon)
  return html`<div class="hint hint-${block.style}" role="note" aria-label="${hintWord(block.style, page)}">
    ${chosen === nothing ? icon(icons[block.style]) : chosen}
    <div class="hint-body">${page.blocks(block.blocks)}</div>
  </div>\n`
}

function hintWord(style: HintStyle, { words }: PageRenderer): string {
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

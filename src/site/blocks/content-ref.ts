/** Another page, as a card with its title and description. */
import type { ContentRef } from '../../core/document/types.js'
import { html, type Html } from '../html.js'
import { renderCardLine } from './card-line.js'
import type { PageRenderer } from './context.js'
import { emojiText, icon } from './icons.js'
import { hostOf, safeUrl } from './safe-url.js'

/** A card with a link to the page; the label if the page is unknown. */
export function renderContentRef(block: ContentRef, page: PageRenderer): Html {
  const target = page.context.link(block.url)
  const href = target.broken === true ? undefined : safeUrl(target.href)
  const emoji = emojiText(target.page?.emoji ?? '')
  const sign =
    emoji === ''
      ? icon(target.page?.icon ?? (target.external === true ? 'globe' : 'file-text'))
      : html`<span class="emoji">${emoji}</span>`
  const title = target.page?.title ?? (block.label === '' ? block.url : block.label)
  const detail = target.page?.description ?? (target.external === true ? hostOf(target.href) : undefined)
  return html`<p class="reference">${renderCardLine({ href, sign, title, detail, end: 'chevron-right' })}</p>\n`
}

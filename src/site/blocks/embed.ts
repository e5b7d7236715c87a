/**
 * Embeds of other sites, as a card with a link.
 *
 * No frame: reading a page does not send requests to other hosts. Videos and audio among the files of
 * the space play in place.
 */
import { providerName } from '../../core/links/embeds.js'
import type { Embed } from '../../core/document/types.js'
import { html, type Html } from '../html.js'
import { renderCardLine } from './card-line.js'
import type { PageRenderer } from './context.js'
import { renderMedia } from './file.js'
import { icon } from './icons.js'
import { hostOf, lastPart, safeUrl } from './safe-url.js'

/** Icons of well-known providers, by their names. */
const icons: ReadonlyMap<string, string> = new Map([
  ['YouTube', 'play'],
  ['Vimeo', 'play'],
  ['Loom', 'play'],
  ['Spotify', 'music'],
  ['Figma', 'figma'],
  ['CodePen', 'code'],
  ['CodeSandbox', 'code'],
  ['GitHub', 'github'],
  ['GitHub Gist', 'github'],
  ['Google Docs', 'file-text'],
  ['Miro', 'presentation'],
])

/** A player, or a card with the host and the caption as its title. */
export function renderEmbed(block: Embed, page: PageRenderer): Html {
  const caption = block.caption.length > 0 && page.inlines(block.caption)
  const player = renderMedia(block.url, page)
  if (player !== undefined) {
    return html`<figure class="attachment">
      ${player}${caption !== false && html`<figcaption>${caption}</figcaption>`}
    </figure>\n`
  }
  const href = safeUrl(page.context.link(block.url).href)
  const host = hostOf(block.url) ?? ''
  const name = providerName(host) ?? host
  const image = icons.get(name) ?? 'link'
  const card = renderCardLine({
    href,
    sign: icon(image),
    title: name === '' ? lastPart(block.url) : name,
    detail: block.url.replace(/^https?:\/\/(?:www\.)?/, ''),
    end: 'arrow-up-right',
    rel: 'noopener noreferrer',
  })
  // The caption can contain links, so it is below the card, not inside.
  return html`<figure class="attachment">
    ${card}${caption !== false && html`<figcaption>${caption}</figcaption>`}
  </figure>\n`
}

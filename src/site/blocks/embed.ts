/**
 * Embeds of other sites, as a card with a link.
 *
 * No frame: reading a page does not send requests to other hosts. Videos and audio among the files of
 * the space play in place.
 */
import type { Embed } from '../../core/document/types.js'
import { html, type Html } from '../html.js'
import { renderCardLine } from './card-line.js'
import type { PageRenderer } from './context.js'
import { renderMedia } from './file.js'
import { icon } from './icons.js'
import { hostOf, lastPart, safeUrl } from './safe-url.js'

/** Names and icons of well-known hosts. */
const knownHosts: Readonly<Record<string, readonly [name: string, icon: string]>> = {
  'youtube.com': ['YouTube', 'play'],
  'youtu.be': ['YouTube', 'play'],
  'vimeo.com': ['Vimeo', 'play'],
  'loom.com': ['Loom', 'play'],
  'open.spotify.com': ['Spotify', 'music'],
  'figma.com': ['Figma', 'figma'],
  'codepen.io': ['CodePen', 'code'],
  'codesandbox.io': ['CodeSandbox', 'code'],
  'github.com': ['GitHub', 'github'],
  'gist.github.com': ['GitHub Gist', 'github'],
  'docs.google.com': ['Google Docs', 'file-text'],
  'miro.com': ['Miro', 'presentation'],
}

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
  const [name, image] = Object.hasOwn(knownHosts, host)
    ? (knownHosts[host] as readonly [string, string])
    : [host, 'link']
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

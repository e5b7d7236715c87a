/** Embeds of other sites for external renderers, from the address alone: a card, or the frame of a known provider. */
import { describeEmbed } from '../../core/links/embeds.js'
import { ApiError } from '../../contract/errors.js'
import type { Embed } from '../../contract/embeds.js'
import { html } from '../html.js'

/** Returns what is shown in place of an address; throws 400 for another text. */
export function presentEmbed(url: string): Embed {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new ApiError('invalid_request', {
      problem: 'The member "query.url" must be an http or https address.',
    })
  const { title, site, frame } = describeEmbed(url)
  if (frame === undefined) return { type: 'link', title, site }
  const markup = html`<iframe
    src="${frame}"
    title="${site}"
    loading="lazy"
    allow="fullscreen; picture-in-picture; encrypted-media"
    referrerpolicy="strict-origin-when-cross-origin"
    style="border:0;width:100%;aspect-ratio:16/9"
  ></iframe>`
  return { type: 'rich', title, site, html: markup.toString(), embedUrl: frame }
}

/** `llms.txt`: the pages of a site as a list of links to their Markdown. */
import { languageOf, nameOfLanguage } from '../routing/languages.js'
import { belowBase } from '../routing/linker.js'
import { isReadable } from '../routing/destination.js'
import type { VisibleContent } from '../pages/content.js'
import { titleInLists } from '../pages/navigation.js'
import { type PublishedSite, type Variant, tabOf } from '../routing/site.js'
import { markdownLink, singleLine } from './markdown-link.js'
import { type ContentWithTree, mapInBatches, crawlablePages } from './listed-pages.js'

export interface Llms {
  readonly site: PublishedSite
  /** The variant at whose root it is requested; undefined on a site without spaces. */
  readonly variant: Variant | undefined
  /** Of one language, in order. */
  readonly contents: readonly ContentWithTree[]
  /** The first variant of every other language. */
  readonly others: readonly Variant[]
}

/** Returns the text: the site's title, a heading and a list per variant, then links to the lists of other languages. */
export async function formatLlms({ site, variant, contents, others }: Llms): Promise<string> {
  const parts = [`# ${singleLine(site.customization.title ?? site.title)}\n`]
  if (variant !== undefined) {
    const whole = `${site.url}${belowBase(variant)}llms-full.txt`
    parts.push(`> The text of all pages: ${markdownLink('llms-full.txt', whole)}\n`)
  }
  for (const content of contents) {
    const lines = await mapInBatches(crawlablePages(content), ({ page }) => {
      if (!isReadable(page)) return undefined
      const { linker } = content.visible
      const description = page.type === 'document' ? page.description : undefined
      const link = markdownLink(titleInLists(page), linker.absolute(linker.markdown(page)))
      return `- ${link}${description === undefined ? '' : `: ${singleLine(description)}`}`
    })
    parts.push(`## ${singleLine(headingOf(content.visible))}\n`, `${lines.join('\n')}\n`)
  }
  if (others.length > 0) {
    const lines = others.map((other) => {
      const language = languageOf(other)
      return `- ${markdownLink(nameOfLanguage(language) ?? language, `${site.url}${belowBase(other)}llms.txt`)}`
    })
    parts.push('## Other languages\n', `${lines.join('\n')}\n`)
  }
  return parts.join('\n')
}

/** The title of its tab, with the variant's title for those that are not the default. */
function headingOf({ site, variant }: VisibleContent): string {
  const tab = tabOf(site.tabs, variant)
  if (tab === undefined) return variant.title
  return variant.isDefault ? tab : `${tab}: ${variant.title}`
}

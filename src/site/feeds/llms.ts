/** `llms.txt`: what a site holds, as a list of links that programs follow to the pages' Markdown. */
import { languageOf, nameOfLanguage } from '../routing/languages.js'
import { belowBase } from '../routing/linker.js'
import { isReadable } from '../routing/destination.js'
import type { ShownContent } from '../pages/content.js'
import { titleInLists } from '../pages/navigation.js'
import { type ShownSite, type Variant, tabOf } from '../routing/site.js'
import { linkTo, oneLine } from './markdown-link.js'
import { type WholeContent, inSteps, pagesForRobots } from './listed-pages.js'

export interface Llms {
  readonly site: ShownSite
  /** Where the list is asked for; undefined on a site that shows nothing. */
  readonly variant: Variant | undefined
  /** Of one language, in their order. */
  readonly contents: readonly WholeContent[]
  /** The first variant of every other language. */
  readonly others: readonly Variant[]
}

/** Returns the text: the site's title, then a heading and a list for each variant, then the lists of other languages. */
export async function formatLlms({ site, variant, contents, others }: Llms): Promise<string> {
  const parts = [`# ${oneLine(site.customization.title ?? site.title)}\n`]
  if (variant !== undefined) {
    const whole = `${site.url}${belowBase(variant)}llms-full.txt`
    parts.push(`> The text of all pages: ${linkTo('llms-full.txt', whole)}\n`)
  }
  for (const content of contents) {
    const lines = await inSteps(pagesForRobots(content), ({ page }) => {
      if (!isReadable(page)) return undefined
      const { linker } = content.shown
      const description = page.type === 'document' ? page.description : undefined
      const link = linkTo(titleInLists(page), linker.absolute(linker.markdown(page)))
      return `- ${link}${description === undefined ? '' : `: ${oneLine(description)}`}`
    })
    parts.push(`## ${oneLine(headingOf(content.shown))}\n`, `${lines.join('\n')}\n`)
  }
  if (others.length > 0) {
    const lines = others.map((other) => {
      const language = languageOf(other)
      return `- ${linkTo(nameOfLanguage(language) ?? language, `${site.url}${belowBase(other)}llms.txt`)}`
    })
    parts.push('## Other languages\n', `${lines.join('\n')}\n`)
  }
  return parts.join('\n')
}

/** The title of its tab, and beside others there that of the variant. */
function headingOf({ site, variant }: ShownContent): string {
  const tab = tabOf(site.tabs, variant)
  if (tab === undefined) return variant.title
  return variant.isDefault ? tab : `${tab}: ${variant.title}`
}

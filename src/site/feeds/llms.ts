/** `llms.txt`: what a site holds, as a list of links that programs follow to the pages' Markdown. */
import { isReadable } from '../routing/destination.js'
import type { ShownContent } from '../pages/content.js'
import { titleInLists } from '../pages/navigation.js'
import { tabOf } from '../routing/site.js'
import { type WholeContent, pagesForRobots } from './sitemap.js'

/** Returns the text: the site's title, then a heading and a list for each variant. */
export function formatLlms(title: string, contents: readonly WholeContent[]): string {
  const parts = contents.map(({ shown, tree }) => {
    const lines: string[] = []
    for (const { page } of pagesForRobots(shown, tree)) {
      if (!isReadable(page)) continue
      const description = page.type === 'document' ? page.description : undefined
      const link = `[${plain(titleInLists(page)).replace(/[[\]\\]/g, '\\$&')}](${shown.linker.absolute(shown.linker.markdown(page))})`
      lines.push(`- ${link}${description === undefined ? '' : `: ${plain(description)}`}`)
    }
    return `## ${plain(headingOf(shown))}\n\n${lines.join('\n')}\n`
  })
  return `# ${plain(title)}\n\n${parts.join('\n')}`
}

/** The title of its tab, and beside others there that of the variant. */
function headingOf({ site, variant }: ShownContent): string {
  const tab = tabOf(site.tabs, variant)
  if (tab === undefined) return variant.title
  return variant.isDefault ? tab : `${tab}: ${variant.title}`
}

/** On one line. */
function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** What programs get for an address that names no page: a note in Markdown that names those most like it. */
import { titleInLists } from '../pages/navigation.js'
import type { SimilarPage } from '../pages/similar.js'
import type { ShownSite } from '../routing/site.js'
import { linkTo } from './markdown-link.js'

/** Returns the note. The address itself is not repeated: it is a stranger's text. */
export function formatMissing(site: ShownSite, similar: readonly SimilarPage[]): string {
  const lines = similar.map(({ shown, page }) => {
    return `- ${linkTo(titleInLists(page), shown.linker.absolute(shown.linker.markdown(page)))}`
  })
  const told = lines.length === 0 ? '' : `Pages with similar addresses:\n\n${lines.join('\n')}\n\n`
  return `# Page not found\n\nThere is no page at this address. It may have been moved or deleted.\n\n${told}All pages: ${linkTo('llms.txt', `${site.url}llms.txt`)}\n`
}

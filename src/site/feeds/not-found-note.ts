/** Markdown note for a missing page, with pages of similar addresses. */
import { titleInLists } from '../pages/navigation.js'
import type { SimilarPage } from '../pages/similar.js'
import type { PublishedSite } from '../routing/site.js'
import { markdownLink } from './markdown-link.js'

/** Returns the note. It does not contain the requested address, which is untrusted text. */
export function formatNotFoundNote(site: PublishedSite, similar: readonly SimilarPage[]): string {
  const lines = similar.map(({ visible, page }) => {
    return `- ${markdownLink(titleInLists(page), visible.linker.absolute(visible.linker.markdown(page)))}`
  })
  const suggestions = lines.length === 0 ? '' : `Pages with similar addresses:\n\n${lines.join('\n')}\n\n`
  return `# Page not found\n\nThere is no page at this address. It may have been moved or deleted.\n\n${suggestions}All pages: ${markdownLink('llms.txt', `${site.url}llms.txt`)}\n`
}

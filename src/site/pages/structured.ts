/** What a page tells search engines of itself as data: an article, and the way to it. */
import type { PageRecord } from '../../core/pages/types.js'
import type { PageView } from '../layout/view.js'
import { titleInLists } from './navigation.js'
import { type ShownContent, contentLanguage } from './content.js'

type Told = Pick<PageView, 'title' | 'description' | 'summary' | 'canonical' | 'updatedAt' | 'previewImage'>

/** Returns the data as JSON-LD; `above` are the pages above that the reader may have, the topmost first. */
export function structuredData(
  shown: ShownContent,
  { title, description, summary, canonical, updatedAt, previewImage }: Told,
  above: readonly PageRecord[],
): object {
  const { site, linker } = shown
  const about = description || summary
  const article = {
    '@type': 'TechArticle',
    headline: title,
    ...(about !== undefined && { description: about }),
    url: canonical,
    inLanguage: contentLanguage(shown),
    ...(previewImage !== undefined && { image: previewImage }),
    ...(updatedAt !== undefined && { dateModified: new Date(updatedAt).toISOString() }),
    isPartOf: { '@type': 'WebSite', name: site.customization.title ?? site.title, url: site.url },
  }
  // A group has no address, and is no step for a program.
  const steps = above.flatMap((page) =>
    page.type === 'group' || page.type === 'link'
      ? []
      : [{ name: titleInLists(page), item: linker.canonical(page) }],
  )
  const way = [...steps, { name: title, item: canonical }].map((step, index) => {
    return { '@type': 'ListItem', position: index + 1, ...step }
  })
  const crumbs = { '@type': 'BreadcrumbList', itemListElement: way }
  return { '@context': 'https://schema.org', '@graph': steps.length === 0 ? [article] : [article, crumbs] }
}

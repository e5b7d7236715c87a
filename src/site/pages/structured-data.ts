/** Structured data (JSON-LD) of a page for search engines: an article and its breadcrumb trail. */
import type { PageRecord } from '../../core/pages/types.js'
import type { PageView } from '../layout/view.js'
import { titleInLists } from './navigation.js'
import { type VisibleContent, contentLanguage } from './content.js'

type ArticleFields = Pick<
  PageView,
  'title' | 'description' | 'summary' | 'canonical' | 'updatedAt' | 'previewImage'
>

/** Returns the data as JSON-LD; `above` are the open pages above, the topmost first. */
export function structuredData(
  visible: VisibleContent,
  { title, description, summary, canonical, updatedAt, previewImage }: ArticleFields,
  above: readonly PageRecord[],
): object {
  const { site, linker } = visible
  const about = description || summary
  const article = {
    '@type': 'TechArticle',
    headline: title,
    ...(about !== undefined && { description: about }),
    url: canonical,
    inLanguage: contentLanguage(visible),
    ...(previewImage !== undefined && { image: previewImage }),
    ...(updatedAt !== undefined && { dateModified: new Date(updatedAt).toISOString() }),
    isPartOf: { '@type': 'WebSite', name: site.customization.title ?? site.title, url: site.url },
  }
  // Groups have no address, so they are left out of the trail.
  const steps = above.flatMap((page) =>
    page.type === 'group' || page.type === 'link'
      ? []
      : [{ name: titleInLists(page), item: linker.canonical(page) }],
  )
  const trail = [...steps, { name: title, item: canonical }].map((step, index) => {
    return { '@type': 'ListItem', position: index + 1, ...step }
  })
  const crumbs = { '@type': 'BreadcrumbList', itemListElement: trail }
  return { '@context': 'https://schema.org', '@graph': steps.length === 0 ? [article] : [article, crumbs] }
}

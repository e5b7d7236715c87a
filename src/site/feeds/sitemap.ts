/** The pages of a site for crawlers: `sitemap.xml`. Pages that are hidden, or kept from crawlers, are left out. */
import type { PageNode } from '../../core/pages/read.js'
import { escapeHtml } from '../html.js'
import { isForRobots } from '../pages/page.js'
import { type ShownContent, isListed } from '../pages/content.js'
import { isReadable } from '../routing/destination.js'

/** What the format allows in one file. */
const mostAddresses = 50_000

export interface WholeContent {
  readonly shown: ShownContent
  readonly tree: readonly PageNode[]
}

/** Returns the XML; a page far down counts for less, as readers find it last. */
export function formatSitemap(contents: readonly WholeContent[]): string {
  const entries: string[] = []
  for (const { shown, tree } of contents) {
    for (const { page, depth } of pagesForRobots(shown, tree)) {
      if (entries.length === mostAddresses) break
      if (!isReadable(page)) continue
      const changed = page.updatedAt === undefined ? '' : new Date(page.updatedAt).toISOString()
      entries.push(
        `<url><loc>${escapeHtml(shown.linker.canonical(page))}</loc>${changed && `<lastmod>${changed}</lastmod>`}<priority>${(2 ** (-0.25 * depth)).toFixed(2)}</priority></url>`,
      )
    }
  }
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join('\n')}\n</urlset>\n`
}

/** Walks the pages that anybody may find, in reading order; a page that is left out takes its subpages along. */
export function* pagesForRobots(
  shown: ShownContent,
  nodes: readonly PageNode[],
  depth = 0,
): Generator<{ page: PageNode['page']; depth: number }> {
  for (const { page, children } of nodes) {
    if (!isListed(shown, page) || !isForRobots(page)) continue
    yield { page, depth }
    yield* pagesForRobots(shown, children, depth + 1)
  }
}

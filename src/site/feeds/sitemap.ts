/**
 * XML sitemaps: `sitemap.xml` is an index with one sitemap per variant, `sitemap-pages.xml`. Hidden and noindex pages are
 * left out.
 */
import { escapeHtml } from '../html.js'
import { isReadable } from '../routing/destination.js'
import { belowBase } from '../routing/linker.js'
import type { PublishedSite } from '../routing/site.js'
import { type ContentWithTree, mapInBatches, crawlablePages } from './listed-pages.js'

/** Limit of the format per file. */
const maxUrls = 50_000
const head = '<?xml version="1.0" encoding="UTF-8"?>\n'
const space = 'http://www.sitemaps.org/schemas/sitemap/0.9'

/** Returns the sitemap index, without hidden variants. */
export function formatSitemapIndex({ url, variants }: PublishedSite): string {
  const entries = variants
    .filter(({ isHidden }) => !isHidden)
    .map((one) => `<sitemap><loc>${escapeHtml(`${url}${belowBase(one)}sitemap-pages.xml`)}</loc></sitemap>`)
  return `${head}<sitemapindex xmlns="${space}">\n${entries.join('\n')}\n</sitemapindex>\n`
}

/** Returns the sitemap of one variant; the priority falls with the depth of a page. */
export async function formatSitemap(content: ContentWithTree): Promise<string> {
  const { linker } = content.visible
  const entries = await mapInBatches(crawlablePages(content), ({ page, depth }) => {
    if (!isReadable(page)) return undefined
    const changed = page.updatedAt === undefined ? '' : new Date(page.updatedAt).toISOString()
    return `<url><loc>${escapeHtml(linker.canonical(page))}</loc>${changed && `<lastmod>${changed}</lastmod>`}<priority>${(2 ** (-0.25 * depth)).toFixed(2)}</priority></url>`
  })
  return `${head}<urlset xmlns="${space}">\n${entries.slice(0, maxUrls).join('\n')}\n</urlset>\n`
}

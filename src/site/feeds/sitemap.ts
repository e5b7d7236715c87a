/**
 * The pages of a site for crawlers: `sitemap.xml` names a map for each variant, `sitemap-pages.xml` is such a map. Pages
 * that are hidden, or kept from crawlers, are in none.
 */
import { escapeHtml } from '../html.js'
import { isReadable } from '../routing/destination.js'
import { belowBase } from '../routing/linker.js'
import type { ShownSite } from '../routing/site.js'
import { type WholeContent, inSteps, pagesForRobots } from './listed-pages.js'

/** What the format allows in one file. */
const mostAddresses = 50_000
const head = '<?xml version="1.0" encoding="UTF-8"?>\n'
const space = 'http://www.sitemaps.org/schemas/sitemap/0.9'

/** Returns the XML that names the maps; hidden variants are read by those who have their address. */
export function formatSitemapIndex({ url, variants }: ShownSite): string {
  const entries = variants
    .filter(({ isHidden }) => !isHidden)
    .map((one) => `<sitemap><loc>${escapeHtml(`${url}${belowBase(one)}sitemap-pages.xml`)}</loc></sitemap>`)
  return `${head}<sitemapindex xmlns="${space}">\n${entries.join('\n')}\n</sitemapindex>\n`
}

/** Returns the XML of one variant; a page far down counts for less, as readers find it last. */
export async function formatSitemap(content: WholeContent): Promise<string> {
  const { linker } = content.shown
  const entries = await inSteps(pagesForRobots(content), ({ page, depth }) => {
    if (!isReadable(page)) return undefined
    const changed = page.updatedAt === undefined ? '' : new Date(page.updatedAt).toISOString()
    return `<url><loc>${escapeHtml(linker.canonical(page))}</loc>${changed && `<lastmod>${changed}</lastmod>`}<priority>${(2 ** (-0.25 * depth)).toFixed(2)}</priority></url>`
  })
  return `${head}<urlset xmlns="${space}">\n${entries.slice(0, mostAddresses).join('\n')}\n</urlset>\n`
}

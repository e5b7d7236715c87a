/** What crawlers are told: `robots.txt` of a site, and of an origin that several sites share. */

/** Below the root of every variant: answers to programs, which are no pages. */
const notPages = ['*~octavo/search', '*~octavo/tree/']

/** Returns `robots.txt` of a site: everything may be crawled on a public one, nothing on any other. */
export function formatRobots(site: {
  readonly visibility: string
  readonly url: string
  readonly base: string
}): string {
  if (site.visibility !== 'public') return `User-agent: *\nDisallow: /\n`
  return format(
    notPages.map((path) => site.base + path),
    [site.url],
  )
}

/**
 * Returns `robots.txt` of an origin, with the maps of the public sites there. Of all others it says nothing: their
 * pages tell crawlers themselves, and their addresses are not for everybody.
 */
export function formatSharedRobots(closed: readonly string[], siteUrls: readonly string[]): string {
  return format([...closed, ...notPages.map((path) => `/${path}`)], siteUrls)
}

function format(closed: readonly string[], siteUrls: readonly string[]): string {
  const lines = [
    'User-agent: *',
    'Allow: /',
    ...closed.map((path) => `Disallow: ${path}`),
    ...siteUrls.map((url) => `Sitemap: ${url}sitemap.xml`),
  ]
  return `${lines.join('\n')}\n`
}

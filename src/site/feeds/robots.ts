/** `robots.txt` of a site, and of an origin that several sites share. */

/** Below the root of every variant: responses to programs, which are no pages. */
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
 * Returns `robots.txt` of an origin, with the sitemaps of its public sites. It does not name other sites: their pages
 * are noindex, and their addresses are not public.
 */
export function formatSharedRobots(disallowed: readonly string[], siteUrls: readonly string[]): string {
  return format([...disallowed, ...notPages.map((path) => `/${path}`)], siteUrls)
}

function format(disallowed: readonly string[], siteUrls: readonly string[]): string {
  const lines = [
    'User-agent: *',
    'Allow: /',
    ...disallowed.map((path) => `Disallow: ${path}`),
    ...siteUrls.map((url) => `Sitemap: ${url}sitemap.xml`),
  ]
  return `${lines.join('\n')}\n`
}

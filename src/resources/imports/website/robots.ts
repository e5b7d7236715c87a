/** robots.txt: which URLs may be fetched, the crawl delay, and the sitemaps. */
import parser from 'robots-parser'
import { type Remote, RemoteError } from '../../../store/remote/remote.js'

export interface Robots {
  mayFetch(url: URL): boolean
  /** Milliseconds between two requests; 0 when the site sets no delay. */
  readonly delay: number
  readonly sitemaps: readonly string[]
}

interface ParsedRobots {
  isAllowed(address: string, agent: string): boolean | undefined
  getCrawlDelay(agent: string): number | undefined
  getSitemaps(): string[]
}

/** The package's types declare a `default` export, which exists only in other module systems. */
const parseRobots = parser as unknown as (address: string, text: string) => ParsedRobots

/** Our user agent in robots.txt rules. */
const agent = 'Octavo'
/** Bytes. */
const maxFileBytes = 500_000
/** Maximum characters of a rule, and number of rules with wildcards: each is evaluated for each page. */
const maxRuleLength = 500
const maxWildcards = 100
/** Milliseconds; a longer delay would make an import take forever. */
const maxDelay = 10_000

/** Returns the rules of the site; a missing file allows everything. Throws RemoteError when the file cannot be read. */
export async function readRobots(remote: Remote, origin: string, signal: AbortSignal): Promise<Robots> {
  const address = `${origin}/robots.txt`
  const text = await remote.fetch(address, { maxBytes: maxFileBytes, timeout: 20_000, signal }).then(
    ({ bytes }) => Buffer.from(bytes).toString(),
    (error: unknown) => {
      const status = error instanceof RemoteError ? error.status : undefined
      if (status !== undefined && status >= 300 && status < 500 && status !== 429) return ''
      if (error instanceof RemoteError)
        throw new RemoteError(`its robots.txt cannot be read: ${error.message}`)
      throw error
    },
  )
  const robots = parseRobots(address, withinLimits(text))
  return {
    mayFetch: (url) => robots.isAllowed(url.href, agent) !== false,
    delay: Math.min(maxDelay, Math.max(0, (robots.getCrawlDelay(agent) ?? 0) * 1_000)),
    sitemaps: robots.getSitemaps(),
  }
}

function withinLimits(text: string): string {
  let wildcards = 0
  return text
    .split(/[\r\n]+/)
    .filter(
      (line) =>
        line.length <= maxRuleLength &&
        (!line.includes('*', line.indexOf('/')) || ++wildcards <= maxWildcards),
    )
    .join('\n')
}

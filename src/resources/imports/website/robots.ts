/** What a site asks of those who read it by program: where they may go, how fast, and where its sitemaps are. */
import parser from 'robots-parser'
import { type Remote, RemoteError } from '../../../store/remote/remote.js'

export interface Robots {
  mayFetch(url: URL): boolean
  /** Milliseconds between two requests; 0 where nothing is asked. */
  readonly delay: number
  readonly sitemaps: readonly string[]
}

interface ParsedRobots {
  isAllowed(address: string, agent: string): boolean | undefined
  getCrawlDelay(agent: string): number | undefined
  getSitemaps(): string[]
}

/** The types of the package say that it is in `default`, which it is for others only. */
const parseRobots = parser as unknown as (address: string, text: string) => ParsedRobots

/** What we are called where a site says what somebody may. */
const agent = 'Octavo'
/** Bytes. */
const maxFileBytes = 500_000
/** Characters of a rule, and rules with wildcards: each is looked at for each page. */
const maxRuleLength = 500
const maxWildcards = 100
/** Milliseconds; who asks for more would have an import of a year. */
const maxDelay = 10_000

/** Answers what the site asks; a file that is not there asks nothing. Throws RemoteError where nobody can know. */
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

/**
 * `octavo import --redirects`: lines of `source,destination[,permanent]` become redirects of a site. A destination is an
 * address, or a path of the site at which a page stands. All of them are one transaction; what is refused is told.
 */
import { readFile, stat } from 'node:fs/promises'
import { recordEvent } from '../../access/events/record.js'
import { unrestrictedReader } from '../../core/conditions/claim-reader.js'
import { limits } from '../../contract/limits.js'
import {
  type BulkRedirect,
  type RedirectDestination,
  isRedirectSource,
} from '../../contract/site-redirects.js'
import { putRedirects, redirectStepOf } from '../../resources/sites/bulk-redirects.js'
import { createLoopDetector, keyOfSource } from '../../resources/sites/redirect-patterns.js'
import { findSite } from '../../resources/sites/store.js'
import { openContent } from '../../site/pages/content.js'
import { findDestination } from '../../site/routing/destination.js'
import { matchPath } from '../../site/routing/match-path.js'
import { type PublishedSite, publishedSite } from '../../site/routing/site.js'
import { findSiteAnyhow } from './find-site.js'
import { parseCsv } from './csv.js'
import { CommandError, type Frame } from './command-context.js'

interface Line {
  readonly line: number
  readonly source: string
  readonly redirect?: BulkRedirect
  readonly problem?: string
}

/** Ways to write an address that lead to another way to write it. */
const mostHops = 3

export async function importRedirects(
  { database, services, report, now }: Frame,
  path: string,
  wanted: string,
): Promise<void> {
  const site = await findSiteAnyhow(database.read, wanted)
  if (site === undefined) throw new CommandError(`There is no site "${wanted}".`)
  const found = await stat(path).catch(() => undefined)
  if (found?.isFile() !== true) throw new CommandError(`There is no file ${path}.`)
  if (found.size > limits.bodyBytes)
    throw new CommandError(`${path} is larger than ${limits.bodyBytes} bytes.`)
  const records = parseCsv(await readFile(path, 'utf8')).filter(
    ({ values: [source = ''] }, at) => at > 0 || source.trim().toLowerCase() !== 'source',
  )
  if (records.length > limits.redirectsAtOnce)
    throw new CommandError(
      `${path} has ${records.length} lines: at most ${limits.redirectsAtOnce} are read at once.`,
    )

  const shown = publishedSite(services.addresses, site, {
    entryPoint: 'path',
    claimReader: unrestrictedReader,
  })
  const lines: Line[] = []
  for (const { line, values } of records) lines.push(await readLine(line, values))
  const sound = lines.filter((one): one is Line & { redirect: BulkRedirect } => one.redirect !== undefined)
  const address = services.addresses.site(site.organizationHostname, site.row.basename, site.row.hostname)
  const results = await database.write(async (tx) => {
    const current = (await findSite(tx, site.row.organization_id, site.row.id))!
    const here = { services, site: current, address, now }
    const wanted = sound.map(({ redirect }) => redirect)
    const put = await putRedirects(tx, here, wanted)
    const { organization_id: organizationId, id: siteId } = current.row
    const isChanged = put.some(({ status }) => status !== 'error')
    if (isChanged)
      await recordEvent(tx, { organizationId, stream: { siteId }, type: 'site_updated', userId: null, now })
    return put
  })
  const refused = [
    ...lines.flatMap(({ line, source, problem }) =>
      problem === undefined ? [] : [{ line, source, problem }],
    ),
    ...results.flatMap((result, at) =>
      result.status === 'error'
        ? [{ line: sound[at]!.line, source: result.source, problem: result.error }]
        : [],
    ),
  ].toSorted((one, other) => one.line - other.line)
  const taken = sound.filter((_, at) => results[at]!.status !== 'error')
  const steps = new Map(
    taken.map(({ redirect: { source, destination } }) => {
      const key = keyOfSource(source)
      return [key, redirectStepOf(key, destination!, address)]
    }),
  )
  const whereItLeads = createLoopDetector(steps)
  const chains = taken.filter(({ source }) => whereItLeads(steps.get(keyOfSource(source))!) === 'chain')
  report.warnAll([
    ...refused.map(({ line, source, problem }) => ({
      sentence: `${path}:${line}: ${source}: ${problem}`,
      members: { kind: 'refused', line, source, problem },
    })),
    ...chains.map(({ line, source }) => ({
      sentence: `${path}:${line}: ${source} leads to another redirect: readers go twice.`,
      members: { kind: 'chain', line, source },
    })),
  ])
  const count = (status: string) => results.filter((one) => one.status === status).length
  const counts = { created: count('created'), updated: count('updated'), refused: refused.length }
  report.result(
    `${counts.created} redirects were made, ${counts.updated} were there already, ${counts.refused} lines were refused.`,
    { site: site.row.id, ...counts, chains: chains.length },
  )

  async function readLine(line: number, values: readonly string[]): Promise<Line> {
    const [source = '', to = '', permanent = ''] = values.map((value) => value.trim())
    const problem = (text: string): Line => ({ line, source, problem: text })
    if (!isRedirectSource(source))
      return problem('A source is a path that begins with a slash and ends without one, percent-encoded.')
    if (!/^(?:true|false|)$/i.test(permanent))
      return problem('The third value is "true", "false", or nothing.')
    const isPattern = source.endsWith('*')
    const takesAlong = isPattern && to.endsWith('*')
    const destination = await readDestination(takesAlong ? to.slice(0, -1) : to, shown)
    if (typeof destination === 'string') return problem(destination)
    return {
      line,
      source,
      redirect: {
        source,
        destination,
        ...(permanent !== '' && { permanent: /true/i.test(permanent) }),
        ...(isPattern && { captureWildcard: takesAlong }),
      },
    }
  }

  /** Returns what a destination names, or why it names nothing. */
  async function readDestination(
    to: string,
    shown: PublishedSite,
    hops = 0,
  ): Promise<RedirectDestination | string> {
    if (/^https?:\/\//i.test(to)) {
      if (to.length > 2048 || !URL.canParse(to)) return 'The destination is no address.'
      return { kind: 'external', url: to }
    }
    if (!to.startsWith('/') || to.startsWith('//'))
      return 'A destination is an address, or a path of the site that begins with a slash.'
    const [below = ''] = to.slice(1).split(/[?#]/, 1)
    const meaning = matchPath(shown, below)
    if (meaning.kind !== 'page' && meaning.kind !== 'variant') return 'No page stands at the destination.'
    const { choice } = meaning
    if (choice.rest === '') return { kind: 'site-space', siteSpaceId: choice.variant.id }
    const { content, linker } = await openContent(services, shown, choice.variant)
    const found = await content.run(findDestination(content.revision.snapshot, linker, choice))
    const isThere = found.kind === 'page' || found.kind === 'markdown'
    if (isThere) return { kind: 'site-page', siteSpaceId: choice.variant.id, pageId: found.page.id }
    // Written otherwise: the page's own address is asked for.
    if (found.kind === 'redirect' && found.href.startsWith(shown.base) && hops < mostHops)
      return readDestination(`/${found.href.slice(shown.base.length)}`, shown, hops + 1)
    return 'No page stands at the destination.'
  }
}

/**
 * `octavo import --redirects`: CSV import of `source,destination[,permanent]` as redirects of a site. A destination is an
 * address, or the path of a page of the site. All lines are one transaction; refused lines are reported.
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
import { findSiteByIdOrName } from './find-site.js'
import { parseCsvLines } from '../../resources/imports/csv.js'
import { CommandError, type CommandContext } from './command-context.js'

interface RedirectLine {
  readonly line: number
  readonly source: string
  readonly redirect?: BulkRedirect
  readonly problem?: string
}

/** Redirects in a row from one spelling of an address to another. */
const maxHops = 3

export async function importRedirects(
  { database, services, report, now }: CommandContext,
  path: string,
  siteArgument: string,
): Promise<void> {
  const site = await findSiteByIdOrName(database.read, siteArgument)
  if (site === undefined) throw new CommandError(`There is no site "${siteArgument}".`)
  const found = await stat(path).catch(() => undefined)
  if (found?.isFile() !== true) throw new CommandError(`There is no file ${path}.`)
  if (found.size > limits.bodyBytes)
    throw new CommandError(`${path} is larger than ${limits.bodyBytes} bytes.`)
  const records = parseCsvLines(await readFile(path, 'utf8')).filter(
    ({ values: [source = ''] }, at) => at > 0 || source.trim().toLowerCase() !== 'source',
  )
  if (records.length > limits.redirectsAtOnce)
    throw new CommandError(
      `${path} has ${records.length} lines: at most ${limits.redirectsAtOnce} are read at once.`,
    )

  const published = publishedSite(services.addresses, site, {
    entryPoint: 'path',
    claimReader: unrestrictedReader,
  })
  const lines: RedirectLine[] = []
  for (const { line, values } of records) lines.push(await readLine(line, values))
  const valid = lines.filter(
    (one): one is RedirectLine & { redirect: BulkRedirect } => one.redirect !== undefined,
  )
  const address = services.addresses.site(site.organizationHostname, site.row.basename, site.row.hostname)
  const results = await database.write(async (tx) => {
    const current = (await findSite(tx, site.row.organization_id, site.row.id))!
    const context = { services, site: current, address, now }
    const redirects = valid.map(({ redirect }) => redirect)
    const put = await putRedirects(tx, context, redirects)
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
        ? [{ line: valid[at]!.line, source: result.source, problem: result.error }]
        : [],
    ),
  ].toSorted((one, other) => one.line - other.line)
  const accepted = valid.filter((_, at) => results[at]!.status !== 'error')
  const steps = new Map(
    accepted.map(({ redirect: { source, destination } }) => {
      const key = keyOfSource(source)
      return [key, redirectStepOf(key, destination!, address)]
    }),
  )
  const classify = createLoopDetector(steps)
  const chains = accepted.filter(({ source }) => classify(steps.get(keyOfSource(source))!) === 'chain')
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

  async function readLine(line: number, values: readonly string[]): Promise<RedirectLine> {
    const [source = '', to = '', permanent = ''] = values.map((value) => value.trim())
    const problem = (text: string): RedirectLine => ({ line, source, problem: text })
    if (!isRedirectSource(source))
      return problem('A source is a path that begins with a slash and ends without one, percent-encoded.')
    if (!/^(?:true|false|)$/i.test(permanent))
      return problem('The third value is "true", "false", or nothing.')
    const isPattern = source.endsWith('*')
    const capturesWildcard = isPattern && to.endsWith('*')
    const destination = await readDestination(capturesWildcard ? to.slice(0, -1) : to, published)
    if (typeof destination === 'string') return problem(destination)
    return {
      line,
      source,
      redirect: {
        source,
        destination,
        ...(permanent !== '' && { permanent: /true/i.test(permanent) }),
        ...(isPattern && { captureWildcard: capturesWildcard }),
      },
    }
  }

  /** Returns the destination that a value refers to, or the reason why it is invalid. */
  async function readDestination(
    to: string,
    published: PublishedSite,
    hops = 0,
  ): Promise<RedirectDestination | string> {
    if (/^https?:\/\//i.test(to)) {
      if (to.length > 2048 || !URL.canParse(to)) return 'The destination is no address.'
      return { kind: 'external', url: to }
    }
    if (!to.startsWith('/') || to.startsWith('//'))
      return 'A destination is an address, or a path of the site that begins with a slash.'
    const [below = ''] = to.slice(1).split(/[?#]/, 1)
    const match = matchPath(published, below)
    if (match.kind !== 'page' && match.kind !== 'variant') return 'No page stands at the destination.'
    const { choice } = match
    if (choice.rest === '') return { kind: 'site-space', siteSpaceId: choice.variant.id }
    const { content, linker } = await openContent(services, published, choice.variant)
    const found = await content.run(findDestination(content.revision.snapshot, linker, choice))
    const isPage = found.kind === 'page' || found.kind === 'markdown'
    if (isPage) return { kind: 'site-page', siteSpaceId: choice.variant.id, pageId: found.page.id }
    // Another spelling of the page's address: follow the redirect.
    if (found.kind === 'redirect' && found.href.startsWith(published.base) && hops < maxHops)
      return readDestination(`/${found.href.slice(published.base.length)}`, published, hops + 1)
    return 'No page stands at the destination.'
  }
}

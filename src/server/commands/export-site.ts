/** `octavo export --static`: a published site as files, as an anonymous visitor sees it. */
import { setFlagsFromString } from 'node:v8'
import { createServer } from '../server.js'
import { writeStaticExport } from '../static-export/export-site.js'
import { findSiteByIdOrName } from './find-site.js'
import { CommandError, type CommandContext } from './command-context.js'

/**
 * Percent by which the heap may grow until the next garbage collection. A page is garbage as soon as it is written, and
 * by default V8 collects thousands of them in one go: 380 MB where 135 are in use.
 */
const heapGrowth = 30

/** Broken links that are listed; the rest is counted. */
const maxListed = 20

export async function exportSite(
  { database, services, report, settings, now }: CommandContext,
  target: string,
  { site: wanted, at }: { readonly site: string; readonly at?: string | undefined },
): Promise<void> {
  const publicUrl = at === undefined ? undefined : parsePublicUrl(at)
  const site = await findSiteByIdOrName(database.read, wanted)
  if (site === undefined) throw new CommandError(`There is no site "${wanted}".`)
  const server = await createServer({
    services,
    now: () => now,
    logLevel: 'silent',
    settings,
    isReady: () => true,
  })
  setFlagsFromString(`--heap-growing-percent=${heapGrowth}`)
  const task = report.startTask('Writing')
  const progress = (done: number, total: number): void => task.advance(done, total)
  try {
    const { missing, ...written } = await writeStaticExport({
      services,
      server,
      site,
      target,
      progress,
      now,
      settings,
      ...(publicUrl !== undefined && { publicUrl }),
    }).finally(() => task.end())
    for (const address of missing.slice(0, maxListed))
      report.warn(`A page leads to ${address}, where nothing is.`, { kind: 'missing', address })
    if (missing.length > maxListed)
      report.warn(`There are ${missing.length} in all.`, { kind: 'more', missing: missing.length })
    report.result(
      `${written.pages} pages of the site ${site.row.title} are in ${target}, in ${written.files} files`,
      {
        site: site.row.id,
        target,
        ...written,
        missing: missing.length,
      },
    )
  } finally {
    await server.close()
  }
}

function parsePublicUrl(text: string): string {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) {
    throw new CommandError(`"${text}" is no address: say one such as https://example.com/docs/.`)
  }
  const { origin, pathname } = new URL(text)
  return origin + pathname + (pathname.endsWith('/') ? '' : '/')
}

/** `octavo export --static`: a published site as files, as a visitor sees it of whom nothing is known. */
import { setFlagsFromString } from 'node:v8'
import { createServer } from '../server.js'
import { writeTwin } from '../static-export/export-site.js'
import { findSiteAnyhow } from './find-site.js'
import { CommandError, type Frame } from './frame.js'

/**
 * Percent by which the heap may grow until it is cleared. A page is garbage as soon as it is written, and the engine,
 * left to itself, clears thousands of them at once: 380 MB where 135 are in use.
 */
const heapGrowth = 30

/** Addresses that lead nowhere are named so far; the rest is counted. */
const mostNamed = 20

export async function exportSite(
  { database, services, report, settings, now }: Frame,
  target: string,
  { site: wanted, at: given }: { readonly site: string; readonly at?: string | undefined },
): Promise<void> {
  const at = given === undefined ? undefined : readAddress(given)
  const site = await findSiteAnyhow(database.read, wanted)
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
    const { missing, ...twin } = await writeTwin({
      services,
      server,
      site,
      target,
      progress,
      now,
      settings,
      ...(at !== undefined && { at }),
    }).finally(() => task.end())
    for (const address of missing.slice(0, mostNamed))
      report.warn(`A page leads to ${address}, where nothing is.`, { kind: 'missing', address })
    if (missing.length > mostNamed)
      report.warn(`There are ${missing.length} in all.`, { kind: 'more', missing: missing.length })
    report.result(
      `${twin.pages} pages of the site ${site.row.title} are in ${target}, in ${twin.files} files`,
      {
        site: site.row.id,
        target,
        ...twin,
        missing: missing.length,
      },
    )
  } finally {
    await server.close()
  }
}

function readAddress(text: string): string {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) {
    throw new CommandError(`"${text}" is no address: say one such as https://example.com/docs/.`)
  }
  const { origin, pathname } = new URL(text)
  return origin + pathname + (pathname.endsWith('/') ? '' : '/')
}

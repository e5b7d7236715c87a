/** PDF jobs that are aborted, and PDFs that are requested while their content is removed. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person } from '../../../tests/test-client.js'
import { describeSqlite } from '../../../tests/engines.js'
import { acrossTestOrganizations } from '../../../tests/test-rows.js'
import { type SiteClient, openSiteClient } from '../../../tests/site-client.js'
import type { OrganizationId } from '../../core/ids.js'
import { pdfJobHandlers } from '../../site/pdf/make-pdf.js'
import type { Database } from '../../store/db/database.js'
import { listViolations } from '../../store/db/invariants.js'
import { drainJobs } from '../../store/jobs/testing.js'
import { type Printer, type PrinterLimits, createPrinter } from '../../store/printing/printer.js'

const program = new URL('../../../dist/server/print-program.js', import.meta.url)
const json = { accept: 'application/json' }
const forPeople = { accept: 'text/html' }
/** Takes measurable time and memory. */
const long = `# Long\n\n${'Words of **all** kinds, [with links](https://octavo.test) and `code`.\n\n'.repeat(1_500)}`

describeSqlite('PDFs', (engine) => {
  let database: Database
  let client: SiteClient
  let beside: SiteClient
  let ann: Person
  let organization: OrganizationId
  let other: OrganizationId
  let folder: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'octavo-pdf-'))
    database = await engine.open()
    client = await openSiteClient(database)
    const { files } = client.services
    beside = await openSiteClient(await engine.openAgain(), undefined, { files })
    ann = await client.person('ann')
    organization = await client.organization(ann)
    other = await client.organization(ann, 'Other')
  })
  afterAll(async () => {
    await client.server.close()
    await beside.server.close()
    await rm(folder, { recursive: true })
  })

  const work = (printer: Printer) =>
    drainJobs({
      database,
      handlers: pdfJobHandlers({ services: client.services, printer, now: client.now }),
      now: client.now,
      random: () => 0.5,
      report: (error) => {
        throw error
      },
      signal: new AbortController().signal,
    })
  async function address(at: string): Promise<string> {
    const answer = await client.request(ann, 'GET', `${at}/pdf`)
    expect(answer.status, answer.text).toBe(200)
    const { pathname, search } = new URL(answer.body.url)
    return pathname + search
  }
  const stateOf = async (path: string) => {
    const { status, text } = await client.read(path, json)
    const { state, error } = JSON.parse(text)
    return [status, state ?? error.message]
  }
  const nothingWaits = async () =>
    expect(
      await acrossTestOrganizations(database.read)
        .selectFrom('pdfs')
        .select(['space_id', 'state'])
        .where('state', 'in', ['pending', 'progress'])
        .execute(),
    ).toEqual([])

  /** Makes one fail with the reason, and then makes it and another. */
  async function failsWith(printer: Printer, reason: string): Promise<void> {
    const { id } = await client.space(ann, organization, 'Long', [{ slug: 'long', markdown: long }])
    const path = await address(`/spaces/${id}`)
    expect(await stateOf(path)).toEqual([202, 'pending'])
    await work(printer)
    expect(await stateOf(path)).toEqual([503, expect.stringContaining(`could not be made: ${reason}.`)])
    const answer = await client.read(path, forPeople)
    expect([answer.status, answer.text]).toEqual([503, expect.stringContaining(reason)])
    const next = await client.space(ann, organization, 'Next', [{ slug: 'next', markdown: '# Next\n' }])
    const another = await address(`/spaces/${next.id}`)
    await client.read(another, json)
    await work(createPrinter(program))
    expect(await stateOf(another)).toEqual([200, 'complete'])
    client.advance(61_000)
    expect(await stateOf(path)).toEqual([202, 'pending'])
    await work(createPrinter(program))
    expect(await stateOf(path)).toEqual([200, 'complete'])
    await nothingWaits()
  }

  const limitsOf = (limits: PrinterLimits) => createPrinter(program, limits)

  test('that take too long fail with a reason, and the next ones are made', () =>
    failsWith(limitsOf({ deadline: 100 }), 'it takes longer than 0.1 seconds'))

  test('that take too much memory fail with a reason, and the next ones are made', () =>
    failsWith(limitsOf({ memory: 64 }), 'it takes more memory than it may, or what sets it failed'))

  test('fail with a reason on machines that their library does not support', async () => {
    const pretending = join(folder, 'pretending.mjs')
    // The Markdown parser supports many machines, and is loaded before it would check which one this is.
    await writeFile(
      pretending,
      `await import(${JSON.stringify(import.meta.resolve('satteri'))})
      Object.defineProperty(process, 'platform', { value: 'darwin' })
      await import(${JSON.stringify(program.href)})`,
    )
    await failsWith(
      createPrinter(pathToFileURL(pretending)),
      `nothing that makes PDFs is installed for darwin on ${process.arch}`,
    )
  })

  test.each(['is deleted', 'goes to another organization', 'has its change request archived'])(
    'are requested while their space %s: nothing fails, and no job is left waiting',
    async (what) => {
      for (let turn = 0; turn < 6; turn++) {
        const { id } = await client.space(ann, organization, `Raced ${turn}`, [
          { slug: 'one', markdown: '# One\n' },
        ])
        const at = `/spaces/${id}`
        const { body: request } = await client.request(ann, 'POST', `${at}/change-requests`, {})
        const draft = `${at}/change-requests/${request.id}`
        const paths = [await address(at), await address(draft)]
        const remove = () =>
          what === 'is deleted'
            ? beside.request(ann, 'DELETE', at)
            : what === 'goes to another organization'
              ? beside.request(ann, 'POST', `${at}/transfer`, { organization: other })
              : beside.request(ann, 'PATCH', draft, { status: 'archived' })
        const ask = (from: SiteClient) => paths.map((path) => from.read(path, json))
        const making = turn % 2 === 0 ? [] : [work(createPrinter(program))]
        const [removed, ...answers] = await Promise.all([
          remove(),
          ...ask(client),
          ...ask(beside),
          ...ask(client),
        ])
        await Promise.all(making)
        expect(removed.status, removed.text).toBeLessThan(300)
        for (const { status, text } of answers) expect([200, 202, 404, 503], text).toContain(status)
        await work(createPrinter(program))
        expect(await listViolations(acrossTestOrganizations(database.read))).toEqual([])
        await nothingWaits()
        const later = await Promise.all(ask(beside))
        if (what === 'is deleted') expect(later.map(({ status }) => status)).toEqual([404, 404])
        if (what === 'has its change request archived') expect(later[0]!.status, later[0]!.text).toBe(200)
      }
    },
  )
})

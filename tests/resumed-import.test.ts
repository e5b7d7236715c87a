/** Resumed imports: a server is killed or stopped in the middle of importing a website, and the next server resumes the import. */
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { ImportRun } from '../src/contract/imports.js'
import { acrossOrganizations } from '../src/store/db/cross-tenant.js'
import type { Db } from '../src/store/db/database.js'
import { listViolations } from '../src/store/db/invariants.js'
import { openDatabase } from '../src/store/db/open.js'
import { describeSqlite } from './engines.js'
import { type WebServer, serveWeb } from './web-server.js'
import { type ServerProgram, startProgram } from './server-program.js'

const program = fileURLToPath(new URL('../bin/octavo.js', import.meta.url))
const token = `oct_${'t'.repeat(40)}`
const pausedPage = 40
const allPages = 60

describeSqlite('an import whose server ended', (engine) => {
  let web: WebServer
  let settings: Awaited<ReturnType<typeof engine.settings>>
  let server: ServerProgram
  let space: string
  let release: () => void

  beforeEach(async () => {
    const released = new Promise<void>((resolve) => (release = resolve))
    web = await serveWeb(async (request, response) => {
      const number = /^\/long\/(\d*)/.exec(request.url!)?.[1]
      if (number === undefined) return void response.writeHead(404).end()
      if (Number(number) === pausedPage) await released
      const next = Number(number) + 1
      const link = next < allPages ? `<a href="${next}.html">on</a>` : ''
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(`<main><h1>Page ${number || 0}</h1><p>Text ${number}</p>${link}</main>`)
    })
    settings = await engine.settings()
    await serve()
    const [organization] = (await ask('GET', '/orgs')).items
    space = (await ask('POST', `/orgs/${organization.id}/spaces`, { title: 'Space' })).id
  })
  afterEach(async () => {
    release()
    await server.stop()
    await web.close()
  })

  async function serve(): Promise<void> {
    server = await startProgram(settings.dataFolder, program, {
      OCTAVO_DATA: settings.dataFolder,
      ...(settings.url !== undefined && { OCTAVO_DATABASE_URL: settings.url }),
      OCTAVO_ADMIN_EMAIL: 'admin@octavo.test',
      OCTAVO_ADMIN_TOKEN: token,
      OCTAVO_FETCH_NETWORKS: '127.0.0.1',
      OCTAVO_DEMO: 'false',
      OCTAVO_LOG_LEVEL: 'error',
    })
  }
  async function ask(method: string, path: string, body?: unknown): Promise<any> {
    const answer = await fetch(`${server.base}/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        prefer: 'respond-async',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return answer.json()
  }
  /** Reads or changes the rows of the servers. */
  async function inside<Result>(work: (db: Db) => Promise<Result>): Promise<Result> {
    const database = await openDatabase(settings)
    try {
      return await database.write((tx) => work(acrossOrganizations(tx, 'a test looks at all')))
    } finally {
      await database.close()
    }
  }
  const fetched = () =>
    inside(async (db) => (await db.selectFrom('import_fetches').select('name').execute()).length)
  const look = (run: ImportRun): Promise<ImportRun> => ask('GET', `/spaces/${space}/imports/${run.id}`)
  const titles = async (): Promise<string[]> =>
    (await ask('GET', `/spaces/${space}/content/pages`)).pages.map(({ title }: { title: string }) => title)

  /** Starts an import, and resolves when it waits for the delayed page. */
  async function startUntilPaused(): Promise<ImportRun> {
    const run = await ask('POST', `/spaces/${space}/content/import`, {
      url: `${web.url}/long/`,
      source: 'website',
    })
    expect(run).toMatchObject({ object: 'import-run', status: 'in-progress' })
    await expect.poll(() => web.requests.at(-1)).toBe(`/long/${pausedPage}.html`)
    return run
  }

  it('is finished by the next server, which fetches no stored page again', async () => {
    const run = await startUntilPaused()
    await expect.poll(fetched).toBeGreaterThan(20)
    const before = await titles()
    await server.kill()
    // Long enough ago that its lease has expired.
    await inside(async (db) => {
      await db.updateTable('import_runs').set({ beat_at: 1 }).execute()
      await db.updateTable('jobs').set({ due_at: 0 }).where('type', '=', 'watch-import').execute()
    })
    web.requests.splice(0)
    await serve()
    await expect.poll(() => web.requests.at(-1)).toBe(`/long/${pausedPage}.html`)
    expect((await look(run)).status).toBe('in-progress')
    expect(await titles()).toEqual(before)
    release()
    await expect.poll(async () => (await look(run)).status).toBe('completed')
    const { result, revision } = await look(run)
    expect(result).toMatchObject({
      revision,
      pages: allPages,
      importedResources: allPages,
      problemCount: 0,
    })
    expect(await titles()).toHaveLength(allPages)
    expect(web.requests.length).toBeLessThan(allPages - 10)
    expect(web.requests).not.toContain('/long/5.html')
    expect(await fetched()).toBe(0)
    const { acts, broken } = await inside(async (db) => ({
      acts: await db
        .selectFrom('audit_events')
        .select('actor_id')
        .where('action', '=', 'importContentInSpace')
        .execute(),
      broken: await listViolations(db),
    }))
    expect(acts).toEqual([{ actor_id: run.startedBy }])
    expect(broken).toEqual([])
  })

  it('is resumed immediately after an orderly stop, and can be cancelled', async () => {
    const run = await startUntilPaused()
    const before = await titles()
    await server.stop()
    web.requests.splice(0)
    await serve()
    await expect.poll(() => web.requests.at(-1)).toBe(`/long/${pausedPage}.html`)
    expect(web.requests).not.toContain('/long/5.html')
    expect((await ask('POST', `/spaces/${space}/imports/${run.id}/cancel`)).status).toBe('cancelled')
    await expect.poll(fetched).toBe(0)
    release()
    expect(await look(run)).toMatchObject({ status: 'cancelled' })
    expect(await titles()).toEqual(before)
  })
})

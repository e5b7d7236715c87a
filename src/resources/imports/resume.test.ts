import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type TestClient, type Person, openTestClient } from '../../../tests/test-client.js'
import { describeEngines } from '../../../tests/engines.js'
import { acrossTestOrganizations } from '../../../tests/test-rows.js'
import { type WebServer, serveWeb } from '../../../tests/web-server.js'
import { routes } from '../../server/api/api.js'
import type { OrganizationId, SpaceId } from '../../core/ids.js'
import type { Database } from '../../store/db/database.js'
import type { RowUpdate } from '../../store/db/tables.js'
import { createBackgroundTasks } from '../../store/jobs/background.js'
import { runNextJob } from '../../store/jobs/worker.js'
import { importHandlers } from './resume.js'
import { type RunningImport, startRun, executeRun } from './run.js'
import type { ImportRunRow } from './store.js'
import { watchImportJob } from './watch-job.js'

describeEngines('interrupted imports', ({ open }) => {
  let database: Database
  let api: TestClient
  let web: WebServer
  let admin: Person
  let writer: Person
  let organizationId: OrganizationId
  let spaceId: SpaceId

  beforeAll(async () => {
    web = await serveWeb({ '/notes.md': '# Notes\n\nText.\n' })
    database = await open()
    api = await openTestClient(database, routes, { remote: web.remote })
    admin = await api.person('admin')
    organizationId = await api.organization(admin)
  })
  afterAll(() => web.close())
  beforeEach(async () => {
    writer = await api.person(`writer ${api.now()}`)
    await api.join(organizationId, writer, 'edit')
    const wanted = { title: 'Space', editMode: 'live' }
    spaceId = (await api.request(admin, 'POST', `/orgs/${organizationId}/spaces`, wanted)).body.id
    web.requests.splice(0)
  })

  const tokenOf = async ({ id }: Person): Promise<string> =>
    (
      await acrossTestOrganizations(database.read)
        .selectFrom('api_tokens')
        .select('id')
        .where('user_id', '=', id)
        .executeTakeFirstOrThrow()
    ).id
  const change = (set: RowUpdate<'import_runs'>) =>
    database.write((tx) => acrossTestOrganizations(tx).updateTable('import_runs').set(set).execute())

  /** Starts a run that no process executes, and lets its heartbeat expire. */
  async function begin(set: RowUpdate<'import_runs'> = { beat_at: 1 }): Promise<ImportRunRow> {
    const order = { organizationId, spaceId, changeRequestId: null, pageId: null, userId: writer.id }
    const credential = { by: 'token', credentialId: await tokenOf(writer) } as const
    const row = await startRun(
      api.services,
      { ...order, source: 'markdown', url: `${web.url}/notes.md`, mode: 'update', credential },
      Date.now(),
    )
    await change(set)
    return row
  }
  /** Runs the watchdog job at its due time, and returns the run afterwards. */
  async function lookAfter({ id }: ImportRunRow): Promise<any> {
    await database.write((tx) =>
      tx
        .updateTable('jobs')
        .set({ due_at: 0 })
        .where('type', '=', watchImportJob)
        .where('key', '=', id)
        .execute(),
    )
    const failures: unknown[] = []
    const handlers = importHandlers(api.services, Date.now)
    const signal = new AbortController().signal
    const working = { database, handlers, now: Date.now, random: () => 0, signal }
    expect(await runNextJob({ ...working, report: (error) => failures.push(error) })).toBe(true)
    expect(failures).toEqual([])
    return (await api.request(admin, 'GET', `/spaces/${spaceId}/imports/${id}`)).body
  }
  const pages = async (): Promise<number> =>
    (await api.request(admin, 'GET', `/spaces/${spaceId}/content/pages`)).body.pages.length
  const jobsOf = ({ id }: ImportRunRow) =>
    database.read
      .selectFrom('jobs')
      .select('id')
      .where('type', '=', watchImportJob)
      .where('key', '=', id)
      .execute()

  it('resume as the original request', async () => {
    const before = await pages()
    const row = await begin()
    await lookAfter(row)
    const run = async () => (await api.request(admin, 'GET', `/spaces/${spaceId}/imports/${row.id}`)).body
    await expect.poll(async () => (await run()).status).not.toBe('in-progress')
    expect(await run()).toMatchObject({ id: row.id, status: 'completed', result: { pages: 1 } })
    expect(await pages()).toBe(before + 1)
    const acts = await acrossTestOrganizations(database.read)
      .selectFrom('audit_events')
      .select(['actor_id', 'ip'])
      .where('action', '=', 'importContentInSpace')
      .where('credential_id', '=', await tokenOf(writer))
      .execute()
    expect(acts).toEqual([{ actor_id: writer.id, ip: null }])
    // And are checked once more, for the last time.
    expect(await jobsOf(row)).toHaveLength(1)
    expect((await lookAfter(row)).status).toBe('completed')
    expect(await jobsOf(row)).toEqual([])
    expect(await pages()).toBe(before + 1)
  })

  it('are left alone while a process executes them', async () => {
    const row = await begin({ beat_at: Date.now() })
    expect(await lookAfter(row)).toMatchObject({ status: 'in-progress' })
    expect(web.requests).toEqual([])
    expect(await jobsOf(row)).toHaveLength(1)
  })

  it('do not count a graceful shutdown as an attempt', async () => {
    const row = await begin({ attempts: 20, beat_at: Date.now() })
    const background = createBackgroundTasks()
    let closed: Promise<void> | undefined
    const untilTheEnd = ({ signal }: RunningImport) => {
      closed = background.close()
      return Promise.reject(signal.reason)
    }
    const broken = executeRun({ ...api.services, background }, row, Date.now, untilTheEnd)
    await expect(broken).rejects.toThrow('goes on when it is back')
    await closed
    await lookAfter(row)
    const run = async () => (await api.request(admin, 'GET', `/spaces/${spaceId}/imports/${row.id}`)).body
    await expect.poll(async () => (await run()).status).toBe('completed')
  })

  it.each<[string, number, string, () => Promise<unknown>]>([
    [
      'whose token was revoked',
      401,
      'token',
      async () => {
        const id = await tokenOf(writer)
        await database.write((tx) =>
          acrossTestOrganizations(tx)
            .updateTable('api_tokens')
            .set({ revoked_at: 1 })
            .where('id', '=', id)
            .execute(),
        )
      },
    ],
    [
      'whose maker may read no more',
      404,
      'space',
      () => api.request(admin, 'DELETE', `/orgs/${organizationId}/members/${writer.id}`),
    ],
    [
      'whose maker may only read',
      403,
      'edit',
      () => api.request(admin, 'PATCH', `/orgs/${organizationId}/members/${writer.id}`, { role: 'read' }),
    ],
    [
      'into a space that was locked',
      403,
      'change request',
      async () => {
        const before = await api.request(admin, 'GET', `/spaces/${spaceId}/content/pages`)
        const edit = {
          operation: 'update_page',
          page: before.body.pages[0].id,
          document: { markdown: '# Other' },
        }
        await api.request(admin, 'POST', `/spaces/${spaceId}/content`, { changes: [edit] })
        await api.request(admin, 'PATCH', `/spaces/${spaceId}`, { editMode: 'locked' })
      },
    ],
    ['that ended twenty processes', 500, 'each time', () => change({ attempts: 20 })],
    ['that are a day old', 503, 'in time', () => change({ began_at: Date.now() - 24 * 3_600_000 })],
    [
      'that were requested again',
      409,
      'again',
      async () => {
        await change({ beat_at: Date.now() })
        await begin({ beat_at: Date.now() })
      },
    ],
  ])('fail that %s', async (_, code, words, happen) => {
    const row = await begin()
    await happen()
    await change({ beat_at: 1 })
    const before = await pages()
    const run = await lookAfter(row)
    expect(run).toMatchObject({ status: 'failed', error: { code, message: expect.stringContaining(words) } })
    expect(await pages()).toBe(before)
    expect(web.requests).toEqual([])
  })

  it('are deleted with their journal when they were cancelled', async () => {
    const row = await begin()
    const fetchKey = {
      organization_id: organizationId,
      space_id: spaceId,
      run_id: row.id,
      name: 'one',
      fetched: '{}',
    }
    await database.write((tx) =>
      tx
        .insertInto('import_fetches')
        .values({ ...fetchKey, fetched_at: 1 })
        .execute(),
    )
    expect((await api.request(writer, 'POST', `/spaces/${spaceId}/imports/${row.id}/cancel`)).status).toBe(
      200,
    )
    expect(await lookAfter(row)).toMatchObject({ status: 'cancelled' })
    expect(
      await acrossTestOrganizations(database.read).selectFrom('import_fetches').selectAll().execute(),
    ).toEqual([])
    expect(await jobsOf(row)).toEqual([])
  })
})

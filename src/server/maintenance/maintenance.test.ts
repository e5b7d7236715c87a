import { mkdir } from 'node:fs/promises'
import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { type TestClient, type Person, openTestClient } from '../../../tests/test-client.js'
import { describeEngines } from '../../../tests/engines.js'
import { plansOf } from '../../../tests/query-plans.js'
import type { OrganizationId } from '../../core/ids.js'
import { insertSignInLink, startSession } from '../../access/signin/sessions.js'
import { insertToken } from '../../access/signin/tokens.js'
import { removeSpaceFromSites } from '../../resources/sites/change-site-space.js'
import { removeSpaceHandler, removeSpaceJob, trashRetention } from '../../resources/spaces/remove-expired.js'
import { collectObjectsJob, recordDeparture } from '../../store/collect/gc-triggers.js'
import { removeExpired } from '../../store/collect/expired.js'
import { findMissingObjects } from '../../store/content/verify.js'
import type { Database } from '../../store/db/database.js'
import { enqueue } from '../../store/jobs/outbox.js'
import { drainJobs } from '../../store/jobs/testing.js'
import { expireMail } from '../mail/expire-mail.js'
import { mailLife } from '../mail/mailer.js'
import { sendInvitationJob } from '../../resources/invites/invite.js'
import { scheduleMaintenance, maintenanceHandlers } from './maintenance.js'
import { acrossTestOrganizations } from '../../../tests/test-rows.js'

const day = 24 * 60 * 60 * 1000
const { signal } = new AbortController()

describeEngines('maintenance', ({ open }) => {
  let database: Database
  let client: TestClient
  let admin: Person
  let organizationId: OrganizationId

  beforeAll(async () => {
    database = await open()
    client = await openTestClient(database)
    await mkdir(client.services.spoolFolder, { recursive: true })
    admin = await client.person('admin')
    organizationId = await client.organization(admin)
  })

  const countOf = async (table: 'sign_in_links' | 'sessions' | 'api_tokens' | 'audit_events' | 'jobs') => {
    const { count } = await acrossTestOrganizations(database.read)
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    return Number(count)
  }

  /** Runs the jobs that are due at a time, and returns what they removed. */
  async function work(time: number): Promise<Record<string, number>[]> {
    const removals: Record<string, number>[] = []
    await drainJobs({
      database,
      handlers: {
        [removeSpaceJob]: removeSpaceHandler(client.services, () => time, removeSpaceFromSites),
        ...maintenanceHandlers({
          services: client.services,
          auditDays: 730,
          now: () => time,
          onRemoved: (removed) => removals.push({ ...removed }),
        }),
      },
      now: () => time,
      random: Math.random,
      report: (error) => {
        throw error
      },
      signal,
    })
    return removals
  }

  it('removes expired rows, each kind at its time, and nothing that is still valid', async () => {
    const now = client.now()
    await database.write(async (tx) => {
      await insertSignInLink(tx, admin.id, now)
      await startSession(
        tx,
        { userId: admin.id, openedBy: 'link', organizationId: null },
        { now, ip: null, userAgent: null },
      )
      await insertToken(tx, {
        userId: admin.id,
        token: 'expiring',
        label: 'expiring',
        now,
        expiresAt: now + day,
      } as never)
    })
    const before = [await countOf('sign_in_links'), await countOf('sessions'), await countOf('api_tokens')]
    const remove = async (days: number) => {
      const at = { now: now + days * day, auditLife: 730 * day, signal }
      return Object.fromEntries(await removeExpired(database, at))
    }
    expect(await remove(1)).toEqual({})
    expect(await remove(2.1)).toEqual({ 'sign-in links': before[0] })
    expect(await remove(31)).toEqual({ sessions: before[1] })
    expect(await countOf('api_tokens')).toBe(before[2])
    const entries = await countOf('audit_events')
    expect(entries).toBeGreaterThan(0)
    expect(await remove(729)).not.toHaveProperty('audit entries')
    expect(await remove(732)).toMatchObject({ 'audit entries': entries })
    // Tokens that neither expire nor were revoked stay for ever.
    expect((await client.request(admin, 'GET', '/user')).status).toBe(200)
  })

  it('finds expired rows by an index', async () => {
    const plans: string[] = []
    await database.write(async (tx) => {
      const found = await plansOf(tx, async (db) => {
        await removeExpired(
          { ...database, writeInBulk: (_locks, work) => work(db as never) },
          { now: 0, auditLife: 0, signal },
        )
      })
      for (const plan of found) if (plan.costly.length > 0) plans.push(`${plan.sql} ${plan.costly.join()}`)
    })
    expect(plans).toEqual([])
  })

  it('drops undeliverable mail, and records it in the audit log', async () => {
    const now = client.now()
    const payload = { organizationId, userId: admin.id, invitedBy: admin.id }
    await database.write(async (tx) => {
      for (const at of [now, now + mailLife]) {
        await enqueue(tx, { organizationId, type: sendInvitationJob, payload, at })
      }
    })
    expect(await expireMail(database, now + mailLife + 1, signal)).toBe(1)
    const { items } = (await client.request(admin, 'GET', `/orgs/${organizationId}/audit?action=mailExpired`))
      .body
    expect(items).toMatchObject([{ action: 'mailExpired' }])
    expect(await expireMail(database, now + mailLife + 1, signal)).toBe(0)
    expect(await expireMail(database, now + 3 * mailLife, signal)).toBe(1)
  })

  it('removes a deleted space with its history, and a week later the objects that only it referenced', async () => {
    const make = async (path: string, body?: object) => (await client.request(admin, 'POST', path, body)).body
    const space = await make(`/orgs/${organizationId}/spaces`, { title: 'Gone' })
    await client.request(admin, 'PATCH', `/spaces/${space.id}`, { editMode: 'live' })
    const write = (markdown: string) =>
      make(`/spaces/${space.id}/content`, {
        changes: [{ operation: 'insert_page', document: { markdown } }],
      })
    await write('# Shared\n\nIn the copy too.\n')
    const copy = await make(`/spaces/${space.id}/duplicate`)
    await write('# Alone\n\nIn the deleted space only.\n')
    const hashes = async () =>
      (await acrossTestOrganizations(database.read).selectFrom('objects').select('hash').execute()).map(
        ({ hash }) => hash,
      )
    const before = await hashes()
    await client.request(admin, 'DELETE', `/spaces/${space.id}`)
    const removal = client.now() + trashRetention + 1_000
    await work(removal)
    const left = await acrossTestOrganizations(database.read)
      .selectFrom('revisions')
      .select('id')
      .where('space_id', '=', space.id)
      .execute()
    expect(left).toEqual([])
    expect(await findMissingObjects(database.read, organizationId, before)).toEqual([])

    // As if the week had passed by the database's clock as well.
    await database.write((tx) =>
      acrossTestOrganizations(tx).updateTable('objects').set({ put_at: 0 }).execute(),
    )
    const removals = await work(removal + 8 * day)
    expect(removals.find((one) => 'objects' in one)!.objects).toBeGreaterThan(0)
    const pages = (await client.request(admin, 'GET', `/spaces/${copy.id}/content/pages`)).body.pages
    expect(pages).toHaveLength(2)
    for (const { id } of pages) {
      const page = await client.request(admin, 'GET', `/spaces/${copy.id}/content/page/${id}?format=markdown`)
      expect(page.status, page.text).toBe(200)
    }
  })

  it('removes nothing that a revision, a change request, a comment or a site references, during concurrent writes', async () => {
    let at = client
    const ask = async (method: string, path: string, body?: object) => {
      const answer = await at.request(admin, method, path, body)
      expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300)
      return answer.body
    }
    const page = (markdown: string) => ({ operation: 'insert_page', document: { markdown } })
    const write = (place: string, ...changes: object[]) =>
      ask('POST', `${place}/content?compat=false`, { changes })
    const { id } = await ask('POST', `/orgs/${organizationId}/spaces`, { editMode: 'live', empty: true })
    const lockedSpace = `/spaces/${id}`
    const first = (await write(lockedSpace, page('# Kept\n\nOnly in an earlier revision.\n'))).changes[0].page
      .id
    const comment = await ask('POST', `${lockedSpace}/comments`, {
      body: { markdown: 'Why?' },
      page: first,
      node: '0',
    })
    const file = { operation: 'insert_files', files: [{ name: 'a.txt', base64: 'b25seSBpbiBhIHJldmlzaW9u' }] }
    const { id: fileId } = (await write(lockedSpace, file)).insertedFiles[0]
    const { revision: old } = await ask('GET', lockedSpace)
    const request = `${lockedSpace}/change-requests/${(await ask('POST', `${lockedSpace}/change-requests`)).number}`
    const drafted = (await write(request, page('# Draft\n\nOnly in a draft.\n'))).changes[0].page.id
    await write(lockedSpace, {
      operation: 'update_page',
      page: first,
      document: { markdown: '# Kept\n\nNew.\n' },
    })
    const site = await ask('POST', `/orgs/${organizationId}/sites`, { title: 'Site', spaces: [id] })
    await ask('POST', `/orgs/${organizationId}/sites/${site.id}/publish`)
    await ask('PATCH', lockedSpace, { editMode: 'locked' })

    // Has the content of the other space and its own; part of its own is written again while it is removed.
    const deletedSpace = `/spaces/${(await ask('POST', `${lockedSpace}/duplicate`)).id}`
    await ask('PATCH', deletedSpace, { editMode: 'live' })
    const texts = Array.from({ length: 30 }, (_, at) => `# Gone ${at}\n\nWords ${at} of what goes.\n`)
    for (const text of texts) await write(deletedSpace, page(text))
    const objectSize = async () => {
      const { rows } = await sql<{ count: number; size: number }>`select count(*) as count,
        sum(length(bytes)) as size from objects`.execute(acrossTestOrganizations(database.read))
      return { count: Number(rows[0]!.count), size: Number(rows[0]!.size) }
    }
    await ask('DELETE', deletedSpace)
    const before = await objectSize()
    const growOld = () =>
      database.write((tx) => acrossTestOrganizations(tx).updateTable('objects').set({ put_at: 0 }).execute())
    await growOld()

    const written: { id: string; text: string }[] = []
    const end = new AbortController()
    const writing = (async () => {
      for (let round = 0; !end.signal.aborted || round < 10; round++) {
        const text = texts[round % 10]!
        written.push({ id: (await write(request, page(text))).changes[0].page.id, text })
      }
    })()
    const removal = client.now() + trashRetention + 1_000
    await work(removal)
    await growOld()
    const removals = await work(removal + 8 * day)
    end.abort()
    await writing
    // Once more, without concurrent writes.
    await growOld()
    await database.write((tx) => recordDeparture(tx, organizationId, removal))
    await work(removal + 20 * day)

    // Caches of this process would hide missing objects.
    at = await openTestClient(database)
    expect(removals.some((one) => (one['objects'] ?? 0) > 20)).toBe(true)
    expect((await objectSize()).size).toBeLessThan(before.size)
    const textOf = async (place: string, of: string) => (await ask('GET', `${place}/page/${of}`)).markdown
    expect(await textOf(`${lockedSpace}/content`, first)).toContain('New.')
    expect(await textOf(`${lockedSpace}/revisions/${old}`, first)).toContain('Only in an earlier revision.')
    expect(await textOf(`${request}/content`, drafted)).toContain('Only in a draft.')
    for (const one of written) expect(await textOf(`${request}/content`, one.id)).toBe(one.text)
    expect((await ask('GET', `${lockedSpace}/revisions/${old}/files/${fileId}`)).name).toBe('a.txt')
    const found = await ask('GET', `${lockedSpace}/comments/${comment.id}`)
    expect(found.target).toMatchObject({ page: { id: first } })
    for (const { id: revision } of (await ask('GET', `${lockedSpace}/revisions?limit=100`)).items) {
      await ask('GET', `${lockedSpace}/revisions/${revision}/changes?blocks=true&limit=100`)
    }
    const merged = await ask('POST', `${request}/merge`)
    expect(merged.result).toBe('merge')
    expect((await client.request(admin, 'GET', deletedSpace)).status).toBe(404)
  })

  it('is scheduled once, however many processes schedule it, and schedules itself again', async () => {
    const time = client.now() + 100 * day
    await scheduleMaintenance(database, time)
    await scheduleMaintenance(database, time)
    const waiting = async () => {
      const rows = await database.read.selectFrom('jobs').select(['type', 'due_at']).execute()
      return rows.filter(
        ({ type }) => type !== collectObjectsJob && type.match(/^(?:remove-expired|collect-files)$/),
      )
    }
    expect(await waiting()).toHaveLength(2)
    await work(time)
    const next = await waiting()
    expect(next).toHaveLength(2)
    expect(next.every(({ due_at: due }) => due! > time)).toBe(true)
  })
})

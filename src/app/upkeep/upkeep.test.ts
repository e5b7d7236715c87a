import { mkdir } from 'node:fs/promises'
import { beforeAll, expect, it } from 'vitest'
import { type Door, type Person, openDoor } from '../../../tests/door.js'
import { describeEngines } from '../../../tests/engines.js'
import { plansOf } from '../../../tests/plans.js'
import type { OrganizationId } from '../../core/ids.js'
import { insertSignInLink, startSession } from '../../access/signin/sessions.js'
import { insertToken } from '../../access/signin/tokens.js'
import { leaveSites } from '../../resources/sites/change-space.js'
import { removeSpaceHandler, removeSpaceJob, trashLife } from '../../resources/spaces/remove.js'
import { collectObjectsJob } from '../../store/collect/departures.js'
import { removeExpired } from '../../store/collect/expired.js'
import { findMissingObjects } from '../../store/content/verify.js'
import type { Database } from '../../store/db/database.js'
import { enqueue } from '../../store/jobs/outbox.js'
import { drainJobs } from '../../store/jobs/testing.js'
import { expireMail } from '../mail/expire-mail.js'
import { mailJobs, mailLife } from '../mail/mail.js'
import { planUpkeep, upkeepHandlers } from './upkeep.js'
import { everywhere } from '../../../tests/rows.js'

const day = 24 * 60 * 60 * 1000
const { signal } = new AbortController()

describeEngines('upkeep', ({ open }) => {
  let database: Database
  let door: Door
  let admin: Person
  let organizationId: OrganizationId

  beforeAll(async () => {
    database = await open()
    door = await openDoor(database)
    await mkdir(door.services.spoolFolder, { recursive: true })
    admin = await door.person('admin')
    organizationId = await door.organization(admin)
  })

  const countOf = async (table: 'sign_in_links' | 'sessions' | 'api_tokens' | 'audit_events' | 'jobs') => {
    const { count } = await everywhere(database.read)
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    return Number(count)
  }

  /** Does the jobs that are due at a time, and answers what was told of them. */
  async function work(time: number): Promise<Record<string, number>[]> {
    const told: Record<string, number>[] = []
    await drainJobs({
      database,
      handlers: {
        [removeSpaceJob]: removeSpaceHandler(door.services, () => time, leaveSites),
        ...upkeepHandlers({
          services: door.services,
          auditDays: 730,
          now: () => time,
          told: (removed) => told.push({ ...removed }),
        }),
      },
      now: () => time,
      random: Math.random,
      report: (error) => {
        throw error
      },
      signal,
    })
    return told
  }

  it('removes what has expired, each kind at its time, and nothing that still counts', async () => {
    const now = door.now()
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
    // Tokens that neither expire nor were revoked are for ever.
    expect((await door.ask(admin, 'GET', '/user')).status).toBe(200)
  })

  it('finds what has expired by an index', async () => {
    const plans: string[] = []
    await database.write(async (tx) => {
      const found = await plansOf(tx, async (db) => {
        await removeExpired(
          { ...database, writeHolding: (_hold, work) => work(db as never) },
          { now: 0, auditLife: 0, signal },
        )
      })
      for (const plan of found) if (plan.costly.length > 0) plans.push(`${plan.sql} ${plan.costly.join()}`)
    })
    expect(plans).toEqual([])
  })

  it('gives up mail that nobody could send, and says so in the audit log', async () => {
    const now = door.now()
    const type = mailJobs[2]!
    await database.write(async (tx) => {
      for (const at of [now, now + mailLife]) {
        await enqueue(tx, { organizationId, type, payload: { userId: admin.id }, at })
      }
    })
    expect(await expireMail(database, now + mailLife + 1, signal)).toBe(1)
    const { items } = (await door.ask(admin, 'GET', `/orgs/${organizationId}/audit?action=mailExpired`)).body
    expect(items).toMatchObject([{ action: 'mailExpired' }])
    expect(await expireMail(database, now + mailLife + 1, signal)).toBe(0)
    expect(await expireMail(database, now + 3 * mailLife, signal)).toBe(1)
  })

  it('removes a deleted space with its history, and a week later what it alone named', async () => {
    const make = async (path: string, body?: object) => (await door.ask(admin, 'POST', path, body)).body
    const space = await make(`/orgs/${organizationId}/spaces`, { title: 'Gone' })
    await door.ask(admin, 'PATCH', `/spaces/${space.id}`, { editMode: 'live' })
    const write = (markdown: string) =>
      make(`/spaces/${space.id}/content`, {
        changes: [{ operation: 'insert_page', document: { markdown } }],
      })
    await write('# Shared\n\nIn the copy too.\n')
    const copy = await make(`/spaces/${space.id}/duplicate`)
    await write('# Alone\n\nIn the deleted space only.\n')
    const hashes = async () =>
      (await everywhere(database.read).selectFrom('objects').select('hash').execute()).map(({ hash }) => hash)
    const before = await hashes()
    await door.ask(admin, 'DELETE', `/spaces/${space.id}`)
    const removal = door.now() + trashLife + 1_000
    await work(removal)
    const left = await everywhere(database.read)
      .selectFrom('revisions')
      .select('id')
      .where('space_id', '=', space.id)
      .execute()
    expect(left).toEqual([])
    expect(await findMissingObjects(database.read, organizationId, before)).toEqual([])

    // As if the week had passed by the database's clock as well.
    await database.write((tx) => everywhere(tx).updateTable('objects').set({ put_at: 0 }).execute())
    const told = await work(removal + 8 * day)
    expect(told.find((one) => 'objects' in one)!.objects).toBeGreaterThan(0)
    const pages = (await door.ask(admin, 'GET', `/spaces/${copy.id}/content/pages`)).body.pages
    expect(pages).toHaveLength(2)
    for (const { id } of pages) {
      const page = await door.ask(admin, 'GET', `/spaces/${copy.id}/content/page/${id}?format=markdown`)
      expect(page.status, page.text).toBe(200)
    }
  })

  it('is planned once, however many processes plan it, and plans itself again', async () => {
    const time = door.now() + 100 * day
    await planUpkeep(database, time)
    await planUpkeep(database, time)
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

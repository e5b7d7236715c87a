/** Saves that amend the head of a change request, what ends that, and how long the amended revisions stay. */
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import type { Hash, OrganizationId } from '../../core/ids.js'
import { collectObjectsJob } from '../../store/collect/gc-triggers.js'
import { collectObjects } from '../../store/collect/objects.js'
import { getContent } from '../content/content.js'
import { newApiToken } from '../../access/signin/secrets.js'
import { insertToken } from '../../access/signin/tokens.js'
import { removeAmendedJob } from '../content/content-jobs.js'
import type { Database } from '../../store/db/database.js'
import { engineOf } from '../../store/db/database.js'
import { listViolations } from '../../store/db/invariants.js'
import { graceOfSaves } from '../../store/files/gc-grace.js'
import { drainJobs } from '../../store/jobs/testing.js'
import { describeEngines } from '../../../tests/engines.js'
import { type Person, type TestClient, openTestClient } from '../../../tests/test-client.js'
import { acrossTestOrganizations } from '../../../tests/test-rows.js'
import { removeAmendedHandler } from './remove-amended.js'

const [second, minute, hour] = [1_000, 60_000, 3_600_000]
const { signal } = new AbortController()

describeEngines('amended revisions', ({ open }) => {
  let database: Database
  let api: TestClient
  let ann: Person
  let ben: Person
  let organizationId: OrganizationId
  let space: string

  beforeAll(async () => {
    database = await open()
    api = await openTestClient(database)
    ann = await api.person('ann')
    ben = await api.person('ben')
    organizationId = await api.organization(ann)
    await api.join(organizationId, ben, 'admin')
    space = (await make(ann, `/orgs/${organizationId}/spaces`, { title: 'Guide' })).id
  })

  async function make(person: Person, path: string, body: object = {}, method = 'POST') {
    const answer = await api.request(person, method, path, body)
    expect(answer.status, answer.text).toBeLessThan(300)
    return answer.body
  }
  const read = (path: string) => api.request(ann, 'GET', path)

  interface Branch {
    readonly path: string
    readonly page: string
    /** Saves a text and returns the id of the revision. */
    save(person: Person, markdown: string): Promise<string>
    /** Returns the ids of the listed revisions, the first one first. */
    history(): Promise<readonly string[]>
  }

  async function branch(): Promise<Branch> {
    const { id } = await make(ann, `/spaces/${space}/change-requests`, { subject: 'A change' })
    const path = `/spaces/${space}/change-requests/${id}`
    const { changes } = await make(ann, `${path}/content?compat=false`, {
      changes: [{ operation: 'insert_page', document: { markdown: '# Page\n\nWritten at first.\n' } }],
    })
    const page = changes[0].page.id as string
    api.advance(hour)
    return {
      path,
      page,
      async save(person, markdown) {
        const change = { operation: 'update_page', page, document: { markdown } }
        return (await make(person, `${path}/content`, { changes: [change] })).revision
      },
      async history() {
        const { items } = (await read(`${path}/revisions?limit=100`)).body
        return items
          .map((one: { id: string }) => one.id)
          .toReversed()
          .slice(1)
      },
    }
  }

  const textAt = async (revision: string, page: string) =>
    (await read(`/spaces/${space}/revisions/${revision}/page/${page}?format=markdown`)).body.markdown

  /** Runs the jobs that are due. */
  const work = () =>
    drainJobs({
      database,
      handlers: { [removeAmendedJob]: removeAmendedHandler(api.services, api.now) },
      now: api.now,
      random: Math.random,
      report: (error) => {
        throw error
      },
      signal,
    })

  /** Collects garbage as if all objects had been put more than a week ago. */
  async function collectAll(): Promise<void> {
    await database.write((tx) =>
      tx.updateTable('objects').set({ put_at: 0 }).where('organization_id', '=', organizationId).execute(),
    )
    await collectObjects({ database, organizationId, signal })
  }

  test('a person has one revision for ten minutes of saves, counted from the first', async () => {
    const { page, save, history, path } = await branch()
    const saved: string[] = []
    for (let count = 0; count < 15; count += 1) {
      saved.push(await save(ann, `# Page\n\nSave ${count}.\n`))
      api.advance(minute)
    }
    expect(new Set(saved).size).toBe(15)
    const listed = await history()
    expect(listed).toEqual([saved[9], saved[14]])
    const { items } = (await read(`${path}/revisions`)).body
    expect(items.map(({ number }: { number: number }) => number)).toEqual([3, 2, 1])
    expect(items[0].parents).toEqual([saved[9]])
    // The parent of the first one is the revision before all of its saves.
    expect(items[1].parents).toEqual([items[2].id])
    expect((await read(path)).body.revision).toBe(saved[14])
    // Each of them is read as it was.
    for (const [count, revision] of saved.entries())
      expect(await textAt(revision, page)).toContain(`Save ${count}.`)
    expect(await listViolations(database.read)).toEqual([])
  })

  test('leave objects behind for a day, and other writes for a week', async () => {
    const { page, save, history } = await branch()
    const words = 'Many words. '.repeat(50)
    for (let count = 0; count < 5; count += 1) await save(ann, `# Page\n\nSave ${count}. ${words}\n`)
    const loose = 'L'.repeat(43) as Hash
    await database.write((tx) =>
      tx
        .insertInto('objects')
        .values({
          organization_id: organizationId,
          hash: loose,
          bytes: Buffer.from('loose'),
          put_at: Date.now(),
        })
        .execute(),
    )
    api.advance(2 * hour)
    await work()
    const jobs = await acrossTestOrganizations(database.read)
      .selectFrom('jobs')
      .select('due_at')
      .where('type', '=', collectObjectsJob)
      .where('organization_id', '=', organizationId)
      .execute()
    expect(jobs).toEqual([{ due_at: expect.toSatisfy((due: number) => due <= api.now() + graceOfSaves) }])
    const hashes = async () => {
      const rows = await database.read
        .selectFrom('objects')
        .select('hash')
        .where('organization_id', '=', organizationId)
        .execute()
      return rows.map(({ hash }) => hash)
    }
    const before = await hashes()
    await collectObjects({ database, organizationId, signal })
    expect(await hashes()).toHaveLength(before.length)
    await database.write((tx) =>
      tx
        .updateTable('objects')
        .set((is) => ({ put_at: is('put_at', '-', graceOfSaves + hour) }))
        .where('organization_id', '=', organizationId)
        .execute(),
    )
    const collected = await collectObjects({ database, organizationId, signal })
    expect(collected?.left).toBeGreaterThan(0)
    const after = await hashes()
    // A text and a node of the tree for each of four saves, at least.
    expect(before.length - after.length).toBeGreaterThanOrEqual(8)
    expect(after).toContain(loose)
    // Caches of this process would hide missing objects.
    const reader = await openTestClient(database)
    const path = `/spaces/${space}/revisions/${(await history()).at(-1)}/page/${page}?format=markdown`
    expect((await reader.request(ann, 'GET', path)).body.markdown).toContain('Save 4.')
  })

  test('another token of the person has an audit entry of its own', async () => {
    const { path, save } = await branch()
    const other = { ...ann, token: newApiToken() }
    await database.write((tx) =>
      insertToken(tx, { userId: ann.id, token: other.token, label: 'other', now: api.now() }),
    )
    for (const [index, person] of [ann, ann, other, other, ann].entries())
      await save(person, `# Page\n\nSave ${index}.\n`)
    const { items } = (await read(`/orgs/${organizationId}/audit?limit=5`)).body
    const own = items.filter(({ place }: any) => path.includes(place.changeRequestId))
    const credentials = own.slice(0, 3).map(({ credential }: any) => credential.id)
    expect(new Set(credentials).size).toBe(2)
    expect(credentials[0]).toBe(credentials[2])
  })

  test.each<[what: string, act: (on: Branch) => Promise<unknown>]>([
    ['a comment', ({ path }) => make(ben, `${path}/comments`, { body: { markdown: 'Why?' } })],
    ['a review', ({ path }) => make(ben, `${path}/reviews`, { status: 'changes-requested' })],
    ['a request of a review', ({ path }) => make(ann, `${path}/requested-reviewers`, { users: [ben.id] })],
    ['the work of another person', ({ save }) => save(ben, '# Page\n\nOf another person.\n')],
  ])('%s on the head ends it: what it refers to stays', async (_what, act) => {
    const on = await branch()
    const first = await on.save(ann, '# Page\n\nThe first.\n')
    const second = await on.save(ann, '# Page\n\nThe second.\n')
    await act(on)
    const third = await on.save(ann, '# Page\n\nThe third.\n')
    const fourth = await on.save(ann, '# Page\n\nThe fourth.\n')
    const listed = await on.history()
    expect(listed).toContain(second)
    expect(listed.at(-1)).toBe(fourth)
    expect(listed).not.toContain(first)
    expect(listed).not.toContain(third)
    api.advance(3 * hour)
    await work()
    expect(await textAt(second, on.page)).toContain('The second.')
  })

  test('an update, an import and a resolution are revisions of their own', async () => {
    await make(ann, `/spaces/${space}`, { editMode: 'live' }, 'PATCH')
    const { path, save, history } = await branch()
    const before = await save(ann, '# Page\n\nBefore.\n')
    await make(ann, `/spaces/${space}/content`, {
      changes: [{ operation: 'insert_page', document: { markdown: '# Other\n' } }],
    })
    const { revision: updated } = await make(ann, `${path}/update`)
    const after = await save(ann, '# Page\n\nAfter.\n')
    expect(await history()).toEqual([before, updated, after])
  })

  test('amended revisions are found by their id for an hour, and their objects are collected', async () => {
    const { page, save, history, path } = await branch()
    const saved: string[] = []
    const hashes: string[] = []
    for (let count = 0; count < 5; count += 1) {
      saved.push(await save(ann, `# Page\n\nText ${count} of a page that is saved.\n`))
      hashes.push((await read(`${path}/content/page/${page}/text`)).body.hash)
      api.advance(second)
    }
    api.advance(50 * minute)
    await work()
    // A late reader, and a late writer by the revision and by the hash of the text.
    expect(await textAt(saved[0]!, page)).toContain('Text 0')
    for (const base of [saved[1]!, hashes[2]!]) {
      const change = { operation: 'update_page', page, base, document: { markdown: '# Page, renamed\n' } }
      const { status } = await api.request(ann, 'POST', `${path}/content`, { changes: [change] })
      expect(status, base).toBe(409)
    }
    api.advance(30 * minute)
    await work()
    expect(await history()).toEqual([saved[4]])
    // Of another process: in the cache of this one they live longer.
    const other = await openTestClient(database)
    for (const revision of saved.slice(0, 4)) {
      expect((await other.request(ann, 'GET', `/spaces/${space}/revisions/${revision}`)).status).toBe(404)
      const change = { operation: 'update_page', page, base: revision, title: 'New' }
      expect((await other.request(ann, 'POST', `${path}/content`, { changes: [change] })).status).toBe(400)
    }
    await collectAll()
    const stored = async () => {
      const rows = await database.read
        .selectFrom('objects')
        .select('hash')
        .where('organization_id', '=', organizationId)
        .where('hash', 'in', hashes as never)
        .execute()
      return rows.map(({ hash }) => hash as string)
    }
    expect(await stored()).toEqual([hashes[4]])
    expect(await textAt(saved[4]!, page)).toContain('Text 4')
  })

  test('a comment on a revision that was amended meanwhile keeps it', async () => {
    const { path, page, save } = await branch()
    const [first] = [await save(ann, '# Page\n\nThe first.\n'), await save(ann, '# Page\n\nThe second.\n')]
    const { id } = await make(ben, `${path}/comments`, { body: { markdown: 'Why?' }, page })
    await database.write((tx) =>
      tx
        .updateTable('comments')
        .set({ revision_id: first as never })
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .execute(),
    )
    await save(ann, '# Page\n\nThe third.\n')
    api.advance(2 * hour)
    await work()
    expect(await textAt(first, page)).toContain('The first.')
    expect((await read(`${path}/comments/${id}`)).status).toBe(200)
  })

  test('saves of two people, comments and removals at once lose nothing', async () => {
    const { path, page, save, history } = await branch()
    const pages: string[] = []
    for (const title of ['Of Ann', 'Of Ben']) {
      const { changes } = await make(ann, `${path}/content?compat=false`, {
        changes: [{ operation: 'insert_page', document: { markdown: `# ${title}\n` } }],
      })
      pages.push(changes[0].page.id)
    }
    const acknowledged: string[] = []
    const write = async (person: Person, which: number) => {
      for (let count = 0; count < 12; count += 1) {
        const markdown = `# Page ${which}\n\nSave ${count}.\n`
        const change = { operation: 'update_page', page: pages[which]!, document: { markdown } }
        acknowledged.push((await make(person, `${path}/content`, { changes: [change] })).revision)
      }
    }
    const comment = async () => {
      for (let count = 0; count < 6; count += 1)
        await make(ben, `${path}/comments`, { body: { markdown: `Comment ${count}` } })
    }
    const collect = async () => {
      for (let count = 0; count < 4; count += 1) {
        await work()
        await collectObjects({ database, organizationId, signal })
      }
    }
    await Promise.all([write(ann, 0), write(ben, 1), comment(), collect()])
    for (const which of [0, 1]) {
      const { markdown } = (await read(`${path}/content/page/${pages[which]!}?format=markdown`)).body
      expect(markdown).toContain('Save 11.')
    }
    for (const revision of acknowledged)
      expect((await read(`/spaces/${space}/revisions/${revision}`)).status).toBe(200)
    const listed = await history()
    expect(listed.length).toBeLessThanOrEqual(26)
    await save(ann, '# Page\n\nThe last.\n')
    expect(await textAt((await history()).at(-1)!, page)).toContain('The last.')
    expect(await listViolations(database.read)).toEqual([])
  })

  test('a save beside the merge is merged, or refused', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { path, page, save } = await branch()
      await save(ann, '# Page\n\nBefore.\n')
      const change = { operation: 'update_page', page, document: { markdown: `# Page\n\nLate.\n` } }
      const [saved, merged] = await Promise.all([
        api.request(ann, 'POST', `${path}/content`, { changes: [change] }),
        api.request(ann, 'POST', `${path}/merge`, {}),
      ])
      expect(merged.status, merged.text).toBe(200)
      const { markdown } = (await read(`/spaces/${space}/content/page/${page}?format=markdown`)).body
      expect([saved.status, markdown.includes('Late.')]).toEqual(
        saved.status < 300 ? [saved.status, true] : [409, false],
      )
      const parent = (await read(`/spaces/${space}/content`)).body.parents[1]
      expect(await textAt(parent, page)).toBe(markdown)
      api.advance(2 * hour)
      await work()
      expect((await read(`/spaces/${space}/revisions/${parent}`)).status).toBe(200)
    }
    expect(await listViolations(database.read)).toEqual([])
  })

  test('an hour of saves is six revisions and six audit entries, and small on disk', async () => {
    const { path, page, history } = await branch()
    const text = Array.from(
      { length: 400 },
      (_, at) => `Paragraph ${at} has its own ${at ** 3} words.\n\n`,
    ).join('')
    const size = async () => {
      if (engineOf(database.read) !== 'sqlite') return 0
      const { rows } = await sql<{ size: number }>`select (page_count - freelist_count) * page_size as size
        from pragma_page_count, pragma_freelist_count, pragma_page_size`.execute(
        acrossTestOrganizations(database.read),
      )
      return rows[0]!.size
    }
    const countAudit = async () => {
      const { items } = (
        await read(`/orgs/${organizationId}/audit?action=updateChangeRequestContent&limit=100`)
      ).body
      return items.filter(({ place }: any) => path.includes(place.changeRequestId)).length
    }
    let typed = ''
    await collectAll()
    const [before, entries] = [await size(), await countAudit()]
    for (let passed = 0; passed < hour; passed += 20 * second) {
      typed += 'Some more words. '
      const markdown = `# Page\n\n${text}${typed}\n`
      const change = { operation: 'update_page', page, document: { markdown } }
      await make(ann, `${path}/content`, { changes: [change] })
      api.advance(20 * second)
    }
    expect(await history()).toHaveLength(6)
    api.advance(2 * hour)
    await work()
    await collectAll()
    // Each of 180 texts has 20 kB.
    expect((await size()) - before).toBeLessThan(250_000)
    expect(await countAudit()).toBe(entries + 6)
    const location = { db: database.read, services: api.services, organizationId, spaceId: space as never }
    const head = await getContent(location, (await history()).at(-1) as never)
    expect(head.revision.saves).toBeGreaterThan(20)
  })
})

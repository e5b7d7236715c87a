/** Collections and locations of spaces: order, moves, trash, copies, transfers, and search across spaces. */
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { newApiToken } from '../../access/signin/secrets.js'
import { insertToken } from '../../access/signin/tokens.js'
import type { OrganizationId, SpaceId } from '../../core/ids.js'
import type { Database, Tx } from '../../store/db/database.js'
import { type LockScope, noLocks } from '../../store/db/lock-scope.js'
import { drainJobs } from '../../store/jobs/testing.js'
import { type TestClient, type Person, openTestClient } from '../../../tests/test-client.js'
import { describeEngines } from '../../../tests/engines.js'
import { indexSpace } from '../search/index-space.js'
import { removeSpaceFromSites } from '../sites/change-site-space.js'
import { removeSpaceHandler, removeSpaceJob, trashRetention } from './remove-expired.js'
import { acrossTestOrganizations } from '../../../tests/test-rows.js'

describeEngines('places', (engine) => {
  let api: TestClient
  let admin: Person
  let creator: Person
  let editor: Person
  let orgPath: string
  let organization: OrganizationId

  const make = async (path: string, body: object = {}, person = admin) => {
    const answer = await api.request(person, 'POST', path, body)
    expect(answer.status, answer.text).toBeLessThan(300)
    return answer.body
  }
  const collection = (body: object = {}) => make(`${orgPath}/collections`, body)
  const space = (body: object = {}) => make(`${orgPath}/spaces`, body)
  const inside = async (id: string) => {
    const list = await api.request(admin, 'GET', `/collections/${id}/spaces?limit=100`)
    return list.body.items.map((item: { id: string }) => item.id) as string[]
  }
  /** Runs the jobs that are due at a time; returns their number. */
  const removeExpired = (now: () => number) =>
    drainJobs({
      database: api.services.database,
      handlers: { [removeSpaceJob]: removeSpaceHandler(api.services, now, removeSpaceFromSites) },
      now,
      random: Math.random,
      report: (error) => {
        throw error
      },
      signal: new AbortController().signal,
    })
  const pointer = (id: string) => ({ type: 'space', space: id })

  beforeAll(async () => {
    api = await openTestClient(await engine.open())
    admin = await api.person('admin')
    creator = await api.person('creator')
    editor = await api.person('editor')
    organization = await api.organization(admin)
    orgPath = `/orgs/${organization}`
    await api.join(organization, creator, 'create')
    await api.join(organization, editor, 'edit')
  })

  describe('collections', () => {
    test('are made with a title or without, listed nested or not, and changed', async () => {
      const outer = await collection({ title: 'Outer' })
      const inner = await collection({ parent: outer.id })
      expect(outer).toMatchObject({ object: 'collection', title: 'Outer', defaultLevel: 'inherit' })
      expect(inner).toMatchObject({ title: 'Untitled collection', parent: outer.id })
      const all = await api.request(editor, 'GET', `${orgPath}/collections`)
      expect(all.body.count).toBe(2)
      const top = await api.request(editor, 'GET', `${orgPath}/collections?nested=false`)
      expect(top.body.items).toMatchObject([{ id: outer.id, permissions: { view: true, admin: false } }])
      const change = { title: 'Guides', description: 'How to', defaultLevel: 'comment' }
      const path = `/collections/${outer.id}`
      expect((await api.request(creator, 'PATCH', path, change)).body).toMatchObject(change)
      const back = { title: 'Outer', description: '', defaultLevel: 'inherit' }
      expect((await api.request(admin, 'PATCH', path, back)).body).toMatchObject(back)
      expect((await api.request(editor, 'PATCH', path, { title: 'Mine' })).status).toBe(403)
      const long = { title: 'x'.repeat(51) }
      expect((await api.request(admin, 'PATCH', path, long)).status).toBe(400)
      const unknown = await api.request(admin, 'POST', `${orgPath}/collections`, { parent: 'unknown' })
      expect(unknown.status).toBe(400)
      expect(unknown.body.error.message).toContain('"parent"')
    })

    test('are never inside themselves', async () => {
      const outer = await collection()
      const inner = await collection({ parent: outer.id })
      const deepest = await collection({ parent: inner.id })
      for (const parent of [outer.id, inner.id, deepest.id]) {
        const answer = await api.request(admin, 'POST', `/collections/${outer.id}/move`, { parent })
        expect(answer.status, parent).toBe(400)
      }
      expect((await make(`/collections/${deepest.id}/move`, { parent: outer.id })).parent).toBe(outer.id)
    })

    test('contain spaces and collections in one order', async () => {
      const { id: parent } = await collection()
      const [a, b, c] = [await space({ parent }), await space({ parent }), await space({ parent })]
      const between = await collection({ parent })
      const move = (id: string, position: object) =>
        api.request(admin, 'POST', `/spaces/${id}/move`, { position })
      expect((await move(c!.id, { before: pointer(a!.id) })).status).toBe(200)
      expect(await inside(parent)).toEqual([c!.id, a!.id, b!.id])
      expect((await move(c!.id, { before: pointer(a!.id) })).status).toBe(409)
      expect((await move(c!.id, { after: pointer(c!.id) })).status).toBe(400)
      expect((await move(c!.id, { after: pointer('unknown') })).status).toBe(400)
      const apart = { before: pointer(b!.id), after: pointer(c!.id) }
      expect((await move(b!.id, apart)).status).toBe(400)
      const around = { before: { type: 'collection', collection: between.id }, after: pointer(b!.id) }
      expect((await move(c!.id, around)).status).toBe(200)
      expect(await inside(parent)).toEqual([a!.id, b!.id, c!.id])
      const moved = await make(`/collections/${between.id}/move`, { position: { before: pointer(b!.id) } })
      expect(moved.id).toBe(between.id)
      expect((await move(a!.id, { after: { type: 'collection', id: between.id } })).status).toBe(200)
      expect(await inside(parent)).toEqual([a!.id, b!.id, c!.id])
      expect((await move(a!.id, {})).status).toBe(200)
      expect(await inside(parent)).toEqual([b!.id, c!.id, a!.id])
      expect((await move(a!.id, {})).status).toBe(409)
    })

    test('take spaces only from users who may create content in them', async () => {
      const { id } = await space()
      const { id: parent } = await collection()
      await api.request(admin, 'PATCH', `/collections/${parent}`, { defaultLevel: 'read' })
      expect((await api.request(creator, 'POST', `/spaces/${id}/move`, { parent })).status).toBe(403)
      expect((await api.request(creator, 'POST', `${orgPath}/spaces`, { parent })).status).toBe(403)
      await api.request(admin, 'PATCH', `/collections/${parent}`, { defaultLevel: null })
      expect((await api.request(creator, 'POST', `/spaces/${id}/move`, { parent })).status).toBe(400)
      await make(`/collections/${parent}/permissions`, { role: 'create', users: [editor.id] })
      expect((await make(`${orgPath}/spaces`, { parent }, editor)).parent).toBe(parent)
    })

    test('are deleted with those inside, their spaces go to the trash and come back to the top', async () => {
      const outer = await collection()
      const inner = await collection({ parent: outer.id })
      const { id } = await space({ parent: inner.id })
      expect((await api.request(editor, 'DELETE', `/collections/${outer.id}`)).status).toBe(403)
      expect((await api.request(admin, 'DELETE', `/collections/${outer.id}`)).status).toBe(205)
      expect((await api.request(admin, 'GET', `/collections/${inner.id}`)).status).toBe(404)
      expect((await api.request(admin, 'GET', `/spaces/${id}`)).body.deletedAt).toMatch(/^2026/)
      const restored = await make(`/spaces/${id}/restore`)
      expect(restored.parent).toBeUndefined()
      expect(restored.deletedAt).toBeUndefined()
    })
  })

  describe('spaces', () => {
    test('are deleted once, are in no list, and can be restored for seven days', async () => {
      const { id } = await space()
      const listed = async () =>
        (await api.request(admin, 'GET', `${orgPath}/spaces?limit=100`)).body.items.some(
          (item: { id: string }) => item.id === id,
        )
      expect(await listed()).toBe(true)
      expect((await api.request(admin, 'POST', `/spaces/${id}/restore`)).status).toBe(409)
      expect((await api.request(admin, 'DELETE', `/spaces/${id}`)).status).toBe(205)
      expect((await api.request(admin, 'DELETE', `/spaces/${id}`)).status).toBe(204)
      expect(await listed()).toBe(false)
      await make(`/spaces/${id}/restore`)
      expect(await listed()).toBe(true)
      await api.services.database.write((tx) =>
        acrossTestOrganizations(tx)
          .updateTable('spaces')
          .set({ deleted_at: api.now() - trashRetention - 1 })
          .where('id', '=', id)
          .execute(),
      )
      expect((await api.request(admin, 'POST', `/spaces/${id}/restore`)).status).toBe(404)
    })

    test('are listed in the trash for those who may restore them, and are deleted for good on request', async () => {
      const [first, hidden] = [await space(), await space()]
      await api.request(admin, 'PATCH', `/spaces/${hidden.id}`, { defaultLevel: 'edit' })
      const trash = async (who: Person) => (await api.request(who, 'GET', `${orgPath}/trash?limit=100`)).body
      const idsIn = async (who: Person) => (await trash(who)).items.map(({ id }: { id: string }) => id)
      expect((await api.request(admin, 'POST', `/spaces/${first.id}/purge`)).status).toBe(409)
      for (const { id } of [first, hidden]) await api.request(admin, 'DELETE', `/spaces/${id}`)
      expect(await idsIn(admin)).toEqual(expect.arrayContaining([first.id, hidden.id]))
      expect((await trash(admin)).items[0].deletedAt).toMatch(/^2026/)
      expect(await idsIn(creator)).toContain(first.id)
      expect(await idsIn(creator)).not.toContain(hidden.id)
      expect((await api.request(creator, 'POST', `/spaces/${hidden.id}/purge`)).status).toBe(404)

      expect((await api.request(admin, 'POST', `/spaces/${hidden.id}/purge`)).status).toBe(204)
      expect(await idsIn(admin)).not.toContain(hidden.id)
      expect((await api.request(admin, 'POST', `/spaces/${hidden.id}/restore`)).status).toBe(404)
      expect((await api.request(admin, 'POST', `/spaces/${hidden.id}/purge`)).status).toBe(404)
      await removeExpired(() => api.now() + 1)
      expect((await api.request(admin, 'GET', `/spaces/${hidden.id}`)).status).toBe(404)
      await make(`/spaces/${first.id}/restore`)
      expect(await idsIn(admin)).not.toContain(first.id)
    })

    test('are removed for good after seven days, unless they were restored meanwhile', async () => {
      const { database } = api.services
      const [gone, restored, again] = [await space(), await space(), await space()]
      await make(`/spaces/${gone.id}/permissions`, { role: 'read', users: [editor.id] })
      for (const { id } of [gone, restored, again]) await api.request(admin, 'DELETE', `/spaces/${id}`)
      for (const { id } of [restored, again]) await make(`/spaces/${id}/restore`)
      let time = api.now() + trashRetention
      await database.write((tx) =>
        // As if it had been deleted again a day before the first job is due.
        acrossTestOrganizations(tx)
          .updateTable('spaces')
          .set({ deleted_at: time - 86_400_000 })
          .where('id', '=', again.id)
          .execute(),
      )
      const work = () => removeExpired(() => time)
      const of = async (table: 'revisions' | 'change_requests', id: string) =>
        (
          await acrossTestOrganizations(database.read)
            .selectFrom(table)
            .select('id')
            .where('space_id', '=', id as SpaceId)
            .execute()
        ).length
      time -= 10_000
      expect(await work()).toBe(0)
      expect([await of('revisions', gone.id), await of('revisions', restored.id)]).toEqual([1, 1])
      time += 20_000
      expect(await work()).toBeGreaterThanOrEqual(3)
      const rows = await acrossTestOrganizations(database.read)
        .selectFrom('spaces')
        .select('id')
        .where('id', 'in', [gone.id, restored.id, again.id] as SpaceId[])
        .execute()
      expect(rows.map(({ id }) => id).toSorted()).toEqual([restored.id, again.id].toSorted())
      expect([await of('revisions', gone.id), await of('revisions', restored.id)]).toEqual([0, 1])
      const grants = acrossTestOrganizations(database.read)
        .selectFrom('grants')
        .select('role')
        .where('target_id', '=', gone.id as SpaceId)
      expect(await grants.execute()).toEqual([])
      expect((await api.request(admin, 'GET', `/spaces/${gone.id}`)).status).toBe(404)
      expect((await api.request(admin, 'GET', `/spaces/${restored.id}`)).status).toBe(200)
    })

    test('are duplicated beside themselves, without history and grants', async () => {
      const { id: parent } = await collection()
      const original = await space({ parent, title: 'T'.repeat(50), editMode: 'live' })
      await api.request(admin, 'PATCH', `/spaces/${original.id}`, { defaultLevel: null })
      await make(`/spaces/${original.id}/permissions`, { role: 'read', users: [editor.id] })
      const change = { operation: 'insert_page', document: { markdown: '# Moon\n\nTides.\n' } }
      await make(`/spaces/${original.id}/content`, { changes: [change] })
      const count = async () => {
        const { rows } = await sql<{ count: number }>`select count(*) as count from objects`.execute(
          acrossTestOrganizations(api.services.database.read),
        )
        return Number(rows[0]!.count)
      }
      const objects = await count()
      const copy = await make(`/spaces/${original.id}/duplicate`)
      // Both name the same.
      expect(await count()).toBe(objects)
      expect(copy.title).toBe(`${'T'.repeat(43)} (copy)`)
      expect(copy).toMatchObject({ parent, visibility: 'private', editMode: 'locked', defaultLevel: null })
      expect((await api.request(editor, 'GET', `/spaces/${copy.id}`)).status).toBe(404)
      const titles = async (id: string) =>
        (await api.request(admin, 'GET', `/spaces/${id}/content/pages`)).body.pages.map(
          (page: { title: string }) => page.title,
        ) as string[]
      expect(await titles(copy.id)).toEqual(await titles(original.id))
      expect(await titles(copy.id)).toContain('Moon')
    })

    test('go to another organization with their content, alone or in their collection', async () => {
      const there = await api.organization(admin, 'There')
      const { id: outer } = await collection()
      const { id: parent } = await collection({ parent: outer })
      const { id } = await space({ parent, editMode: 'live' })
      const upload = await api.server.inject({
        method: 'POST',
        url: `/v1/spaces/${id}/content/files`,
        headers: {
          authorization: `Bearer ${admin.token}`,
          'content-type': 'application/octet-stream',
          'content-disposition': 'attachment; filename="notes.txt"',
        },
        payload: 'notes',
      })
      expect(upload.statusCode).toBe(201)
      const change = { operation: 'insert_page', document: { markdown: '# Moon\n\nTides.\n' } }
      await make(`/spaces/${id}/content`, { changes: [change] })
      const request = await make(`/spaces/${id}/change-requests`)
      const archive = () =>
        api.server.inject({
          url: `/v1/spaces/${id}/content/archive`,
          headers: { authorization: `Bearer ${admin.token}` },
        })
      const before = (await archive()).rawPayload
      const transfer = (to: string, path = `/collections/${parent}`) =>
        api.request(admin, 'POST', `${path}/transfer`, { organization: to })
      expect((await transfer(organization)).status).toBe(409)
      expect((await transfer('unknown')).status).toBe(400)
      const moved = await transfer(there)
      expect(moved.body).toMatchObject({ id: parent, organization: there })
      expect(moved.body.parent).toBeUndefined()
      expect((await api.request(admin, 'GET', `/spaces/${id}`)).body.organization).toBe(there)
      expect(await inside(parent)).toEqual([id])

      // The objects of the target organization must be sufficient, so those of the source are deleted.
      await api.services.database.write(async (tx) => {
        await tx.deleteFrom('objects').where('organization_id', '=', organization).execute()
        await tx.deleteFrom('blobs').where('organization_id', '=', organization).execute()
      })
      expect((await archive()).rawPayload.equals(before)).toBe(true)
      await make(`/spaces/${id}/change-requests/${request.id}/content`, { changes: [change] })
      expect((await make(`/spaces/${id}/change-requests/${request.id}/merge`)).result).toBe('merge')
    })

    test('are copied ahead in short steps, and take along what was written meanwhile', async () => {
      const there = await api.organization(admin, 'Ahead')
      const { id } = await space({ editMode: 'live' })
      const page = (markdown: string) => ({ operation: 'insert_page', document: { markdown } })
      await make(`/spaces/${id}/content`, {
        changes: Array.from({ length: 50 }, (_, at) => page(`# Page ${at}\n\nOnly on ${at}.\n`)),
      })
      const inner = api.services.database
      const held = async () => {
        const { rows } = await sql<{ count: number }>`select count(*) as count from objects
          where organization_id = ${there}`.execute(acrossTestOrganizations(inner.read))
        return Number(rows[0]!.count)
      }
      /** Number of objects in the target organization at the start of each transaction. */
      const before: { isStep: boolean; held: number }[] = []
      let last: string | undefined
      const observed =
        (write: Database['writeWithLocks']) => async (hold: LockScope, work: (tx: Tx) => Promise<any>) => {
          before.push({ isStep: hold === noLocks, held: await held() })
          const done = await write(hold, work)
          // After the first step that copied something.
          if (last === undefined && (await held()) > 0) {
            last = 'written'
            const written = await api.request(admin, 'POST', `/spaces/${id}/content`, {
              changes: [page('# Meanwhile\n\nLate words.\n')],
            })
            expect(written.status, written.text).toBe(200)
          }
          return done
        }
      const database = {
        ...inner,
        writeWithLocks: observed(inner.writeWithLocks),
        writeInBulk: observed(inner.writeInBulk),
      } as Database
      const other = await openTestClient(database)
      const moved = await other.request(admin, 'POST', `/spaces/${id}/transfer`, { organization: there })
      expect([moved.status, moved.body.organization]).toEqual([200, there])
      const act = before.findIndex(({ isStep }) => !isStep)
      expect(act).toBeGreaterThan(2)
      expect(before[act]!.held).toBeGreaterThan(50)
      expect(last).toBe('written')

      await inner.write((tx) =>
        tx.deleteFrom('objects').where('organization_id', '=', organization).execute(),
      )
      const fresh = await openTestClient(inner)
      const { pages } = (await fresh.request(admin, 'GET', `/spaces/${id}/content/pages`)).body
      expect(pages.map(({ title }: any) => title)).toContain('Meanwhile')
      for (const { id: pageId } of pages) {
        expect((await fresh.request(admin, 'GET', `/spaces/${id}/content/page/${pageId}`)).status).toBe(200)
      }
    })

    test('go to no organization that the session or token does not open', async () => {
      const mover = await api.person('mover')
      const there = await api.organization(mover, 'Out of reach')
      await api.join(organization, mover, 'create')
      const bound = { ...mover, token: newApiToken() }
      await api.services.database.write((tx) =>
        insertToken(tx, {
          userId: mover.id,
          token: bound.token,
          label: 'bound',
          now: api.now(),
          onlyIn: organization,
        }),
      )
      const { id } = await make(`${orgPath}/spaces`, {}, bound)
      const transfer = { organization: there }
      const refused = await api.request(bound, 'POST', `/spaces/${id}/transfer`, transfer)
      expect([refused.status, refused.body.error.message]).toEqual([
        400,
        expect.stringContaining('"organization"'),
      ])
      await make(`/spaces/${id}/transfer`, transfer, mover)
    })

    test('that are on a site or deleted cannot be transferred', async () => {
      const there = await api.organization(admin, 'Nowhere')
      const [listed, deleted] = [await space(), await space()]
      await make(`${orgPath}/sites`, { title: 'Site', spaces: [listed.id] })
      await api.request(admin, 'DELETE', `/spaces/${deleted.id}`)
      const transfer = ({ id }: { id: string }) =>
        api.request(admin, 'POST', `/spaces/${id}/transfer`, { organization: there })
      expect((await transfer(listed)).status).toBe(412)
      expect((await transfer(deleted)).status).toBe(409)
      expect(
        (await api.request(creator, 'POST', `/spaces/${listed.id}/transfer`, { organization: there })).status,
      ).toBe(400)
    })
  })

  test('search and change requests of an organization show only what may be read', async () => {
    const [open, hidden] = [await space({ editMode: 'live' }), await space({ editMode: 'live' })]
    await api.request(admin, 'PATCH', `/spaces/${hidden.id}`, { defaultLevel: null })
    const change = { operation: 'insert_page', document: { markdown: '# Quasar\n\nBright.\n' } }
    const requests: Record<string, string> = {}
    for (const { id } of [open, hidden]) {
      await make(`/spaces/${id}/content`, { changes: [change] })
      requests[id] = (await make(`/spaces/${id}/change-requests`)).id
      await indexSpace({
        services: api.services,
        spaceId: id,
        signal: new AbortController().signal,
        now: Date.now,
      })
    }
    const found = async (person: Person) => {
      const search = await api.request(person, 'GET', `${orgPath}/search?query=quasar`)
      const list = await api.request(person, 'GET', `${orgPath}/change-requests?status=draft&limit=100`)
      expect(search.body.count).toBe(search.body.items.length)
      expect(list.body.count).toBe(list.body.items.length)
      const spaces = (search.body.items as { id: string }[]).map(({ id }) => id)
      const listed = (list.body.items as { id: string }[]).map(({ id }) => id)
      return { spaces, listed, search: search.body }
    }
    const all = await found(admin)
    expect(all.spaces.toSorted()).toEqual([open.id, hidden.id].toSorted())
    expect(all.listed).toContain(requests[hidden.id])
    const some = await found(editor)
    expect(some.spaces).toEqual([open.id])
    expect(some.search.items[0].pages).toMatchObject([{ title: 'Quasar' }])
    expect(some.listed).toContain(requests[open.id])
    expect(some.listed).not.toContain(requests[hidden.id])
  })
})

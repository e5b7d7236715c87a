/** History over HTTP: the revisions of a space and of a change request, in the order of their branches. */
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { type TestClient, type Person, openTestClient } from '../../../tests/test-client.js'
import { describeEngines } from '../../../tests/engines.js'
import { acrossTestOrganizations, insertOrganization, insertSpace } from '../../../tests/test-rows.js'
import { newId } from '../../access/ids.js'
import { migrations } from '../../store/db/migrate.js'
import { openDatabase } from '../../store/db/open.js'

describeEngines('the history', (engine) => {
  let api: TestClient
  let ann: Person
  let ben: Person
  let organization: string

  async function make(method: string, path: string, body?: unknown, person = ann): Promise<any> {
    const answer = await api.request(person, method, path, body)
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300)
    return answer.body
  }
  const page = (title: string) => ({ operation: 'insert_page', document: { markdown: `# ${title}\n` } })
  const write = async (place: string, title: string, person = ann): Promise<string> =>
    (await make('POST', `${place}/content`, { changes: [page(title)] }, person)).revision
  async function newSpace() {
    const { id } = await make('POST', `/orgs/${organization}/spaces`, { editMode: 'live', empty: true })
    return `/spaces/${id}`
  }
  const newRequest = async (space: string, subject = '') =>
    `${space}/change-requests/${(await make('POST', `${space}/change-requests`, { subject })).id}`
  const listed = async (place: string, query = '?limit=100') =>
    (await make('GET', `${place}/revisions${query}`)).items as any[]

  beforeAll(async () => {
    api = await openTestClient(await engine.open())
    ann = await api.person('ann')
    ben = await api.person('ben')
    organization = await api.organization(ann)
    await api.join(organization as never, ben, 'edit')
  })

  test('of a space is in the order of its branch, newest first, whatever the clock says', async () => {
    const space = await newSpace()
    const { revision: first } = await make('GET', space)
    const made = [first as string]
    for (const title of ['One', 'Two', 'Three', 'Four']) {
      api.advance(-10_000)
      made.push(await write(space, title))
    }
    api.advance(40_000)
    const all = await listed(space)
    expect(all.map(({ id }) => id)).toEqual(made.toReversed())
    expect(all.map(({ number }) => number)).toEqual([5, 4, 3, 2, 1])
    for (const [at, one] of all.entries()) {
      expect(one.parents).toEqual(at === 4 ? [] : [all[at + 1].id])
      expect(Date.parse(one.createdAt)).toBeGreaterThanOrEqual(Date.parse(all.at(-1).createdAt))
    }

    const start = await make('GET', `${space}/revisions?limit=2`)
    expect(start.count).toBe(5)
    await write(space, 'Five')
    const rest = await make('GET', `${space}/revisions?limit=2&page=${start.next.page}`)
    expect([...start.items, ...rest.items].map(({ id }: any) => id)).toEqual(made.toReversed().slice(0, 4))
    expect(await make('GET', `${space}/revisions?limit=0`)).toEqual({ count: 6, items: [] })
  })

  test('has author, type and origin of each revision', async () => {
    const space = await newSpace()
    const began = await write(space, 'One')
    const request = await newRequest(space, 'Say more')
    expect(await make('GET', `${request}/revisions`)).toEqual({ count: 0, items: [] })

    const own = await write(request, 'Two', ben)
    const meanwhile = await write(space, 'Three')
    const { revision: updated } = await make('POST', `${request}/update`)
    const { revision: merged } = await make('POST', `${request}/merge`)
    const { id: back } = await make('POST', `${space}/revisions/${began}/rollback`)

    const { id } = await make('GET', request)
    const ofRequest = await listed(request)
    expect(ofRequest).toMatchObject([
      { id: updated, number: 2, type: 'update', parents: [own, meanwhile], changeRequest: id },
      { id: own, number: 1, type: 'edits', parents: [began], createdBy: { id: ben.id }, changeRequest: id },
    ])
    const ofSpace = await listed(space)
    expect(ofSpace).toMatchObject([
      { id: back, number: 5, type: 'rollback', parents: [merged], message: `Back to revision ${began}` },
      { id: merged, type: 'merge', parents: [meanwhile, updated], mergedFrom: { id, subject: 'Say more' } },
      { id: meanwhile, number: 3, createdBy: { id: ann.id, displayName: 'ann' } },
      { id: began, number: 2 },
      { number: 1, type: 'edits' },
    ])
    for (const one of ofSpace) expect(one).not.toHaveProperty('changeRequest')
    // A revision that is requested by id has the same metadata.
    const { urls: _urls, authors, ...said } = ofSpace[1]
    expect(authors).toMatchObject([{ id: ben.id }])
    expect(await make('GET', `${space}/revisions/${merged}`)).toMatchObject(said)
  })

  test('is visible to readers of the space', async () => {
    const space = await newSpace()
    const request = await newRequest(space)
    const own = await write(request, 'Draft')
    const other = await newSpace()
    const stranger = await api.person(`stranger${newId()}`)
    const paths = [`${space}/revisions`, `${request}/revisions`, `${space}/revisions/${own}`]
    for (const path of paths) {
      expect((await api.request(ben, 'GET', path)).status).toBe(200)
      expect((await api.request(stranger, 'GET', path)).status).toBe(404)
    }
    expect((await api.request(ann, 'GET', `${other}/revisions/${own}`)).status).toBe(404)
    expect((await api.request(ann, 'GET', request.replace(space, other) + '/revisions')).status).toBe(404)
  })

  test('of older data is ordered along the branches, not by time', async () => {
    const settings = await engine.settings()
    const before = migrations.slice(
      0,
      migrations.findIndex(({ name }) => name === '0025-lines'),
    )
    const old = await openDatabase({ ...settings, migrations: before })
    const ids = Array.from({ length: 40 }, () => newId())
    const own = [newId(), newId()]
    const lost = newId()
    await old.write(async (tx) => {
      await insertOrganization(tx, 'acme')
      await insertSpace(tx, 'acme' as never, 'guide')
      const insert = (id: string, parents: readonly string[], time: number, request: string | null) =>
        sql`insert into revisions
          (id, organization_id, space_id, change_request_id, type, snapshot, parents, created_by, created_at)
          values (${id}, 'acme', 'guide', ${request}, 'edits', '{}', ${JSON.stringify(parents)}, 'user', ${time})`.execute(
          tx,
        )
      for (const [at, id] of ids.entries()) {
        const parents = at === 0 ? [] : [ids[at - 1]!, ...(at === 30 ? own.slice(1) : [])]
        // Some at one moment, some at one that lies before.
        await insert(id, parents, at % 3 === 0 ? 5 : 100 - at, null)
      }
      await insert(lost, [], 999, null)
      await insert(own[0]!, [ids[3]!], 7, 'request')
      await insert(own[1]!, [own[0]!, ids[8]!], 7, 'request')
      await acrossTestOrganizations(tx)
        .updateTable('spaces')
        .set({ revision_id: ids.at(-1)! as never })
        .execute()
      await sql`insert into change_requests (organization_id, id, space_id, number, status, subject, created_by,
          created_at, updated_at, revision_id, revision_initial_id, revision_merged_ancestor_id)
        values ('acme', 'request', 'guide', 1, 'draft', '', 'user', 0, 0, ${own[1]}, ${ids[3]}, ${ids[8]})`.execute(
        tx,
      )
    })
    await old.close()
    const now = await openDatabase(settings)
    const numbers = async (request: string) => {
      const { rows } = await sql<{ id: string; number: number }>`select id, number from revisions
        where coalesce(change_request_id, '') = ${request} order by number`.execute(now.read)
      expect(rows.map(({ number }) => number)).toEqual(rows.map((_, at) => at + 1))
      return rows.map(({ id }) => id)
    }
    expect(await numbers('')).toEqual([lost, ...ids])
    expect(await numbers('request')).toEqual(own)
    await now.close()
  })
})

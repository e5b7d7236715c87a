import { beforeAll, expect, test } from 'vitest'
import { type TestClient, type Person, openTestClient } from '../../../tests/test-client.js'
import { describeEngines } from '../../../tests/engines.js'
import type { OrganizationId } from '../../core/ids.js'
import type { LoadRequest, LoadResult, Step } from '../../core/merkle/types.js'
import { runYielding } from '../../store/content/objects.js'
import type { Database } from '../../store/db/database.js'
import { acrossTestOrganizations } from '../../../tests/test-rows.js'

describeEngines('optimistic merges', (engine) => {
  let database: Database
  let api: TestClient
  let admin: Person
  let organization: OrganizationId
  /** Runs before each transaction of the client's server. */
  let before: () => Promise<unknown> = async () => {}
  let transactions = 0
  beforeAll(async () => {
    database = await engine.open()
    const watched: Database = {
      ...database,
      async writeWithLocks(hold, work) {
        transactions += 1
        await before()
        return database.writeWithLocks(hold, work)
      },
    }
    api = await openTestClient(watched)
    admin = await api.person('admin')
    organization = await api.organization(admin)
  })

  async function ask(method: string, path: string, body?: unknown) {
    const answer = await api.request(admin, method, path, body)
    expect(answer.status, answer.text).toBeLessThan(300)
    return answer.body
  }

  const insert = (title: string) => ({
    changes: [{ operation: 'insert_page', title, document: { markdown: `# ${title}` } }],
  })

  /** A live space, and a change request in it with one page. */
  async function branched(): Promise<{ space: string; request: string }> {
    const { id: space } = await ask('POST', `/orgs/${organization}/spaces`, { title: 'Guide' })
    await ask('PATCH', `/spaces/${space}`, { editMode: 'live' })
    const { id } = await ask('POST', `/spaces/${space}/change-requests`, {})
    const request = `/spaces/${space}/change-requests/${id}`
    await ask('POST', `${request}/content`, insert('Branch'))
    return { space, request }
  }

  async function titlesOf(place: string): Promise<string[]> {
    const { pages } = await ask('GET', `${place}/content/pages`)
    return pages.map(({ title }: { title: string }) => title).toSorted()
  }

  test.each(['merge', 'update'])(
    'a %s ends beside a writer that is always faster, and loses nothing',
    async (verb) => {
      const { space, request } = await branched()
      await ask('POST', `/spaces/${space}/content`, insert('Before'))
      let edits = 0
      before = async () => {
        // Inside its own transaction no other writer interferes.
        const quiet = before
        before = async () => {}
        edits += 1
        if (edits <= 10) await ask('POST', `/spaces/${space}/content`, insert(`Edit ${edits}`))
        before = quiet
      }
      const { result } = await ask('POST', `${request}/${verb}`).finally(() => (before = async () => {}))
      expect(result).toBe(verb)
      // Three plans were stale; the fourth was made while the space was locked.
      expect(edits).toBe(4)
      const titles = ['Before', 'Branch', 'Edit 1', 'Edit 2', 'Edit 3', 'Edit 4', 'Page']
      expect(await titlesOf(verb === 'merge' ? `/spaces/${space}` : request)).toEqual(titles)
    },
  )

  test('a resolution is planned outside the transaction: others write in the space meanwhile, and nothing is lost', async () => {
    const { space, request } = await branched()
    const { pages } = await ask('GET', `/spaces/${space}/content/pages`)
    const [page] = pages
    const write = (place: string, text: string) =>
      ask('POST', `${place}/content`, {
        changes: [{ operation: 'update_page', page: page.id, document: { markdown: `# Page\n\n${text}\n` } }],
      })
    await write(`/spaces/${space}`, 'Words of both.')
    await ask('POST', `${request}/update`)
    await write(`/spaces/${space}`, 'Theirs.')
    await write(request, 'Ours.')
    const [conflict] = (await ask('POST', `${request}/update`)).conflicts
    let edits = 0
    before = async () => {
      const quiet = before
      before = async () => {}
      edits += 1
      // The change request is edited before the transaction of the resolution begins.
      if (edits <= 2) await ask('POST', `${request}/content`, insert(`Edit ${edits}`))
      before = quiet
    }
    const resolutions = [{ id: conflict.id, take: 'theirs' }]
    await ask('POST', `${request}/conflicts`, { resolutions }).finally(() => (before = async () => {}))
    expect(edits).toBe(3)
    const { markdown } = await ask('GET', `${request}/content/page/${page.id}?format=markdown`)
    expect(markdown).toContain('Theirs.')
    expect(await titlesOf(request)).toEqual(['Branch', 'Edit 1', 'Edit 2', 'Page'])
    expect((await ask('GET', `${request}/conflicts`)).conflicts).toEqual([])
  })

  test('what was decided meanwhile counts: an archived change request is not merged', async () => {
    const { space, request } = await branched()
    before = async () => {
      before = async () => {}
      await ask('PATCH', request, { status: 'archived' })
    }
    expect((await api.request(admin, 'POST', `${request}/merge`)).status).toBe(409)
    expect(await titlesOf(`/spaces/${space}`)).toEqual(['Page'])
  })

  test('an act of a long route and its entry in the log are one transaction', async () => {
    const { space, request } = await branched()
    // Later than the save with which it began, whose entry would stand for the next.
    api.advance(660_000)
    for (const [path, body] of [
      [`/spaces/${space}/content`, insert('Live')],
      [`${request}/content`, insert('More')],
      [`${request}/merge`, undefined],
    ] as const) {
      transactions = 0
      await ask('POST', path, body)
      expect(transactions, path).toBe(1)
    }
    const entries = await acrossTestOrganizations(database.read)
      .selectFrom('audit_events')
      .select('action')
      .where('place', 'like', `%${space}%`)
      .orderBy('at', 'desc')
      .limit(3)
      .execute()
    expect(entries.map(({ action }) => action)).toEqual([
      'mergeChangeRequest',
      'updateChangeRequestContent',
      'updateSpaceContent',
    ])
  })

  test('a long step lets others have their turns', async () => {
    const organizationId = organization
    function* busy(): Generator<LoadRequest, number, LoadResult> {
      for (let round = 0; round < 3; round += 1) {
        for (const end = performance.now() + 10; performance.now() < end;) yield { texts: [] }
      }
      return turns
    }
    let turns = 0
    let isOver = false
    const count = (): void => {
      turns += 1
      if (!isOver) setImmediate(count)
    }
    setImmediate(count)
    const seen = await runYielding(busy() as Step<number>, {
      db: database.read,
      organizationId,
      cache: api.services.objects,
    })
    isOver = true
    expect(seen).toBeGreaterThan(1)
  })
})

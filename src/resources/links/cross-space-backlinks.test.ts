/** Cross-space backlinks over HTTP, and the job that indexes them. */
import { beforeAll, expect, test } from 'vitest'
import type { OrganizationId } from '../../core/ids.js'
import type { Database } from '../../store/db/database.js'
import { type WorkerOptions, runNextJob } from '../../store/jobs/worker.js'
import { type TestClient, type Person, openTestClient } from '../../../tests/test-client.js'
import { describeEngines } from '../../../tests/engines.js'
import { acrossTestOrganizations } from '../../../tests/test-rows.js'
import { createCaches } from '../../store/cache/caches.js'
import { createObjectCache } from '../../store/content/objects.js'
import { followLinksJob } from '../content/content-jobs.js'
import { catchUpLinks, followLinksHandler } from './follow-links.js'

describeEngines('backlinks from other spaces', (engine) => {
  let database: Database
  let api: TestClient
  let organization: OrganizationId
  let ann: Person
  let bob: Person

  beforeAll(async () => {
    database = await engine.open()
    api = await openTestClient(database)
    ann = await api.person('ann')
    bob = await api.person('bob')
    organization = await api.organization(ann)
    await api.join(organization, bob, 'read')
  })

  async function make(method: string, path: string, body?: unknown, person = ann): Promise<any> {
    const answer = await api.request(person, method, path, body)
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300)
    return answer.body
  }
  const write = (space: string, ...changes: object[]) =>
    make('POST', `/spaces/${space}/content?compat=false`, { changes })
  const insert = async (space: string, ...texts: string[]): Promise<string[]> =>
    (
      await write(space, ...texts.map((markdown) => ({ operation: 'insert_page', document: { markdown } })))
    ).changes.map((change: any) => change.page.id)
  const edit = (space: string, page: string, markdown: string) =>
    write(space, { operation: 'update_page', page, document: { markdown } })
  const newSpace = async (more: object = {}, into = organization): Promise<string> =>
    (await make('POST', `/orgs/${into}/spaces`, { editMode: 'live', empty: true, ...more })).id
  const linkTo = (space: string, path: string) => `http://octavo.test/s/${space}/${path}`

  const failures: unknown[] = []
  const working = (): WorkerOptions => ({
    database,
    handlers: { [followLinksJob]: followLinksHandler(api.services) },
    now: Date.now,
    random: () => 0,
    report: (error) => failures.push(error),
    signal: new AbortController().signal,
  })
  /** Does what follows from all that was written; the jobs done. */
  async function follow(): Promise<number> {
    let done = 0
    while (await runNextJob(working())) done += 1
    expect(failures).toEqual([])
    return done
  }
  const backlinks = (space: string, page: string, query = 'limit=100', person = ann) =>
    make('GET', `/spaces/${space}/content/page/${page}/backlinks?${query}`, undefined, person)
  /** `space: page` of each, in the order of the list. */
  const places = async (space: string, page: string, person = ann): Promise<string[]> =>
    (await backlinks(space, page, 'limit=100', person)).items.map(
      (item: any) => `${item.space.title}: ${item.page.title}`,
    )

  test('follow those of the space itself, and are updated with every edit', async () => {
    const [target, one, two] = [
      await newSpace({ title: 'Target' }),
      await newSpace({ title: 'One' }),
      await newSpace({ title: 'Two' }),
    ]
    const [goal, other] = await insert(target, '# Goal\n\n## Part\n', '# Other\n\n[goal](goal.md)\n')
    const [byPath] = await insert(
      one,
      `# By path\n\n[a](${linkTo(target, 'goal')})\n\n[b](${linkTo(target, 'Goal#part')})\n`,
    )
    await insert(
      one,
      `# By id\n\n[a](${linkTo(target, goal!)})\n`,
      `# No\n\n[a](${linkTo(target, 'other')}) [b](${linkTo(target, '')})\n`,
    )
    await insert(
      two,
      `# Here\n\n[a](${linkTo(target, 'goal')}) [b](${linkTo(target, '%00')}) [c](${linkTo('nothing', 'x'.repeat(5000))})\n`,
    )
    await edit(target, other!, `# Other\n\n[goal](goal.md)\n\n[whole](${linkTo(target, 'goal')})\n`)
    await follow()
    const expected = ['One: By id', 'One: By path', 'One: By path', 'Two: Here']
    expect((await places(target, goal!)).toSorted()).toEqual(
      [...expected, 'Target: Other', 'Target: Other'].toSorted(),
    )
    const { items, count } = await backlinks(target, goal!)
    expect(count).toBe(6)
    expect(items[0]).toMatchObject({ kind: 'page', space: { title: 'Target' }, page: { id: other } })
    // The block that contains it, in the document of its own page.
    const found = items.filter((item: any) => item.page.id === byPath)
    const document = JSON.stringify(await make('GET', `/spaces/${one}/content/page/${byPath}`))
    for (const item of found) expect(document).toContain(`"key":"${item.internalLocation.node}"`)
    expect(new Set(found.map((item: any) => item.internalLocation.node)).size).toBe(2)

    await edit(one, byPath!, '# By path\n\nNothing any more.\n')
    // Links that no longer exist are not listed, whether the job ran or not.
    expect(await places(target, goal!)).not.toContain('One: By path')
    await follow()
    expect(await places(target, goal!)).not.toContain('One: By path')
    // A page that is called otherwise now is not meant by its former path.
    await write(target, { operation: 'update_page', page: goal, slug: 'aim' })
    expect(await places(target, goal!)).not.toContain('Two: Here')
    expect(await places(target, goal!)).toContain('One: By id')
    await edit(one, byPath!, `# By path\n\n[a](${linkTo(target, 'aim')})\n`)
    await follow()
    expect(await places(target, goal!)).toContain('One: By path')
  })

  test('are listed for readers of the linking space', async () => {
    const target = await newSpace({ title: 'Target' })
    const [closed, open] = [await newSpace({ title: 'Closed' }), await newSpace({ title: 'Open' })]
    const [goal] = await insert(target, '# Goal\n')
    await make('PATCH', `/spaces/${closed}`, { defaultLevel: null })
    for (const space of [closed, open]) await insert(space, `# Page\n\n[a](${linkTo(target, 'goal')})\n`)
    await follow()
    expect((await places(target, goal!)).toSorted()).toEqual(['Closed: Page', 'Open: Page'])
    expect(await places(target, goal!, bob)).toEqual(['Open: Page'])
    expect((await backlinks(target, goal!, 'limit=1', bob)).count).toBe(1)
    expect((await backlinks(target, goal!, 'limit=1', bob)).next).toBeUndefined()
    const request = `/spaces/${target}/change-requests/${(await make('POST', `/spaces/${target}/change-requests`)).number}`
    const inRequest = await make('GET', `${request}/content/page/${goal}/backlinks?limit=100`)
    expect(inRequest.items.map((item: any) => [item.space.title, item.versionContext]).toSorted()).toEqual([
      ['Closed', undefined],
      ['Open', undefined],
    ])
  })

  test('are deleted with the linking space, and with the target', async () => {
    const [target, source] = [await newSpace({ title: 'Target' }), await newSpace({ title: 'Source' })]
    const [goal] = await insert(target, '# Goal\n')
    const text = `# Page\n\n[a](${linkTo(target, 'goal')})\n`
    const [page] = await insert(source, text)
    await follow()
    expect(await places(target, goal!)).toEqual(['Source: Page'])
    await make('DELETE', `/spaces/${source}`)
    expect(await places(target, goal!)).toEqual([])
    await make('POST', `/spaces/${source}/restore`)
    expect(await places(target, goal!)).toEqual(['Source: Page'])

    const elsewhere = await api.organization(ann, 'Elsewhere')
    await make('POST', `/spaces/${source}/transfer`, { organization: elsewhere })
    await follow()
    expect(await places(target, goal!)).toEqual([])
    const rows = await acrossTestOrganizations(database.read)
      .selectFrom('space_links')
      .select('organization_id')
      .where('space_id', '=', source as never)
      .execute()
    expect(rows).toEqual([{ organization_id: elsewhere }])
    await make('POST', `/spaces/${target}/transfer`, { organization: elsewhere })
    await follow()
    expect(await places(target, goal!)).toEqual(['Source: Page'])

    await write(target, { operation: 'delete_page', page: goal })
    const { items } = await make('GET', `/spaces/${source}/content/page/${page}/links?limit=10`)
    expect(items.map((item: any) => item.status)).toEqual(['broken'])
  })

  test('are walked to their end in pieces', async () => {
    const [target, source] = [await newSpace({ title: 'Target' }), await newSpace({ title: 'Source' })]
    const [goal] = await insert(target, '# Goal\n', '# Own\n\n[goal](goal.md)\n')
    const texts = Array.from(
      { length: 7 },
      (_, at) => `# Page ${at}\n\n[a](${linkTo(target, 'goal')})\n\n[b](${linkTo(target, 'goal')})\n`,
    )
    await insert(source, ...texts)
    await follow()
    const all = (await backlinks(target, goal!)).items
    expect(all).toHaveLength(15)
    const walked: unknown[] = []
    let page: string | undefined
    do {
      const list = await backlinks(target, goal!, `limit=4${page === undefined ? '' : `&page=${page}`}`)
      expect(list.count).toBe(15)
      walked.push(...list.items)
      page = list.next?.page
    } while (page !== undefined)
    expect(walked).toEqual(all)
  })

  test('cost as much as the change, not as the space', async () => {
    const [target, source] = [await newSpace(), await newSpace()]
    const [goal] = await insert(target, '# Goal\n')
    const texts = Array.from({ length: 300 }, (_, at) => `# Page ${at}\n\n[a](${linkTo(target, 'goal')})\n`)
    const pages: string[] = []
    for (let at = 0; at < 300; at += 50) pages.push(...(await insert(source, ...texts.slice(at, at + 50))))
    await follow()
    const before = await rowsOf(source)
    expect(before).toHaveLength(300)
    await edit(source, pages[7]!, `# Page 7\n\n[a](${linkTo(target, goal!)})\n`)
    const read: number[] = []
    const reader = {
      ...api.services.reader,
      describe: (text: string) => (read.push(text.length), api.services.reader.describe(text)),
    }
    const services = { ...api.services, reader }
    expect(
      await runNextJob({ ...working(), handlers: { [followLinksJob]: followLinksHandler(services) } }),
    ).toBe(true)
    const after = await rowsOf(source)
    const added = after.filter((row) => !before.includes(row))
    expect(added).toEqual([expect.stringContaining(` ${goal!.toLowerCase()}`)])
    expect(after).toHaveLength(300)
    expect(read.length).toBeLessThan(3)
    // Without a change no work is done.
    await catchUpLinks(api.services, Date.now())
    expect(await follow()).toBe(0)
  })

  test('are found of spaces that were there before, and at another address', async () => {
    const [target, source] = [await newSpace(), await newSpace({ title: 'Source' })]
    const [goal] = await insert(target, '# Goal\n')
    await insert(source, `# Page\n\n[a](${linkTo(target, 'goal')})\n`)
    await follow()
    for (const table of ['space_links', 'space_link_states'] as const)
      await database.write((tx) => acrossTestOrganizations(tx).deleteFrom(table).execute())
    expect(await places(target, goal!)).toEqual([])
    await catchUpLinks(api.services, Date.now())
    expect(await follow()).toBeGreaterThan(1)
    expect(await places(target, goal!)).toEqual(['Source: Page'])
    await database.write((tx) =>
      acrossTestOrganizations(tx)
        .updateTable('space_link_states')
        .set({ application: 'http://former.test' })
        .execute(),
    )
    await catchUpLinks(api.services, Date.now())
    expect(await follow()).toBeGreaterThan(1)
    expect(await places(target, goal!)).toEqual(['Source: Page'])
  })

  test('are followed through a whole space without keeping what is read once', async () => {
    const [target, source] = [await newSpace(), await newSpace()]
    await insert(source, `# Page\n\n[a](${linkTo(target, 'goal')})\n`)
    const caches = createCaches(database, 1_000_000)
    const services = { ...api.services, objects: createObjectCache(caches) }
    const follows = { ...working(), handlers: { [followLinksJob]: followLinksHandler(services) } }
    while (await runNextJob(follows));
    expect(await rowsOf(source)).toHaveLength(1)
    const cached = caches.stats().filter(({ bytes }) => bytes > 0)
    expect(cached.map(({ kind }) => kind)).not.toContain('text links')
  })

  const rowsOf = async (space: string): Promise<string[]> =>
    (
      await acrossTestOrganizations(database.read)
        .selectFrom('space_links')
        .select(['place', 'path'])
        .where('space_id', '=', space as never)
        .orderBy('place')
        .execute()
    ).map(({ place, path }) => `${place} ${path}`)
})

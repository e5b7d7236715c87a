/** Parts of a page tree: depth, parent and fields, equal to the whole tree; conditional and compressed responses. */
import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { describeSqlite } from '../../../tests/engines.js'
import { type Person, type TestClient, openTestClient } from '../../../tests/test-client.js'
import { encode } from '../../access/http/content-encoding.js'
import { randomLetters } from '../../access/ids.js'
import { type Page, pageFields } from '../../contract/pages.js'
import { defaultConfig } from '../../core/config.js'
import type { OrganizationId, PageId, RevisionId, SpaceId } from '../../core/ids.js'
import { memoryObjects } from '../../core/merkle/testing.js'
import { spread } from '../../core/order/position.js'
import { buildSnapshot } from '../../core/pages/build.js'
import { slugify } from '../../core/pages/paths.js'
import type { PageRecord } from '../../core/pages/types.js'
import type { ContentContext } from './content.js'
import { writeTreePart } from './page-list.js'

describeSqlite('parts of a page tree', (engine) => {
  let api: TestClient
  let ann: Person
  let space: string
  const ids = new Map<string, string>()

  const pages = (query: string, headers: Record<string, string> = {}, of = space) =>
    api.server.inject({
      method: 'GET',
      url: `/v1/spaces/${of}/content/pages${query}`,
      headers: { authorization: `Bearer ${ann.token}`, ...headers },
    })
  const change = (changes: object[]) =>
    api.request(ann, 'POST', `/spaces/${space}/content?compat=false`, { changes })
  const update = (name: string, members: object) =>
    change([{ operation: 'update_page', page: ids.get(name), ...members }])

  beforeAll(async () => {
    api = await openTestClient(await engine.open())
    ann = await api.person('ann')
    const organization = await api.organization(ann)
    space = (await api.request(ann, 'POST', `/orgs/${organization}/spaces`, { editMode: 'live' })).body.id
    const insert = async (name: string, into?: string, members: object = {}) => {
      const page = { operation: 'insert_page', document: { markdown: `# ${name}\n\nWords.\n` }, ...members }
      const answer = await change([{ ...page, ...(into !== undefined && { into: ids.get(into) }) }])
      ids.set(name, answer.body.changes[0].page.id)
    }
    await insert('Start', undefined, { emoji: '1f680', description: 'Where to begin' })
    await insert('Install')
    await insert('Linux', 'Install', { hidden: true, linkTitle: 'On Linux' })
    await insert('Packages', 'Linux')
    await insert('Windows', 'Install', { icon: 'windows' })
    await insert('Use')
  })

  /** The part of a whole tree that the query members mean. */
  function expected(nodes: Page[], fields: readonly string[], depth = Infinity): object[] {
    return nodes.map(({ pages: below, ...page }) => ({
      ...Object.fromEntries(Object.entries(page).filter(([name]) => fields.includes(name))),
      ...(fields.includes('childCount') && { childCount: below!.length }),
      ...(depth > 1 && { pages: expected(below!, fields, depth - 1) }),
    }))
  }

  test('are equal to the whole tree, whatever members and levels they have', async () => {
    const whole = (await pages('')).json().pages as Page[]
    expect(whole.map(({ title }) => title)).toEqual(['Page', 'Start', 'Install', 'Use'])
    const always = ['id', 'title', 'type']
    for (const [query, fields, depth] of [
      ['fields=id', always],
      ['fields=title,slug,%20emoji,icon,hidden', [...always, 'slug', 'emoji', 'icon', 'hidden']],
      ['fields=slug,childCount&depth=2', [...always, 'slug', 'childCount'], 2],
      ['fields=path&depth=1', [...always, 'path'], 1],
      ['depth=1', [...always, ...pageFields], 1],
      ['depth=64', [...always, ...pageFields]],
      [`fields=${pageFields.join(',')}`, [...always, ...pageFields]],
    ] as const) {
      const response = await pages(`?${query}`)
      expect(response.json().pages, query).toEqual(expected(whole, fields, depth))
      const below = await pages(`?${query}&below=${ids.get('Install')}`)
      expect(below.json().pages, query).toEqual(expected(whole[2]!.pages!, fields, depth))
    }
    const leaf = await pages(`?depth=1&below=${ids.get('Use')}`)
    expect(leaf.json()).toEqual({ pages: [] })
    const counts = (await pages(`?fields=childCount&depth=1`)).json().pages as Page[]
    expect(counts.map(({ childCount }) => childCount)).toEqual([0, 0, 2, 0])
  })

  test('are refused with the member that is wrong', async () => {
    for (const [query, status, words] of [
      [
        '?fields=id,colour',
        400,
        '"query.fields" holds "colour": it must be one or more of id, title, type, slug',
      ],
      ['?fields=markdown', 400, '"query.fields" holds "markdown"'],
      ['?fields=pages', 400, '"query.fields" holds "pages"'],
      ['?fields=', 400, '"query.fields" holds ""'],
      ['?fields=constructor', 400, '"query.fields" holds "constructor"'],
      ['?fields=id&fields=title', 400, '"query.fields" must be string'],
      ['?depth=0', 400, '"query.depth" must be >= 1'],
      ['?depth=65', 400, '"query.depth" must be <= 64'],
      ['?depth=one', 400, '"query.depth" must be integer'],
      ['?below=nothing', 404, 'There is no such page'],
    ] as const) {
      const response = await pages(query)
      expect(response.statusCode, query).toBe(status)
      expect(response.json().error.message, query).toContain(words)
    }
  })

  test('have a tag that changes with the response, and are 304 with it', async () => {
    const query = '?fields=slug,hidden&depth=1'
    const first = await pages(query)
    const tag = first.headers['etag'] as string
    expect(first.headers).toMatchObject({
      'cache-control': 'private, max-age=0, must-revalidate',
      vary: 'accept-encoding, authorization, cookie',
    })
    const again = await pages(query, { 'if-none-match': tag })
    expect([again.statusCode, again.body, again.headers['etag']]).toEqual([304, '', tag])
    expect(again.headers['content-type']).toBeUndefined()

    // The text of a page is no part of it, and neither is a page further down.
    await update('Start', { document: { markdown: '# Start\n\nOther words.\n' } })
    await update('Windows', { title: 'Every Windows' })
    expect((await pages(query, { 'if-none-match': tag })).statusCode).toBe(304)
    await update('Use', { hidden: true })
    const changed = await pages(query, { 'if-none-match': tag })
    expect([changed.statusCode, changed.json().pages[3].hidden]).toEqual([200, true])

    const stale = await api.server.inject({
      method: 'POST',
      url: `/v1/spaces/${space}/content`,
      headers: { authorization: `Bearer ${ann.token}`, 'if-match': tag },
      payload: { changes: [{ operation: 'update_page', page: ids.get('Use'), hidden: false }] },
    })
    expect(stale.statusCode).toBe(412)
  })

  test('are compressed for clients that accept it; the whole tree is sent as before', async () => {
    const packed = await pages('?depth=1', { 'accept-encoding': 'gzip' })
    expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip' })
    const plain = await pages('?depth=1')
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.body)
    expect(packed.headers['etag']).toBe(plain.headers['etag'])
    const whole = await pages('', { 'accept-encoding': 'gzip' })
    expect(whole.headers).toMatchObject({ 'cache-control': 'no-store' })
    expect(whole.headers['content-encoding']).toBeUndefined()
    expect(whole.json().pages[0].childCount).toBeUndefined()
  })

  const memory = memoryObjects()
  function contentOf(pages: readonly PageRecord[]): ContentContext {
    const snapshot = buildSnapshot(
      { config: defaultConfig, pages, files: [], texts: [], descriptions: new Map() },
      memory,
    )
    const revision = { id: randomLetters(20) as RevisionId, snapshot }
    return {
      organizationId: 'acme' as OrganizationId,
      spaceId: 'space' as SpaceId,
      changeRequestId: null,
      revision,
      writtenRevision: revision,
      run: async (step) => memory.run(step),
    } as ContentContext
  }

  test('count the pages that a visitor may see', async () => {
    const page = (id: string, parent: string | null, condition?: string) =>
      ({
        type: 'document',
        id,
        parent,
        position: 'a',
        title: id,
        slug: id,
        path: id,
        file: `${id}.md`,
        ...(condition !== undefined && { condition }),
      }) as PageRecord
    const beta = 'visitor.claims.beta == true'
    const content = contentOf([
      page('top', null),
      page('open', 'top'),
      page('closed', 'top', beta),
      page('inside', 'closed'),
      page('secret', null, beta),
    ])
    for (const [isBeta, titles, count] of [
      [true, ['secret', 'top'], 2],
      [false, ['top'], 1],
    ] as const) {
      const visitor = { claims: { beta: isBeta }, unsigned: {}, token: 'valid' } as const
      const seen = { ...content, isForReaders: true, visitor }
      const part = { parent: null, depth: 1, fields: new Set(['childCount'] as const) }
      const { content: json } = await writeTreePart(seen, part, api.services)
      const { pages: list } = JSON.parse(Buffer.from(json.json).toString()) as { pages: Page[] }
      expect(list.map(({ title }) => title)).toEqual(titles)
      expect(list.at(-1)).toMatchObject({ title: 'top', childCount: count })
    }
  })

  describe('of ten thousand pages', () => {
    let content: ContentContext
    const nouns = ['Account', 'Branch', 'Collection', 'Domain', 'Event', 'File', 'Gateway', 'Hook', 'Image']

    beforeAll(() => {
      const positions = spread(10_000)
      const ids = positions.map(() => randomLetters(20) as PageId)
      // A hundred at the top, nine with nine below each of them, and nine more.
      const parentOf = (index: number) =>
        index % 100 === 0
          ? null
          : ids[index % 10 === 0 || index % 100 < 10 ? index - (index % 100) : index - (index % 10)]!
      const records = ids.map((id, index): PageRecord => {
        const title = `${nouns[index % nouns.length]} ${index}`
        const slug = slugify(title)
        const place = { slug, path: slug, file: `${slug}.md` }
        return { type: 'document', id, parent: parentOf(index), position: positions[index]!, title, ...place }
      })
      content = contentOf(records)
    })

    const read = async (part: { parent?: PageId; depth?: number; fields?: readonly string[] }) => {
      memory.resetCounts()
      const { parent = null, depth, fields } = part
      const wanted = fields && new Set(fields as (typeof pageFields)[number][])
      const { content: json } = await writeTreePart(content, { parent, depth, fields: wanted }, api.services)
      return { json: Buffer.from(json.json), reads: memory.counts.reads }
    }

    test('are at most 250 kB with what a menu needs', async () => {
      const { json } = await read({ fields: ['slug', 'emoji', 'icon', 'hidden'] })
      expect(json.length).toBeGreaterThan(1_000_000)
      // Their ids alone are 149 kB: twenty random letters and digits.
      for (const encoding of ['gzip', 'br'] as const)
        expect((await encode(json, encoding, 'records')).length, encoding).toBeLessThan(250_000)
    })

    test('are read no more than they are returned, at any depth', async () => {
      const top = await read({ depth: 1 })
      const { pages: list } = JSON.parse(top.json.toString()) as { pages: Page[] }
      expect([list.length, list[0]!.childCount, list[0]!.pages]).toEqual([100, 18, undefined])
      // A hundred pages, each on its own path, and two ends of a range for each of their children.
      expect(top.reads).toBeLessThan(1_000)
      const below = await read({ depth: 1, parent: list[5]!.id as PageId })
      expect(JSON.parse(below.json.toString()).pages).toHaveLength(18)
      expect(below.reads).toBeLessThan(120)
    })
  })
})

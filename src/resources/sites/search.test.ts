/** Site search: scope, visibility per reader, and the content of hits. */
import { beforeAll, expect, test } from 'vitest'
import type { OrganizationId, SpaceId } from '../../core/ids.js'
import { createInlineSearch } from '../../store/search-workers/search-service.js'
import { type Person, openTestClient } from '../../../tests/test-client.js'
import { describeEngines } from '../../../tests/engines.js'
import { type SiteClient, openSiteClient } from '../../../tests/site-client.js'
import { makeVisitorToken } from '../../../tests/visitor-token.js'
import { indexSpace } from '../search/index-space.js'

describeEngines('searching a site', (engine) => {
  let api: SiteClient
  let ann: Person
  let acme: OrganizationId
  let site: string
  let address: string
  let deep: string
  const spaces: Record<string, string> = {}
  const links: Record<string, string> = {}

  async function must(
    method: string,
    path: string,
    body?: object,
    person: Person | null = ann,
  ): Promise<any> {
    const answer = await api.request(person, method, path, body)
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300)
    return answer.body
  }
  const index = (space: string) =>
    indexSpace({
      services: api.services,
      spaceId: space as SpaceId,
      now: Date.now,
      signal: new AbortController().signal,
    })
  const bearerOf = (token: string): Person => ({ id: '' as never, token })
  const readerOf = async (visitor: object = {}, person: Person | null = null): Promise<Person> =>
    bearerOf((await must('POST', '/urls/published', { url: address, visitor }, person)).apiToken)
  const search = (body: object, person: Person = ann) =>
    must('POST', `${site}/search?limit=100`, { query: 'needle', ...body }, person)
  const titles = async (scope: object | undefined, person: Person = ann) =>
    (await search({ ...(scope && { scope }) }, person)).items
      .map(({ title }: { title: string }) => title)
      .toSorted()

  /** Guide (Guide, v1, Guía in Spanish), API (API, Spanish API). */
  beforeAll(async () => {
    api = await openSiteClient(await engine.open())
    ann = await api.person('ann')
    acme = await api.organization(ann)
    for (const title of ['Guide', 'v1', 'Guía', 'API', 'API es', 'Secret']) {
      const made = await api.space(ann, acme, title, [
        { slug: 'home', markdown: `# Home\n\nWords of ${title}.\n` },
        {
          slug: 'hay',
          markdown:
            '---\ndescription: Where it lies.\n---\n\n# Hay\n\nHay.\n\n## First\n\nNothing.\n\n## Second part\n\nHere is the needle.\n\n## Third\n\nAnother needle, and a needle.\n',
        },
        { slug: 'deep', into: 'hay', markdown: '# Needle\n\nIn its title.\n' },
      ])
      spaces[title] = made.id
      if (title === 'Guide') deep = made.pages.get('deep')!
      await index(made.id)
    }
    for (const title of ['Guía', 'API es'])
      await must('PATCH', `/spaces/${spaces[title]}`, { language: 'es' })
    const made = await api.publish(ann, acme, {
      title: 'Docs',
      spaces: [spaces['Guide']!, spaces['v1']!, spaces['Guía']!],
    })
    site = `/orgs/${acme}/sites/${made.id}`
    address = `http://octavo.test${made.base}`
    const { id } = await must('POST', `${site}/sections`, { spaceId: spaces['API'], title: 'API' })
    await must('POST', `${site}/site-spaces`, { spaceId: spaces['API es'], sectionId: id })
    for (const one of (await must('GET', `${site}/site-spaces?limit=100`)).items)
      links[one.space.title] = one.id
  })

  test('searches the spaces of the scope', async () => {
    const all = ['API', 'API es', 'Guide', 'Guía', 'v1']
    const cases: [object | undefined, string[]][] = [
      [undefined, ['API', 'Guide']],
      [{ mode: 'default' }, ['API', 'Guide']],
      [{ mode: 'default', currentSiteSpace: links['v1'] }, ['API', 'v1']],
      [{ mode: 'default', currentSiteSpace: links['Guía'] }, ['API es', 'Guía']],
      [{ mode: 'default', currentSiteSpace: links['Guía'], restrictTo: 'currentSiteSpace' }, ['Guía']],
      [{ mode: 'default', currentSiteSpace: links['Guía'], restrictTo: 'otherSiteSpaces' }, ['API es']],
      [{ mode: 'specific', siteSpaceIds: [links['v1'], links['API es']] }, ['API es', 'v1']],
      [{ mode: 'specific', siteSpaceIds: ['sitesp_unknown'] }, []],
      [{ mode: 'all' }, all],
    ]
    for (const [scope, found] of cases) expect(await titles(scope), JSON.stringify(scope)).toEqual(found)
    expect((await search({ mode: 'all' })).count).toBe(5)
    expect((await search({ mode: 'current', siteSpaceId: links['v1'] })).items).toHaveLength(2)
    expect((await search({ siteSpaceIds: [links['v1']] })).items).toHaveLength(1)
    const wrong = await api.request(ann, 'POST', `${site}/search`, {
      query: 'x',
      scope: { mode: 'specific' },
    })
    expect(wrong.status).toBe(400)
  })

  test('returns each page once, with its matching sections and its ancestors', async () => {
    const [guide] = (await search({ scope: { mode: 'specific', siteSpaceIds: [links['Guide']] } })).items
    expect(guide).toMatchObject({ type: 'space', id: spaces['Guide'], title: 'Guide' })
    const paths = guide.pages.map(({ path }: { path: string }) => path)
    expect(new Set(paths).size).toBe(paths.length)
    expect(guide.pages[0]).toMatchObject({
      title: 'Needle',
      path: 'hay/deep',
      rank: 1,
      ancestors: [{ title: 'Hay' }],
    })
    const hay = guide.pages.find(({ path }: { path: string }) => path === 'hay')
    expect(hay).toMatchObject({
      title: 'Hay',
      description: 'Where it lies.',
      resultType: 'section',
      ancestors: [],
    })
    expect(hay.sections.map(({ path }: { path: string }) => path).toSorted()).toEqual(
      expect.arrayContaining(['hay#second-part', 'hay#third']),
    )
    const scores = guide.pages.map(({ score }: { score: number }) => score)
    expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a))
  })

  test('continues on the next page', async () => {
    const first = await must('POST', `${site}/search?limit=2`, { query: 'needle', scope: { mode: 'all' } })
    expect(first).toMatchObject({ count: 5, next: { page: expect.any(String) } })
    const ids = first.items.map(({ id }: { id: string }) => id)
    const path = `${site}/search?limit=10&page=${first.next.page}`
    const rest = await must('POST', path, { query: 'needle', scope: { mode: 'all' } })
    expect(rest.next).toBeUndefined()
    expect(new Set([...ids, ...rest.items.map(({ id }: { id: string }) => id)]).size).toBe(5)
  })

  test('finds for members what they may read, and for readers what is published', async () => {
    const bob = await api.person('bob')
    await api.join(acme, bob, 'read')
    await must('PATCH', `/spaces/${spaces['v1']}`, { defaultLevel: null })
    expect(await titles({ mode: 'all' }, bob)).toEqual(['API', 'API es', 'Guide', 'Guía'])
    expect(await titles({ mode: 'all' }, await readerOf())).toEqual(['API', 'API es', 'Guide', 'Guía', 'v1'])
    expect(await titles({ mode: 'all' }, await readerOf())).toContain('v1')
    await must('PATCH', `/spaces/${spaces['v1']}`, { defaultLevel: 'inherit' })
    const reader = await readerOf()
    await must('PATCH', `${site}/site-spaces/${links['v1']}`, { draft: true })
    expect(await titles({ mode: 'all' }, reader)).toEqual(['API', 'API es', 'Guide', 'Guía'])
    await must('PATCH', `${site}/site-spaces/${links['v1']}`, { draft: false })
    const stranger = await api.person('stranger')
    expect((await api.request(stranger, 'POST', `${site}/search`, { query: 'x' })).status).toBe(404)
    await must('POST', `${site}/unpublish`)
    expect((await api.request(reader, 'POST', `${site}/search`, { query: 'x' })).status).toBe(401)
    await must('POST', `${site}/publish`)
  })

  test('on an adaptive site finds what is visible to the reader, even while the index lags', async () => {
    const found = async (reader: Person) =>
      (await search({}, reader)).items.flatMap(({ id, pages }: any) =>
        id === spaces['Guide'] ? pages.map(({ path }: any) => path) : [],
      )
    await api.change(ann, spaces['Guide']!, [
      {
        operation: 'update_page',
        page: deep,
        document: { markdown: '---\nif: visitor.claims.plan === "pro"\n---\n\n# Needle\n\nIn its title.\n' },
      },
    ])
    expect(await found(await readerOf())).toContain('hay/deep')
    await must('PATCH', site, { adaptiveContent: { enabled: true } })
    expect(await found(await readerOf())).toEqual(['hay'])
    const { privateKey } = await must('GET', `${site}/publishing/auth`)
    const jwtToken = makeVisitorToken(privateKey, { plan: 'pro' })
    expect(await found(await readerOf({ jwtToken }))).toContain('hay/deep')
    expect(await found(ann)).toContain('hay/deep')
    await must('PATCH', site, { adaptiveContent: { enabled: false } })
  })

  test('returns nothing of a site that was closed while the search waited', async () => {
    const { database } = api.services
    const within = createInlineSearch(database)
    let close: (() => Promise<unknown>) | undefined
    const otherServer = await openTestClient(database, undefined, {
      searching: {
        ...within,
        async find(question, signal) {
          const found = await within.find(question, signal)
          await close?.()
          return found
        },
      },
    })
    const { addresses } = otherServer.services
    expect(addresses.base).toBe(api.services.addresses.base)
    const body = { query: 'needle' }
    const reader = await readerOf()
    expect((await otherServer.request(reader, 'POST', `${site}/search`, body)).status).toBe(200)
    close = () => must('PATCH', site, { visibility: 'share-link' })
    expect((await otherServer.request(reader, 'POST', `${site}/search`, body)).status).toBe(404)
    await must('PATCH', site, { visibility: 'public' })
  })
})

/**
 * A program made for the public API renders a site with us, as such programs do: it asks for addresses without their
 * last slash, caches what it reads by the token and the address, and sends the events of readers without a token.
 */
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { OrganizationId } from '../../core/ids.js'
import { contentTokenStep } from '../../access/signin/content-tokens.js'
import { describeSqlite } from '../../../tests/engines.js'
import { type SiteClient, openSiteClient } from '../../../tests/site-client.js'
import { indexSpecifications } from '../../../tests/background-work.js'
import type { Person } from '../../../tests/test-client.js'
import { makeVisitorToken } from '../../../tests/visitor-token.js'

const origin = 'http://octavo.test'
const specification = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  paths: {
    '/pets': { get: { summary: 'List all pets', tags: ['pets'], responses: { 200: { description: 'OK' } } } },
  },
})

/** What a page shows. */
interface Rendered {
  readonly siteTitle: string
  readonly pageTitle: string
  readonly document: string
}

/** Reads and caches as such a program does; a lookup of an address is cached by the test. */
function createRenderer(api: SiteClient) {
  const cache = new Map<string, unknown>()

  async function get(token: string, path: string): Promise<any> {
    const key = `${token} ${path}`
    if (!cache.has(key)) {
      const answer = await api.request({ id: '' as never, token }, 'GET', path)
      expect(answer.status, `${path}: ${answer.text}`).toBe(200)
      cache.set(key, answer.body)
    }
    return cache.get(key)
  }

  async function lookUp(path: string, visitor: object = {}): Promise<any> {
    let url = origin + path
    for (let hops = 0; hops < 5; hops += 1) {
      const body = { url: url.replace(/\/+$/, ''), visitor }
      const answer = await api.request(null, 'POST', '/urls/published', body)
      expect(answer.status, answer.text).toBe(200)
      if (answer.body.redirect === undefined) return answer.body
      url = answer.body.redirect
    }
    throw new Error(`${path} redirects for ever`)
  }

  async function render({ apiToken, organization, site, space, pathname }: any): Promise<Rendered> {
    const published = await get(apiToken, `/orgs/${organization}/sites/${site}/published`)
    const { revision } = await get(apiToken, `/spaces/${space}`)
    const at = `/spaces/${space}/revisions/${revision}`
    const { pages } = await get(apiToken, at)
    const wanted = pathname.replace(/^\//, '')
    const flat = (some: any[]): any[] => some.flatMap((one) => [one, ...flat(one.pages ?? [])])
    const page = flat(pages).find((one) => (wanted === '' ? one.type === 'document' : one.path === wanted))
    const document = await get(apiToken, `${at}/page/${page.id}/document`)
    // Older programs ask for the document by its id.
    expect(await get(apiToken, `/spaces/${space}/documents/${page.documentId}`)).toEqual(document)
    return {
      siteTitle: published.customizations.site.title ?? published.site.title,
      pageTitle: page.title,
      document: JSON.stringify(document),
    }
  }

  return { get, lookUp, render }
}

describeSqlite('a renderer made for the public API', (engine) => {
  let api: SiteClient
  let ann: Person
  let acme: OrganizationId
  const spaces: Record<string, string> = {}
  let pages: ReadonlyMap<string, string>
  let site: string
  let base: string

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
  const bearerOf = (token: string): Person => ({ id: '' as never, token })
  const status = async (token: string, path: string) =>
    (await api.request(bearerOf(token), 'GET', path)).status
  const headOf = async (title: string): Promise<string> =>
    (await must('GET', `/spaces/${spaces[title]}`)).revision
  /** Merges another text of a page of the payments. */
  const write = (slug: string, words: string) =>
    api.change(ann, spaces['Payments']!, [
      {
        operation: 'update_page',
        page: pages.get(slug),
        document: { markdown: `# Payments ${slug}\n\n${words}\n` },
      },
    ])
  const rename = async (title: string) => {
    const settings = await must('GET', `${site}/customization`)
    await must('PUT', `${site}/customization`, { ...settings, title })
  }

  beforeAll(async () => {
    api = await openSiteClient(await engine.open())
    ann = await api.person('ann')
    acme = await api.organization(ann)
    for (const title of ['Guide', 'Payments', 'Zahlungen']) {
      const made = await api.space(
        ann,
        acme,
        title,
        ['home', 'page'].map((slug) => ({ slug, markdown: `# ${title} ${slug}\n\nFirst words.\n` })),
      )
      spaces[title] = made.id
      if (title === 'Payments') ({ pages } = made)
    }
    await must('PATCH', `/spaces/${spaces['Zahlungen']}`, { language: 'de' })
    const made = await api.publish(ann, acme, { title: 'Docs', spaces: [spaces['Guide']!] })
    site = `/orgs/${acme}/sites/${made.id}`
    base = made.base
    const section = await must('POST', `${site}/sections`, { spaceId: spaces['Payments'], title: 'Payments' })
    await must('POST', `${site}/site-spaces`, { spaceId: spaces['Zahlungen'], sectionId: section.id })
  })
  beforeEach(() => {
    // A time step may end between two requests.
    api.advance(contentTokenStep - (api.now() % contentTokenStep))
  })

  test('shows the first page of every section and variant, whose slash it drops', async () => {
    const { lookUp, render } = createRenderer(api)
    for (const [path, title] of [
      ['', 'Guide home'],
      ['payments/', 'Payments home'],
      ['payments/home', 'Payments home'],
      ['payments/zahlungen/', 'Zahlungen home'],
      ['payments/page', 'Payments page'],
    ])
      expect((await render(await lookUp(base + path))).pageTitle, path).toBe(title)
  })

  test('shows a merge and another customization at once, and what it began before, for the life of the token', async () => {
    const { lookUp, render } = createRenderer(api)
    const before = await lookUp(`${base}payments/page`)
    const former = await headOf('Payments')
    expect(await render(before)).toMatchObject({
      siteTitle: 'Docs',
      document: expect.stringMatching('First'),
    })
    for (const words of ['Second', 'Third']) {
      await write('page', `${words} words.`)
      const { document } = await render(await lookUp(`${base}payments/page`))
      expect(document).toContain(`${words} words`)
      expect(document).not.toContain('First words')
    }
    await rename('Manual')
    const after = await lookUp(`${base}payments/page`)
    expect(await render(after)).toMatchObject({ siteTitle: 'Manual' })

    // What else belongs to the former revision, for a program that has not cached it yet.
    api.advance(contentTokenStep * 1.9)
    const { get } = createRenderer(api)
    const at = `/spaces/${spaces['Payments']}`
    const page = await get(before.apiToken, `${at}/revisions/${former}/path/page`)
    const document = await get(before.apiToken, `${at}/documents/${page.documentId}`)
    expect([page.markdown, JSON.stringify(document)].join()).toMatch(/First words[^]*First words/)
    // With a token that was made when it was no longer published it is history.
    expect(await status(after.apiToken, `${at}/revisions/${former}`)).toBe(404)
    expect(await status(after.apiToken, `${at}/documents/${page.documentId}`)).toBe(404)
    await rename('Docs')
  })

  test('gets another token with whatever the site shows, and with nothing else', async () => {
    const { lookUp } = createRenderer(api)
    const tokenNow = async () => (await lookUp(`${base}payments/page`)).apiToken as string
    let last = await tokenNow()
    const other = await api.space(ann, acme, 'Other', [{ slug: 'home', markdown: '# Home\n' }])
    const unrelated: readonly (() => Promise<unknown>)[] = [
      () => must('POST', `/spaces/${spaces['Payments']}/change-requests`, {}),
      () => must('POST', `/spaces/${spaces['Payments']}/comments`, { body: { markdown: 'Well.' } }),
      () =>
        api.change(ann, other.id, [
          { operation: 'insert_page', slug: 'new', document: { markdown: '# New\n' } },
        ]),
    ]
    for (const write of unrelated) {
      await write()
      expect(await tokenNow()).toBe(last)
    }
    const link = (await must('GET', `${site}/site-spaces?limit=100`)).items[0].id
    const redirect = { source: '/old', destination: { kind: 'external', url: 'https://octavo.test/' } }
    const changes: readonly (() => Promise<unknown>)[] = [
      () => must('PATCH', `/spaces/${spaces['Guide']}`, { title: 'Handbook' }),
      () => must('PATCH', `${site}/site-spaces/${link}`, { title: 'Guide' }),
      () => must('PATCH', `${site}/site-spaces/${link}/customization`, { title: 'Own' }),
      () => must('POST', `${site}/section-groups`, { title: 'Around' }),
      () => must('POST', `${site}/redirects`, redirect),
      () => must('PUT', `${site}/redirects`, { redirects: [{ source: '/old', destination: null }] }),
      async () => {
        await must('PUT', `/orgs/${acme}/openapi/pets`, { source: { text: specification } })
        await indexSpecifications(api)
      },
    ]
    for (const write of changes) {
      await write()
      const next = await tokenNow()
      expect(next, String(write)).not.toBe(last)
      last = next
    }
  })

  test('reads the specification of a block that was removed since', async () => {
    const { lookUp } = createRenderer(api)
    await must('PUT', `/orgs/${acme}/openapi/pets`, { source: { text: specification } })
    await indexSpecifications(api)
    const block = '{% openapi-operation spec="pets" path="/pets" method="get" %}\n{% endopenapi-operation %}'
    await write('page', block)
    const before: string = (await lookUp(`${base}payments/page`)).apiToken
    await write('page', 'First words.')
    const after: string = (await lookUp(`${base}payments/page`)).apiToken
    const latest = `/orgs/${acme}/openapi/pets/versions/latest/content`
    expect([await status(before, latest), await status(after, latest)]).toEqual([200, 404])
  })

  test('reads the documents of an earlier specification version, and files that were removed since', async () => {
    const { lookUp, get } = createRenderer(api)
    const space = `/spaces/${spaces['Payments']}`
    const spec = `/orgs/${acme}/openapi/earlier`
    await must('PUT', spec, { source: { text: specification } })
    await indexSpecifications(api)
    const before = await headOf('Payments')
    const computed = {
      type: 'builtin:openapi',
      dependencies: { spec: { ref: { kind: 'openapi', spec: 'earlier' } } },
    }
    await api.change(ann, spaces['Payments']!, [
      { operation: 'insert_page', title: 'API', computed },
      { operation: 'insert_files', files: [{ ref: 'notes', name: 'notes.txt', base64: 'd29yZHM=' }] },
      { operation: 'insert_page', slug: 'noted', document: { markdown: '# Noted\n\n![n](./notes)\n' } },
    ])
    const { apiToken } = await lookUp(`${base}payments/noted`)
    const { revision } = await get(apiToken, space)
    const at = `${space}/revisions/${revision}`
    const flat = (some: any[]): any[] => some.flatMap((one) => [one, ...flat(one.pages ?? [])])
    const pets = flat((await get(apiToken, at)).pages).find(({ path }) => path?.endsWith('pets'))
    const document = await get(apiToken, `${space}/documents/${pets.documentId}`)
    const file = (await get(apiToken, `${at}/files`)).items.find((one: any) => one.name === 'notes.txt')
    const { pathname, search } = new URL(file.downloadURL)
    expect((await api.read(pathname + search)).status).toBe(200)

    await must('PUT', spec, { source: { text: specification.replace('List all pets', 'List them') } })
    await indexSpecifications(api)
    const now = await lookUp(`${base}payments/noted`)
    for (const token of [apiToken, now.apiToken, ann.token]) {
      const answer = await api.request(bearerOf(token), 'GET', `${space}/documents/${pets.documentId}`)
      expect([answer.status, answer.body]).toEqual([200, document])
    }
    await must('POST', `${space}/revisions/${before}/rollback`)
    expect((await api.read(pathname + search)).status).toBe(200)
    // It is the version in the address that says who has read such a page.
    expect((await api.read(`${pathname}?v=${'A'.repeat(16)}`)).status).toBe(404)
    expect((await api.read(pathname)).status).toBe(404)
    const again = await api.request(bearerOf(apiToken), 'GET', `${space}/documents/${pets.documentId}`)
    expect([again.status, again.body]).toEqual([200, document])
    api.advance(2 * contentTokenStep)
    expect((await api.read(pathname + search)).status).toBe(404)
  })

  test('reads nothing that was published while a part of the site was closed', async () => {
    const { lookUp } = createRenderer(api)
    const at = `/spaces/${spaces['Payments']}`
    const { items } = await must('GET', `${site}/site-spaces?limit=100`)
    const payments = items.find((one: any) => one.space.id === spaces['Payments'])
    const link = `${site}/site-spaces/${payments.id}`
    const section = `${site}/sections/${payments.section}`
    const adaptive = (enabled: boolean) => must('PATCH', site, { adaptiveContent: { enabled } })
    const closings: readonly (readonly [() => Promise<unknown>, () => Promise<unknown>])[] = [
      [() => must('POST', `${site}/unpublish`), () => must('POST', `${site}/publish`)],
      [
        () => must('PATCH', site, { visibility: 'visitor-auth' }),
        () => must('PATCH', site, { visibility: 'public' }),
      ],
      [() => must('PATCH', link, { draft: true }), () => must('PATCH', link, { draft: false })],
      [() => must('PATCH', section, { draft: true }), () => must('PATCH', section, { draft: false })],
      [() => adaptive(true), () => adaptive(false)],
    ]
    for (const [close, open] of closings) {
      const token: string = (await lookUp(`${base}payments/page`)).apiToken
      await close()
      await write('page', 'Secret words.')
      const secret = await headOf('Payments')
      const { documentId } = await must('GET', `${at}/content/path/page`)
      await write('page', 'First words.')
      await open()
      expect(await status(token, `${at}/revisions/${await headOf('Payments')}`)).toBe(200)
      expect(await status(token, `${at}/revisions/${secret}`), String(close)).toBe(404)
      expect(await status(token, `${at}/documents/${documentId}`), String(close)).toBe(404)
    }
  })

  test('reads nothing of a space that was removed, also when it is back', async () => {
    const { lookUp } = createRenderer(api)
    const token: string = (await lookUp(`${base}payments/page`)).apiToken
    const at = `/spaces/${spaces['Zahlungen']}`
    const { items } = await must('GET', `${site}/site-spaces?limit=100`)
    const link = items.find((one: any) => one.space.id === spaces['Zahlungen'])
    const first = await headOf('Zahlungen')
    await must('DELETE', `${site}/site-spaces/${link.id}`)
    await api.change(ann, spaces['Zahlungen']!, [
      { operation: 'insert_page', slug: 'secret', document: { markdown: '# Secret\n' } },
    ])
    const secret = await headOf('Zahlungen')
    for (const id of [first, secret]) expect(await status(token, `${at}/revisions/${id}`)).toBe(404)
    const { id: page } = await must('GET', `${at}/content/path/secret`)
    await api.change(ann, spaces['Zahlungen']!, [{ operation: 'delete_page', page }])
    await must('POST', `${site}/site-spaces`, { spaceId: spaces['Zahlungen'], sectionId: link.section })
    expect(await status(token, `${at}/revisions/${secret}`)).toBe(404)
    expect(await status(token, `${at}/revisions/${await headOf('Zahlungen')}`)).toBe(200)
  })

  test('of a share link reads nothing that was published while the link was switched off', async () => {
    const { lookUp } = createRenderer(api)
    await must('PATCH', site, { visibility: 'share-link' })
    const made = await must('POST', `${site}/share-links`, {})
    const token: string = (await lookUp(`${new URL(made.urls.published).pathname}payments/page`)).apiToken
    const paymentsHead = await headOf('Payments')
    await write('page', 'Open words.')
    const at = `/spaces/${spaces['Payments']}/revisions`
    expect(await status(token, `${at}/${paymentsHead}`)).toBe(200)
    await must('PATCH', `${site}/share-links/${made.id}`, { active: false })
    await write('page', 'Secret words.')
    const secret = await headOf('Payments')
    await write('page', 'First words.')
    expect(await status(token, `${at}/${paymentsHead}`)).toBe(401)
    await must('PATCH', `${site}/share-links/${made.id}`, { active: true })
    expect(await status(token, `${at}/${secret}`)).toBe(404)
    await must('PATCH', site, { visibility: 'public' })
  })

  test('reads former revisions of an adaptive site as its visitor saw them', async () => {
    const { lookUp } = createRenderer(api)
    const guarded = 'For all.\n\n{% if visitor.claims.plan === "pro" %}\nFor the pro.\n{% endif %}'
    await write('page', guarded)
    await must('PATCH', site, { adaptiveContent: { enabled: true } })
    const { privateKey } = await must('GET', `${site}/publishing/auth`)
    const former = await headOf('Payments')
    const found = async (visitor: object) => {
      const { apiToken } = await lookUp(`${base}payments/page`, visitor)
      return { apiToken, documentId: (await must('GET', `${at}/content/path/page`)).documentId }
    }
    const at = `/spaces/${spaces['Payments']}`
    const anonymous = await found({})
    const pro = await found({ jwtToken: makeVisitorToken(privateKey, { plan: 'pro' }) })
    await write('page', 'First words.')
    for (const [{ apiToken, documentId }, sees] of [
      [anonymous, false],
      [pro, true],
    ] as const) {
      const reader = bearerOf(apiToken)
      for (const path of [`revisions/${former}/path/page`, `documents/${documentId}`]) {
        const { status: code, text } = await api.request(reader, 'GET', `${at}/${path}`)
        expect(code).toBe(200)
        expect(text).toContain('For all')
        expect(text.includes('For the pro'), path).toBe(sees)
      }
    }
    await must('PATCH', site, { adaptiveContent: { enabled: false } })
  })

  test('finds the customization of every site space, the page in other languages, and embeds', async () => {
    const { lookUp, get } = createRenderer(api)
    const found = await lookUp(`${base}payments/page`)
    const token: string = found.apiToken
    const { customizations } = await get(token, `${site}/published`)
    const { items } = await must('GET', `${site}/site-spaces?limit=100`)
    expect(Object.keys(customizations.siteSpaces).toSorted()).toEqual(
      items.map(({ id }: any) => id).toSorted(),
    )
    expect(customizations.siteSpaces[found.siteSpace].styling).toEqual(customizations.site.styling)

    const { revision } = await get(token, `/spaces/${found.space}`)
    const canonical = { kind: 'page', page: pages.get('page'), space: spaces['Payments'] }
    const german = await must('GET', `/spaces/${spaces['Zahlungen']}/content/path/page`)
    const alternates = [{ kind: 'page', page: german.id, space: spaces['Zahlungen'] }]
    for (const at of [`revisions/${revision}`, 'content']) {
      const path = `/spaces/${found.space}/${at}/page/${pages.get('page')}/meta-links`
      expect(await get(token, path)).toEqual({ canonical, alternates })
      expect(await must('GET', path)).toEqual({ canonical, alternates })
    }

    const embed = (url: string) => get(token, `/spaces/${found.space}/embed?url=${encodeURIComponent(url)}`)
    expect(await embed('https://docs.example.com/a/b%20c')).toEqual({
      type: 'link',
      title: 'a/b c',
      site: 'docs.example.com',
    })
    const video = await embed('https://youtu.be/dQw4w9WgXcQ?t=1m5s&x="><script>')
    expect(video).toMatchObject({
      type: 'rich',
      site: 'YouTube',
      embedUrl: 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?start=65',
    })
    expect(video.html).toContain(`src="${video.embedUrl}"`)
    expect(video.html).not.toContain('<script')
    expect(await get(token, `/urls/embed?url=${encodeURIComponent('https://a.test/')}`)).toMatchObject({
      type: 'link',
      title: 'a.test',
    })
    for (const url of ['', 'no address', 'javascript:alert(1)', 'file:///etc/passwd'])
      expect(await status(token, `/spaces/${found.space}/embed?url=${encodeURIComponent(url)}`)).toBe(400)
  })

  test('asks for a page by its path with slashes, written as %2F or not', async () => {
    await api.change(ann, spaces['Payments']!, [
      {
        operation: 'insert_page',
        slug: 'inner',
        into: pages.get('page'),
        document: { markdown: '# Inner\n' },
      },
    ])
    const at = `/spaces/${spaces['Payments']}/content/path`
    for (const path of [
      'page%2Finner',
      'page/inner',
      '/page/inner',
      'page/inner/',
      'page%2finner?format=markdown',
    ])
      expect((await must('GET', `${at}/${path}`)).title, path).toBe('Inner')
    for (const path of ['page/nothing', 'page/inner/deeper'])
      expect((await api.request(ann, 'GET', `${at}/${path}`)).status, path).toBe(404)
  })

  test('reports events of readers without a token, where the site is open', async () => {
    const { lookUp } = createRenderer(api)
    const found = await lookUp(`${base}payments/page`)
    const eventOf = (location: object = {}, session: object = {}) => ({
      type: 'page_view',
      session: {
        visitorId: 'a',
        userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0',
        language: 'en',
        referrer: null,
        ...session,
      },
      location: {
        url: `${origin}${base}payments/page`,
        siteSection: null,
        siteSpace: null,
        siteShareKey: null,
        space: found.space,
        revision: null,
        page: pages.get('page'),
        ...location,
      },
    })
    const send = (events: readonly object[], person: Person | null = null, of = site) =>
      api.request(person, 'POST', `${of}/insights/events`, { events })
    const viewed = async (): Promise<any[]> => {
      await api.services.visitorEvents.flush(true)
      return (await must('GET', `${site}/insights/pages`)).items
    }
    const posted = await send([
      eventOf(),
      eventOf({ page: 'unknown' }),
      eventOf({}, { userAgent: 'Googlebot/2.1' }),
    ])
    expect([posted.status, posted.headers['access-control-allow-origin']]).toEqual([204, '*'])
    expect((await send([eventOf()], bearerOf(found.apiToken))).status).toBe(204)
    // A token that does not open the site is as good as none.
    const stranger = await api.person('stranger of the site')
    expect((await send([eventOf()], stranger)).status).toBe(204)
    // Only views of pages that exist, by people, are listed by page.
    expect(await viewed()).toMatchObject([{ page: pages.get('page'), views: 3 }])

    // Browsers ask before they send JSON to another origin.
    const preflight = await api.server.inject({ method: 'OPTIONS', url: `/v1${site}/insights/events` })
    expect([preflight.statusCode, preflight.headers['access-control-allow-methods']]).toEqual([204, 'POST'])

    // Everything else needs the token, whether or not there is such a site.
    expect((await send([eventOf({ space: 'hidden' })])).status).toBe(400)
    await must('PATCH', site, { visibility: 'share-link' })
    for (const of of [site, `${site}x`, '/orgs/none/sites/none'])
      expect((await send([eventOf()], null, of)).status, of).toBe(401)
    expect((await send([eventOf()], stranger)).status).toBe(404)
    await must('PATCH', site, { visibility: 'public' })

    // By address, however many visitors are made up.
    const many = Array.from({ length: 100 }, (_, number) => eventOf({}, { visitorId: `${number}` }))
    const statuses = new Set<number>()
    for (let count = 0; count < 70; count += 1) statuses.add((await send(many)).status)
    expect([...statuses]).toEqual([204, 429])
    expect((await send(many, bearerOf((await lookUp(`${base}page`)).apiToken))).status).toBe(204)
  })
})

/**
 * Site visibility: every output of a site, for every kind of reader, under every kind of publishing. One table, because
 * one function decides it. A new output is added to `outputs`; a missing one does not compile, or fails the last test.
 */
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import type { OrganizationId, SpaceId } from '../src/core/ids.js'
import { indexSpace } from '../src/resources/search/index-space.js'
import type { Feed, PathMatch } from '../src/site/routing/match-path.js'
import { plainCustomization } from './customization/samples.js'
import type { Person } from './test-client.js'
import { describeSqlite } from './engines.js'
import { computedPage, processSpecs } from './openapi-specs.js'
import { type SiteClient, openSiteClient } from './site-client.js'
import { makeVisitorToken } from './visitor-token.js'

interface Output {
  /** Below the base of a site; `{}` is filled in once the site exists. */
  readonly path: string
  /** For an admitted reader: 200 by default, by visibility where it differs. */
  readonly status?: number | ((visibility: Visibility) => number)
  readonly method?: 'POST'
}

const visibilities = ['public', 'unlisted', 'share-link', 'visitor-auth'] as const
type Visibility = (typeof visibilities)[number]
const isOpen = (visibility: Visibility) => visibility === 'public' || visibility === 'unlisted'
const whereFilesAre = (visibility: Visibility) => (isOpen(visibility) ? 404 : 200)

type Kind = Exclude<PathMatch['kind'], 'feed'>

/** By the kind of path, which covers everything below a site. */
const outputs: Readonly<Record<Kind | `feed ${Feed['name']}`, readonly Output[]>> = {
  page: [
    { path: '' },
    { path: 'zebra' },
    { path: 'zebra.md' },
    { path: '?q=zebra' },
    { path: 'herd', status: 307 },
    { path: 'nowhere', status: 404 },
    { path: 'nowhere.md' },
    { path: 'zebra/rss.xml', status: 404 },
    { path: 'zebra?q=stripes' },
    // Made of a specification.
    { path: 'zebra-api' },
    { path: 'zebra-api/zebras' },
    { path: 'zebra-api/zebras.md' },
    { path: 'zebra-api/nothing', status: 404 },
  ],
  search: [{ path: '~octavo/search?q=zebra' }],
  stylesheet: [{ path: '{sheet}' }, { path: '~octavo/theme-0123456789abcdef.css', status: 404 }],
  branch: [{ path: '~octavo/tree/zebra' }, { path: '~octavo/tree/zebra-api' }],
  text: [{ path: '{text}' }],
  specification: [
    { path: '{specification}' },
    { path: '~octavo/openapi/0123456789abcdef/herd.json', status: 404 },
    { path: '~octavo/openapi/herd.json', status: 404 },
  ],
  file: [
    { path: '{file}', status: whereFilesAre },
    { path: '{file}&w=480', status: whereFilesAre },
  ],
  variant: [{ path: 'ZEBRA', status: 308 }],
  mcp: [{ path: '~octavo/mcp', method: 'POST' }],
  picture: [{ path: '{picture}' }, { path: '~octavo/ogimage/nothing', status: 404 }],
  icon: [{ path: '~octavo/icon' }],
  // GET is not found; src/server/sites/beacons.test.ts covers the beacons themselves.
  beacon: [{ path: '~octavo/feedback/zebra', status: 404 }],
  visitor: [{ path: '~octavo/visitor' }, { path: '~gitbook/visitor' }],
  none: [{ path: '~octavo/file/none/none/none', status: 404 }],
  'feed robots.txt': [{ path: 'robots.txt' }],
  'feed sitemap.xml': [
    { path: 'sitemap.xml', status: (visibility) => (visibility === 'public' ? 200 : 404) },
  ],
  'feed sitemap-pages.xml': [
    { path: 'sitemap-pages.xml', status: (visibility) => (visibility === 'public' ? 200 : 404) },
  ],
  'feed ~octavo/theme.css': [{ path: '~octavo/theme.css' }],
  'feed llms.txt': [{ path: 'llms.txt' }, { path: 'sitemap.md' }],
  'feed llms-full.txt': [{ path: 'llms-full.txt' }],
}

/** The routes mounted for sites: requested above, or with the reason why not. */
const routes: Readonly<Record<string, string>> = {
  'GET /@:organization/:site': 'covered',
  'HEAD /@:organization/:site': 'covered',
  'GET /@:organization/:site/*': 'covered',
  'HEAD /@:organization/:site/*': 'covered',
}

const specification = (tag: string, summary: string) => {
  // More members than a page displays, so that it links to the whole.
  const members = Array.from({ length: 1_200 }, (_, at) => [`m${at}`, { type: 'string' }])
  const schema = { type: 'object', properties: Object.fromEntries(members) }
  const content = { 'application/json': { schema } }
  const operation = { tags: [tag], summary, responses: { 200: { description: 'Done.', content } } }
  return { openapi: '3.1.0', info: { title: 'API', version: '1' }, paths: { '/all': { get: operation } } }
}

/** Not found; a token is missing; the site is visible. */
type Admission = 'absent' | 'token' | 'open'

interface Comer {
  readonly name: string
  readonly headers?: Readonly<Record<string, string>>
  /** Before the path. */
  readonly key?: string
}

describeSqlite('the audience of a site', (engine) => {
  let api: SiteClient
  let ann: Person
  let member: Person
  let stranger: Person
  let acme: OrganizationId
  let guide: string
  let site: { id: string; base: string }
  let text: string
  let whole: string
  let sheet: string
  let picture: string
  let file: string
  let key: string
  const mounted = new Set<string>()
  let requestCount = 0

  const change = (path: string, body?: object, method = 'PATCH') =>
    api.request(ann, method, `/orgs/${acme}/sites/${site.id}${path}`, body)

  const specify = async (slug: string, about: object) => {
    const body = { source: { text: JSON.stringify(about) } }
    expect((await api.request(ann, 'PUT', `/orgs/${acme}/openapi/${slug}`, body)).status).toBeLessThan(300)
    await processSpecs(api)
  }

  beforeAll(async () => {
    api = await openSiteClient(await engine.open(), ({ method, url }) => mounted.add(`${method} ${url}`))
    ann = await api.person('ann')
    acme = await api.organization(ann)
    member = await api.person('member')
    await api.join(acme, member, 'read')
    stranger = await api.person('stranger')
    await api.organization(stranger, 'Elsewhere')
    await specify('herd', specification('zebras', 'List zebras'))
    guide = await api.folder(ann, acme, 'Guide', {
      'README.md': '# Zebra home\n\n{% file src="notes.md" %}\n{% endfile %}\n',
      'zebra.md': '# Zebra\n\nStripes of a zebra.\n',
      'zebra/foal.md': '# Zebra foal\n',
      'notes.md': '# Zebra notes\n',
      'SUMMARY.md':
        '# Table of contents\n\n* [Zebra home](README.md)\n* [Zebra](zebra.md)\n  * [Zebra foal](zebra/foal.md)\n' +
        computedPage('Zebra API', 'herd'),
    })
    const noisy = { width: 600, height: 200, channels: 3, background: '#888' } as const
    const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
    const bytes = await sharp({ create: { ...noisy, noise } })
      .png()
      .toBuffer()
    await api.change(ann, guide, [
      { operation: 'insert_files', files: [{ name: 'zebra.png', base64: bytes.toString('base64') }] },
    ])
    site = await api.publish(ann, acme, { title: 'Docs', spaces: [guide] })
    const { text: home } = await api.read(site.base)
    picture = /~octavo\/ogimage\/[^"]+/.exec(home)![0]
    text = /href="([^"]+)" download="notes.md"/.exec(home)![1]!.slice(site.base.length)
    const { items } = (await api.request(ann, 'GET', `/spaces/${guide}/content/files`)).body
    const { text: wide } = await api.read(`${site.base}zebra-api/zebras`)
    whole = /\(<a href="([^"]+)">herd\.json<\/a>\)/.exec(wide)![1]!.slice(site.base.length)
    file = `~octavo/file/${guide}/${items[0].id}/zebra.png?v=1`
    const color = { light: '#aa2200', dark: '#ffbb99' }
    const styling = { ...plainCustomization.styling, primaryColor: color }
    expect((await change('/customization', { ...plainCustomization, styling }, 'PUT')).status).toBe(200)
    const { text: styled } = await api.read(site.base)
    sheet = /href="([^"]+theme-[^"]+)"/.exec(styled)![1]!.slice(site.base.length)
    const { id: siteSpaceId } = (await api.request(ann, 'GET', `/orgs/${acme}/sites/${site.id}/site-spaces`))
      .body.items[0]
    await change('/redirects', { source: '/herd', destination: { kind: 'site-space', siteSpaceId } }, 'POST')
    key = (await change('/publishing/auth', undefined, 'GET')).body.privateKey
  })

  const seconds = () => Math.floor(api.now() / 1000)
  const bearer = (claims: object, signedBy = key) => ({
    authorization: `Bearer ${makeVisitorToken(signedBy, claims)}`,
  })
  const as = (person: Person) => ({ authorization: `Bearer ${person.token}` })
  const makeLink = async (): Promise<{ id: string; key: string }> => {
    const { id, urls } = (await change('/share-links', {}, 'POST')).body
    return { id, key: new URL(urls.published).pathname.slice(site.base.length) }
  }

  /** From another IP address each time, so that no request counts as brute force. */
  function readOutput(
    { path, method }: Output,
    { headers = {}, key: before = '' }: Comer,
    base: string,
    isHead = false,
  ) {
    requestCount += 1
    const filled = path
      .replace('{text}', text)
      .replace('{specification}', whole)
      .replace('{sheet}', sheet)
      .replace('{picture}', picture)
      .replace('{file}', file)
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
    return api.server.inject({
      method: isHead ? 'HEAD' : (method ?? 'GET'),
      url: base + before + filled,
      remoteAddress: `10.${requestCount >> 16}.${(requestCount >> 8) & 255}.${requestCount & 255}`,
      headers: {
        host: 'octavo.test',
        ...headers,
        ...(method !== undefined && {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        }),
      },
      ...(method !== undefined && { payload: JSON.stringify(message) }),
    })
  }

  const login = 'https://example.com/login'

  /** Requests every output as a reader, and compares with the expected statuses. */
  async function expectAll(comer: Comer, admission: Admission, visibility: Visibility): Promise<void> {
    for (const [kind, rows] of Object.entries(outputs)) {
      for (const output of rows) {
        const answer = await readOutput(output, comer, site.base)
        const about = `${comer.name}, ${visibility}: ${kind}, ${output.path}`
        const { statusCode, headers, body } = answer
        const keeping = String(headers['cache-control'])
        if (admission === 'open') {
          const { status = 200 } = output
          expect(statusCode, about).toBe(typeof status === 'number' ? status : status(visibility))
          if (!isOpen(visibility)) expect(keeping, about).toMatch(/^(?:private|no-store)/)
          if (visibility !== 'public' && String(headers['content-type']).startsWith('text/html'))
            expect(headers['x-robots-tag'], about).toBe('noindex')
        } else {
          expect(keeping, about).toMatch(/^(?:private|no-store)/)
          expect(body, about).not.toMatch(/zebra|stripes/i)
          if (admission === 'absent') {
            const nothing = await readOutput(output, comer, '/@acme/nothing/')
            expect([statusCode, body], about).toEqual([404, nothing.body])
            expect(Object.keys(headers).toSorted()).toEqual(Object.keys(nothing.headers).toSorted())
          } else if (/^~(?:octavo|gitbook)\//.test(output.path) || output.path.startsWith('{')) {
            expect([statusCode, headers['www-authenticate']], about).toEqual([401, 'Bearer'])
          } else {
            const location = `/${output.path}`
            const to = `${login}?${new URLSearchParams({ location }).toString()}`
            expect([statusCode, headers['location']], about).toEqual([307, to])
          }
        }
        if (output.method === undefined && comer.headers === undefined) {
          const head = await readOutput(output, comer, site.base, true)
          expect([head.statusCode, head.body], `HEAD ${about}`).toEqual([statusCode, ''])
        }
      }
    }
  }

  test.each(visibilities)('that is %s', async (visibility) => {
    await change('', { visibility })
    await change('/publishing/auth', { fallbackURL: login })
    const link = await makeLink()
    const [ended, removed] = [await makeLink(), await makeLink()]
    await change(`/share-links/${ended.id}`, { active: false })
    await change(`/share-links/${removed.id}`, undefined, 'DELETE')
    const oldKey = key
    key = (await change('/publishing/auth/regenerate', undefined, 'POST')).body.privateKey
    const closed: Admission = { 'share-link': 'absent', 'visitor-auth': 'token' }[
      visibility as 'share-link'
    ] as never
    const unlessOpen = (admission: Admission): Admission => (isOpen(visibility) ? 'open' : admission)
    const byToken = unlessOpen(visibility === 'visitor-auth' ? 'open' : 'absent')

    await expectAll({ name: 'nobody' }, unlessOpen(closed), visibility)
    await expectAll({ name: 'a stranger', headers: as(stranger) }, unlessOpen(closed), visibility)
    await expectAll(
      { name: 'a wrong API token', headers: { authorization: 'Bearer x' } },
      unlessOpen(closed),
      visibility,
    )
    await expectAll({ name: 'a member', headers: as(member) }, 'open', visibility)
    await expectAll({ name: 'a visitor', headers: bearer({ exp: seconds() + 600 }) }, byToken, visibility)
    for (const [name, headers] of [
      ['a visitor of before', bearer({}, oldKey)],
      ['a visitor of another site', bearer({}, 'another key')],
      ['a visitor of yesterday', bearer({ exp: seconds() - 600 })],
      ['a visitor of tomorrow', bearer({ iat: seconds() + 600 })],
    ] as const)
      await expectAll({ name, headers }, unlessOpen(closed), visibility)

    // Keys open share-link sites alone; on any other they begin a path that does not exist.
    if (isOpen(visibility)) {
      expect(
        (await readOutput({ path: 'zebra' }, { name: 'key', key: link.key }, site.base)).statusCode,
      ).toBe(404)
      return
    }
    if (visibility === 'visitor-auth') {
      const { statusCode, headers } = await readOutput(
        { path: 'zebra' },
        { name: 'key', key: link.key },
        site.base,
      )
      expect([statusCode, headers['location']]).toEqual([307, expect.stringContaining(login)])
      return
    }
    await expectAll({ name: 'a link', key: link.key }, 'open', visibility)
    for (const [name, { key: other }] of [
      ['a link that was ended', ended],
      ['a link that was removed', removed],
      ['a link that never was', { key: `${'x'.repeat(30)}/` }],
      ['a link that was changed', { key: link.key.replace(/.\/$/, (last) => (last === 'x/' ? 'y/' : 'x/')) }],
    ] as const)
      await expectAll({ name, key: other }, closed, visibility)
  })

  test('that was unpublished or deleted is invisible from the next response on', async () => {
    const link = await makeLink()
    const comers = (): Comer[] => [
      { name: 'nobody' },
      { name: 'a member', headers: as(member) },
      { name: 'a visitor', headers: bearer({}) },
      { name: 'a link', key: link.key },
    ]
    for (const visibility of visibilities) {
      await change('', { visibility })
      await change('/publish', undefined, 'POST')
      for (const comer of comers()) await readOutput({ path: 'zebra' }, comer, site.base)
      await change('/unpublish', undefined, 'POST')
      for (const comer of comers()) await expectAll(comer, 'absent', visibility)
    }
    await change('/publish', undefined, 'POST')
  })

  test.each(visibilities)(
    'that is %s and adaptive shows conditional content where the condition holds, in every output',
    async (visibility) => {
      const isKeeper = 'visitor.claims.role == "keeper"'
      await specify('sesame', specification('Sesame tag', 'Sesame operation'))
      const space = await api.folder(ann, acme, `Kept ${visibility}`, {
        'README.md': `# Home\n\nOpen.\n\n{% if ${isKeeper} %}\nSesame part, [part](part.txt).\n{% endif %}\n`,
        'closed.md': `---\nif: ${isKeeper}\n---\n\n# Sesame page\n\n[whole](whole.txt) [open](open.txt)\n`,
        'closed/below.md': '# Sesame below\n',
        'last.md': '# Last\n\n[open](open.txt)\n',
        'part.txt': 'Sesame',
        'whole.txt': 'Sesame',
        'open.txt': 'Open',
        'SUMMARY.md':
          '# Table of contents\n\n* [Home](README.md)\n* [Sesame page](closed.md)\n  * [Sesame below](closed/below.md)\n' +
          computedPage('Sesame made', 'sesame', '  ') +
          '* [Last](last.md)\n',
      })
      const { signal } = new AbortController()
      await indexSpace({ services: api.services, spaceId: space as SpaceId, signal, now: Date.now })
      const adaptive = await api.publish(ann, acme, { title: `Kept ${visibility}`, spaces: [space] })
      const at = `/orgs/${acme}/sites/${adaptive.id}`
      await api.request(ann, 'PATCH', at, { visibility, adaptiveContent: { enabled: true } })
      const { privateKey } = (await api.request(ann, 'GET', `${at}/publishing/auth`)).body
      const link = (await api.request(ann, 'POST', `${at}/share-links`, {})).body.urls.published
      const before = visibility === 'share-link' ? new URL(link).pathname.slice(adaptive.base.length) : ''
      const { items } = (await api.request(ann, 'GET', `/spaces/${space}/content/files?limit=100`)).body
      const fileOf = (name: string) => {
        const { id } = items.find((one: { name: string }) => one.name === name)
        return `~octavo/file/${space}/${id}/${name}`
      }
      const readAs = async (claims: object | undefined) => {
        const headers = claims === undefined ? {} : bearer({ exp: seconds() + 600, ...claims }, privateKey)
        const ask = (path: string) =>
          readOutput({ path }, { name: 'visitor', headers, key: before }, adaptive.base)
        const texts = await Promise.all(
          [
            '',
            'readme.md',
            'last',
            'llms.txt',
            'llms-full.txt',
            '~octavo/tree/closed',
            '?q=sesame',
            'closed/sesame-made/sesame-tag.md',
          ].map(ask),
        )
        const opened = await Promise.all(
          [
            'closed',
            'closed/below',
            'closed/sesame-made',
            'closed/sesame-made/sesame-tag',
            fileOf('part.txt'),
            fileOf('whole.txt'),
          ].map(ask),
        )
        const open = await ask(fileOf('open.txt'))
        const found = await ask('~octavo/search?q=sesame')
        return {
          texts: texts.map(({ body }) => body.replaceAll(/value="sesame"|<[^>]*>sesame<\/|“sesame”/gi, '')),
          opened: opened.map(({ statusCode }) => statusCode),
          open: open.statusCode,
          found: JSON.parse(found.body).count as number,
        }
      }
      const others = visibility === 'visitor-auth' ? [{}] : [undefined, {}]
      for (const claims of [...others, { role: 'guest' }]) {
        const { texts, opened, open, found } = await readAs(claims)
        for (const body of texts)
          expect(body, JSON.stringify(claims)).not.toMatch(/sesame (?:part|page|below|made|tag|operation)/i)
        expect({ opened, open, found }).toEqual({ opened: Array(6).fill(404), open: 200, found: 0 })
      }
      const { texts, opened, open, found } = await readAs({ role: 'keeper' })
      for (const body of texts) expect(body).toMatch(/sesame (?:part|page|below|operation)/i)
      expect({ opened, open, found }).toEqual({ opened: Array(6).fill(200), open: 200, found: 5 })
    },
  )

  test.each(visibilities)(
    'that is %s has its PDF where the content may be read itself, with what is made of specifications',
    async (visibility) => {
      await change('', { visibility })
      const { pages } = (await api.request(ann, 'GET', `/spaces/${guide}/content`)).body
      const [made] = pages.at(-1).pages
      expect(made.path).toBe('zebra-api/zebras')
      const at = `/spaces/${guide}/pdf`
      const link = visibility === 'share-link' ? (await makeLink()).key : ''
      const visitor =
        visibility === 'visitor-auth' ? { jwtToken: makeVisitorToken(key, { exp: seconds() + 600 }) } : {}
      const url = `http://octavo.test${site.base}${link}zebra`
      const resolved = await api.request(null, 'POST', '/urls/published', { url, visitor })
      const reader = { token: resolved.body.apiToken } as Person
      expect((await api.request(reader, 'GET', `/spaces/${guide}/content`)).status, resolved.text).toBe(200)
      expect((await api.request(reader, 'GET', at)).status).toBe(403)
      expect((await api.request(null, 'GET', at)).status).toBe(401)
      expect((await api.request(stranger, 'GET', at)).status).toBe(404)
      const answer = await api.request(member, 'GET', `${at}?page=${made.id}`)
      expect(answer.status, answer.text).toBe(200)
      const { pathname, search } = new URL(answer.body.url)
      const named = search.replace(/&token=[^&]*/, '')
      expect(named).not.toBe(search)
      for (const [headers, status] of [
        [{}, 404],
        [as(stranger), 404],
        [bearer({ exp: seconds() + 600 }), 401],
        [as(member), 202],
      ] as const) {
        const asking = { accept: 'application/json', ...headers }
        expect((await api.read(pathname + named, asking)).status).toBe(status)
      }
      // The signed URL opens its file, and nothing else.
      expect((await api.read(pathname + search, { accept: 'application/json' })).status).toBe(202)
      const other = search.replace(made.id, pages[1].id)
      expect((await api.read(pathname + other, { accept: 'application/json' })).status).toBe(404)
    },
  )

  test('every route below a site is covered', () => {
    const below = [...mounted].filter((route) => /^\w+ \/@/.test(route)).toSorted()
    expect(below).toEqual(Object.keys(routes).toSorted())
  })
})

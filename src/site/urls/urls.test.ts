/** URL resolution, and what its content tokens grant: one site, as its reader sees it now. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { OrganizationId } from '../../core/ids.js'
import { routes } from '../../server/api/api.js'
import { contentTokenStep } from '../../access/signin/content-tokens.js'
import { type TestResponse, type Person, mistyped } from '../../../tests/test-client.js'
import { describeEngines } from '../../../tests/engines.js'
import { type SiteClient, openSiteClient } from '../../../tests/site-client.js'
import { makeVisitorToken } from '../../../tests/visitor-token.js'

const origin = 'http://octavo.test'

describeEngines('addresses', (engine) => {
  let api: SiteClient
  let ann: Person
  let bob: Person
  let acme: OrganizationId
  let site: string
  let siteId: string
  let base: string
  const spaces: Record<string, string> = {}
  const links: Record<string, string> = {}
  const sections: Record<string, string> = {}

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
  const lookUp = (path: string, person: Person | null = null): Promise<TestResponse> =>
    api.request(person, 'POST', '/urls/published', { url: path.startsWith('http') ? path : origin + path })
  const resolve = (path: string, person: Person | null = null): Promise<any> =>
    must('POST', '/urls/published', { url: origin + path }, person)
  const bearerOf = (token: string): Person => ({ id: '' as never, token })
  const payloadOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString())

  /** Guide (Guide, v1), API (API, v2), and Secret, which is not on the site. */
  beforeAll(async () => {
    api = await openSiteClient(await engine.open())
    ann = await api.person('ann')
    bob = await api.person('bob')
    acme = await api.organization(ann)
    for (const title of ['Guide', 'v1', 'API', 'v2', 'Secret']) {
      const pages = ['home', 'page'].map((slug) => ({
        slug,
        markdown: `# ${title} ${slug}\n\nWords of ${title}.\n`,
      }))
      spaces[title] = (await api.space(ann, acme, title, pages)).id
    }
    const made = await api.publish(ann, acme, { title: 'Docs', spaces: [spaces['Guide']!, spaces['v1']!] })
    siteId = made.id
    site = `/orgs/${acme}/sites/${made.id}`
    base = made.base
    sections['API'] = (await must('POST', `${site}/sections`, { spaceId: spaces['API'], title: 'API' })).id
    sections['Docs'] = (await must('GET', `${site}/sections`)).items[0].id
    await must('POST', `${site}/site-spaces`, { spaceId: spaces['v2'], sectionId: sections['API'] })
    for (const { id, space } of (await must('GET', `${site}/site-spaces?limit=100`)).items)
      links[space.title] = id
  })
  beforeEach(async () => {
    await must('PATCH', site, { visibility: 'public' })
    await must('POST', `${site}/publish`)
  })

  describe('of a published site', () => {
    test('resolve to section, variant and path of the page', async () => {
      const cases = [
        ['', 'Docs', 'Guide', '', '/', false],
        ['page', 'Docs', 'Guide', '', '/page', true],
        ['no/such/page', 'Docs', 'Guide', '', '/no/such/page', true],
        ['docs/v1/', 'Docs', 'v1', 'docs/v1/', '/', true],
        ['docs/v1/page', 'Docs', 'v1', 'docs/v1/', '/page', true],
        ['docs/v1', 'Docs', 'v1', 'docs/v1/', '/', true],
        ['api/', 'API', 'API', 'api/', '/', false],
        ['api', 'API', 'API', 'api/', '/', false],
        ['api/page', 'API', 'API', 'api/', '/page', true],
        ['api/v2/page?x=1#y', 'API', 'v2', 'api/v2/', '/page', true],
      ] as const
      for (const [path, section, space, below, pathname, complete] of cases)
        expect(await resolve(base + path), path).toEqual({
          organization: acme,
          site: siteId,
          siteSection: sections[section],
          siteSpace: links[space],
          space: spaces[space],
          siteBasePath: base,
          basePath: base + below,
          pathname,
          complete,
          canonicalUrl: origin + base + below + pathname.slice(1),
          apiToken: expect.any(String),
        })
    })

    test('redirect from names that are not canonical', async () => {
      const cases = [
        ['API', 'api/'],
        ['DOCS/V1/page', 'docs/v1/page'],
        ['docs/page', 'page'],
        ['docs/guide/page', 'page'],
        ['api/api/page', 'api/page'],
      ] as const
      for (const [path, to] of cases)
        expect(await resolve(base + path), path).toEqual({ target: 'content', redirect: origin + base + to })
    })

    test("redirect from a section's former name", async () => {
      await must('PATCH', `${site}/sections/${sections['API']}`, { path: 'reference' })
      expect(await resolve(`${base}api/page`)).toEqual({
        target: 'content',
        redirect: `${origin}${base}reference/page`,
      })
      await must('PATCH', `${site}/sections/${sections['API']}`, { path: 'api' })
      expect((await resolve(`${base}api/page`)).pathname).toBe('/page')
    })

    test('resolve by the older GET endpoint, too', async () => {
      const url = encodeURIComponent(`${origin}${base}api/page`)
      const answer = await api.request(null, 'GET', `/urls/published?url=${url}`)
      expect(answer.status, answer.text).toBe(200)
      expect(answer.body).toEqual(await resolve(`${base}api/page`))
    })

    test('give 404 for missing or unreadable content, and 400 for an invalid URL', async () => {
      for (const path of ['/', '/@acme/other/', '/@other/docs/', '/s/x/', 'https://elsewhere.test/docs/'])
        expect((await lookUp(path)).status, path).toBe(404)
      expect((await lookUp('http:no address')).status).toBe(400)
      expect((await lookUp(`${base}page`, bob)).status).toBe(200)
      await must('PATCH', site, { visibility: 'share-link' })
      expect((await lookUp(`${base}page`)).status).toBe(404)
      expect((await lookUp(`${base}page`, bob)).status).toBe(404)
      expect((await lookUp(`${base}page`, ann)).status).toBe(200)
      await must('POST', `${site}/unpublish`)
      expect((await lookUp(`${base}page`, ann)).status).toBe(404)
    })

    test('resolve unpublished content for readers of the space alone', async () => {
      const made = await must('POST', `/spaces/${spaces['v2']}/change-requests`, {})
      const at = `/spaces/${spaces['v2']}/change-requests/${made.id}`
      await must('POST', `${at}/content`, {
        changes: [{ operation: 'insert_page', slug: 'new', document: { markdown: '# New\n' } }],
      })
      for (const [mark, id] of [
        ['~', made.number],
        ['~octavo', made.id],
      ]) {
        const path = `${base}api/v2/${mark}/changes/${id}/new`
        expect((await lookUp(path)).status).toBe(404)
        expect((await lookUp(path, bob)).status).toBe(404)
        const found = await resolve(path, ann)
        expect(found).toMatchObject({
          changeRequest: made.id,
          space: spaces['v2'],
          pathname: '/new',
          basePath: `${base}api/v2/${mark}/changes/${id}/`,
        })
        const reader = bearerOf(found.apiToken)
        const { revision } = await must('GET', at, undefined, reader)
        const { pages } = await must(
          'GET',
          `/spaces/${spaces['v2']}/revisions/${revision}`,
          undefined,
          reader,
        )
        expect(pages.map(({ slug }: { slug: string }) => slug)).toContain('new')
        const other = await must('POST', `/spaces/${spaces['v2']}/change-requests`, {})
        const beside = `/spaces/${spaces['v2']}/change-requests/${other.id}`
        expect((await api.request(reader, 'GET', beside)).status).toBe(404)
        const open = bearerOf((await resolve(`${base}api/v2/page`)).apiToken)
        expect((await api.request(open, 'GET', `/spaces/${spaces['v2']}/revisions/${revision}`)).status).toBe(
          404,
        )
        expect((await api.request(open, 'GET', at)).status).toBe(404)
      }
      const { revision } = await must('GET', `/spaces/${spaces['v2']}`)
      const preview = await resolve(`${base}api/v2/~/revisions/${revision}/page`, ann)
      expect(preview).toMatchObject({ revision, pathname: '/page' })
      expect((await lookUp(`${base}~/revisions/${revision}/page`, ann)).status).toBe(404)
    })
  })

  describe('the token of a reader', () => {
    let found: any
    let reader: Person
    beforeEach(async () => {
      found = await resolve(`${base}api/page`)
      reader = bearerOf(found.apiToken)
    })
    const status = async (method: string, path: string, who = reader) =>
      (await api.request(who, method, path)).status
    const opens = () => status('GET', `/spaces/${spaces['API']}`)

    test('names what it grants', () => {
      expect(payloadOf(found.apiToken)).toMatchObject({
        kind: 'site',
        organization: acme,
        site: siteId,
        siteSection: sections['API'],
        siteSpace: links['API'],
        space: spaces['API'],
        spaces: ['Guide', 'v1', 'API', 'v2'].map((title) => spaces[title]),
      })
    })

    test('is the same to the byte until something changes, and ends within the hour', async () => {
      // A time step may end between two requests.
      api.advance(contentTokenStep - (api.now() % contentTokenStep))
      const { apiToken } = await resolve(`${base}api/page`)
      api.advance(contentTokenStep / 2)
      expect((await resolve(`${base}api/home`)).apiToken).toBe(apiToken)
      expect((await resolve(`${base}page`)).apiToken).not.toBe(apiToken)
      expect(await status('GET', `/spaces/${spaces['API']}`, bearerOf(apiToken))).toBe(200)
      api.advance(contentTokenStep * 1.5)
      expect(await status('GET', `/spaces/${spaces['API']}`, bearerOf(apiToken))).toBe(401)
      expect((await resolve(`${base}api/page`)).apiToken).not.toBe(apiToken)
    })

    test('opens every space of the site with its content, and no other', async () => {
      for (const title of ['Guide', 'v1', 'API', 'v2']) {
        const space = await must('GET', `/spaces/${spaces[title]}`, undefined, reader)
        expect(space).toMatchObject({ title, comments: 0, permissions: { view: true, edit: false } })
        const at = `/spaces/${spaces[title]}/revisions/${space.revision}`
        const revision = await must('GET', `${at}?metadata=false`, undefined, reader)
        expect(revision).toMatchObject({ id: space.revision, type: 'computed' })
        expect(revision).not.toHaveProperty('createdBy')
        expect(revision).not.toHaveProperty('mergedFrom')
        const [page] = revision.pages
        for (const path of [
          `${at}/pages`,
          `${at}/page/${page.id}`,
          `${at}/page/${page.id}/document`,
          `${at}/path/page`,
          `${at}/files`,
          `/spaces/${spaces[title]}/documents/${page.documentId}`,
        ])
          expect(await status('GET', path), path).toBe(200)
      }
      expect(await status('GET', `/spaces/${spaces['Secret']}`)).toBe(404)
      const { revision } = await must('GET', `/spaces/${spaces['Secret']}`)
      expect(await status('GET', `/spaces/${spaces['Secret']}/revisions/${revision}`)).toBe(404)
      const published = JSON.stringify(await must('GET', `${site}/published`, undefined, reader))
      expect(published).toContain(spaces['v2'])
      expect(published).not.toContain(spaces['Secret'])
      const other = await api.publish(ann, acme, { title: 'Other', spaces: [spaces['API']!] })
      expect(await status('GET', `/orgs/${acme}/sites/${other.id}/published`)).toBe(404)
    })

    test('reveals nothing of hidden parts of the site', async () => {
      await must('PATCH', `${site}/site-spaces/${links['v2']}`, { draft: true })
      expect(await status('GET', `/spaces/${spaces['v2']}`)).toBe(404)
      const published = JSON.stringify(await must('GET', `${site}/published`, undefined, reader))
      expect(published).toContain(spaces['API'])
      expect(published).not.toContain(spaces['v2'])
      await must('PATCH', `${site}/site-spaces/${links['v2']}`, { draft: false })
      expect(await status('GET', `/spaces/${spaces['v2']}`)).toBe(200)
    })

    test('reads what was published since it was made, and no history before', async () => {
      const at = `/spaces/${spaces['API']}`
      const insert = async (slug: string) => {
        await api.change(ann, spaces['API']!, [
          { operation: 'insert_page', slug, document: { markdown: `# ${slug}\n` } },
        ])
        return (await must('GET', at)).revision as string
      }
      const [first, second, third] = [await insert('first'), await insert('second'), await insert('third')]
      api.advance(contentTokenStep - (api.now() % contentTokenStep))
      const early = bearerOf((await resolve(`${base}api/page`)).apiToken)
      const fourth = await insert('fourth')
      const late = bearerOf((await resolve(`${base}api/page`)).apiToken)
      expect(late.token).not.toBe(early.token)
      const fifth = await insert('fifth')
      // Both tokens are of the same time step, and read what was published in their own time.
      api.advance(contentTokenStep * 1.9)
      const statuses = async (who: Person) =>
        Promise.all(
          [first, second, third, fourth, fifth].map((id) => status('GET', `${at}/revisions/${id}`, who)),
        )
      expect(await statuses(early)).toEqual([404, 404, 200, 200, 200])
      expect(await statuses(late)).toEqual([404, 404, 404, 200, 200])
      expect(await status('GET', `${at}/revisions/${fourth}/changes`, early)).toBe(403)
      expect(await status('GET', `${at}/revisions`, early)).toBe(403)
      api.advance(contentTokenStep * 0.1)
      expect(await statuses(early)).toEqual([401, 401, 401, 401, 401])
    })

    test('opens only the operations of a renderer', async () => {
      const closedRoutes = routes.filter(({ endpoint }) => !endpoint.readers)
      expect(closedRoutes.length).toBeGreaterThan(100)
      for (const { endpoint } of closedRoutes) {
        const path = endpoint.path
          .replace(':organizationId', acme)
          .replace(':siteId', siteId)
          .replace(':spaceId', spaces['API']!)
          .replace(/:\w+/g, 'x')
        const answer = await api.request(reader, endpoint.method, path)
        expect(answer.status, `${endpoint.method} ${path}: ${answer.text}`).toBe(403)
      }
      expect(routes.filter(({ endpoint }) => endpoint.readers && !endpoint.reads)).toEqual([])
    })

    test('ends with the publication, the audience or the site; altered tokens are invalid', async () => {
      expect(await opens()).toBe(200)
      await must('PATCH', site, { visibility: 'unlisted' })
      expect(await opens()).toBe(200)
      for (const visibility of ['share-link', 'visitor-auth']) {
        await must('PATCH', site, { visibility })
        expect(await opens(), visibility).toBe(401)
      }
      await must('PATCH', site, { visibility: 'public' })
      expect(await opens()).toBe(200)
      await must('POST', `${site}/unpublish`)
      expect(await opens()).toBe(401)
      await must('POST', `${site}/publish`)
      expect(await opens()).toBe(200)

      const [head, body, signature] = found.apiToken.split('.')
      const claims = { ...payloadOf(found.apiToken), spaces: [spaces['Secret']] }
      const other = Buffer.from(JSON.stringify(claims)).toString('base64url')
      const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')
      for (const token of [
        `${head}.${other}.${signature}`,
        `${none}.${body}.${signature}`,
        `${none}.${body}.x`,
        `${head}.${body}.${signature.slice(0, -1)}`,
        `${head}.${body}.${signature}.x`,
      ])
        expect(await status('GET', `/spaces/${spaces['API']}`, bearerOf(token)), token).toBe(401)
    })

    test('of a member opens what they may read, while they and their token have access', async () => {
      await must('PATCH', site, { visibility: 'share-link' })
      const cat = await api.person('cat')
      await api.join(acme, cat, 'read')
      await must('PATCH', `/spaces/${spaces['v2']}`, { defaultLevel: null })
      const { token, id } = await must('POST', '/user/tokens', { label: 'renderer' }, cat)
      const mine = await resolve(`${base}api/page`, { ...cat, token })
      const own = bearerOf(mine.apiToken)
      expect(payloadOf(mine.apiToken).spaces).not.toContain(spaces['v2'])
      expect(await status('GET', `/spaces/${spaces['API']}`, own)).toBe(200)
      expect(await status('GET', `/spaces/${spaces['v2']}`, own)).toBe(404)
      expect((await lookUp(`${base}api/v2/page`, { ...cat, token })).status).toBe(404)
      await must('DELETE', `/user/tokens/${id}`, undefined, cat)
      expect(await status('GET', `/spaces/${spaces['API']}`, own)).toBe(401)
      await must('PATCH', `/spaces/${spaces['v2']}`, { defaultLevel: 'inherit' })
    })

    test('of a share link opens what the link does, until it is revoked', async () => {
      await must('PATCH', site, { visibility: 'share-link' })
      const link = await must('POST', `${site}/share-links`, { name: 'Reviewers' })
      const key = new URL(link.urls.published).pathname.slice(base.length, -1)
      expect((await lookUp(`${base}api/page`)).status).toBe(404)
      const shared = await resolve(`${base}${key}/api/page`)
      expect(shared).toMatchObject({
        shareKey: key,
        siteBasePath: `${base}${key}/`,
        basePath: `${base}${key}/api/`,
        pathname: '/page',
      })
      const reader = bearerOf(shared.apiToken)
      expect(await status('GET', `/spaces/${spaces['API']}`, reader)).toBe(200)
      expect(await status('GET', `/spaces/${spaces['Secret']}`, reader)).toBe(404)
      await must('PATCH', `${site}/share-links/${link.id}`, { active: false })
      expect((await lookUp(`${base}${key}/api/page`)).status).toBe(404)
      expect(await status('GET', `/spaces/${spaces['API']}`, reader)).toBe(401)
    })

    test('of a visitor opens what their own token does, until the key is rotated', async () => {
      await must('PATCH', site, { visibility: 'visitor-auth' })
      const { privateKey } = await must('GET', `${site}/publishing/auth`)
      const url = `${origin}${base}api/page`
      const ask = (jwtToken?: string, redirectOnError?: boolean) =>
        api.request(null, 'POST', '/urls/published', { url, redirectOnError, visitor: { jwtToken } })
      expect((await ask()).status).toBe(401)
      await must('PATCH', `${site}/publishing/auth`, { fallbackURL: 'https://example.com/login' })
      const led = {
        target: 'external',
        site: siteId,
        redirect: 'https://example.com/login?location=%2Fapi%2Fpage',
      }
      expect((await ask()).body).toEqual(led)
      const jwtToken = makeVisitorToken(privateKey, {})
      const { body } = await ask(jwtToken)
      const reader = bearerOf(body.apiToken)
      expect(await status('GET', `/spaces/${spaces['API']}`, reader)).toBe(200)
      await must('POST', `${site}/publishing/auth/regenerate`)
      expect(await status('GET', `/spaces/${spaces['API']}`, reader)).toBe(401)
      expect((await ask(jwtToken)).status).toBe(401)
      expect((await ask(jwtToken, true)).body).toEqual(led)
    })

    test('returns file addresses that open on a public site', async () => {
      const { id } = await must('POST', `/spaces/${spaces['Guide']}/change-requests`, {})
      const inside = `/spaces/${spaces['Guide']}/change-requests/${id}`
      const made = await api.server.inject({
        method: 'POST',
        url: `/v1${inside}/content/files`,
        headers: {
          authorization: `Bearer ${ann.token}`,
          'content-type': 'application/octet-stream',
          'content-disposition': 'attachment; filename="notes.txt"',
        },
        payload: 'notes',
      })
      expect(made.statusCode, made.body).toBe(201)
      await must('POST', `${inside}/merge`)
      const { revision } = await must('GET', `/spaces/${spaces['Guide']}`)
      const at = `/spaces/${spaces['Guide']}/revisions/${revision}/files/${made.json().id}`
      const { downloadURL } = await must('GET', at, undefined, reader)
      expect(downloadURL).not.toContain('token')
      expect((await api.read(downloadURL.slice(origin.length))).text).toBe('notes')
    })
  })

  describe('of a site that is not public', () => {
    const opensWith = async (token: string) =>
      (await api.request(bearerOf(token), 'GET', `/spaces/${spaces['API']}`)).status
    const fileOf = async (token: string): Promise<string> => {
      const { items } = await must(
        'GET',
        `/spaces/${spaces['Guide']}/content/files`,
        undefined,
        bearerOf(token),
      )
      return items[0].downloadURL.slice(origin.length)
    }
    beforeAll(async () => {
      const { id } = await must('POST', `/spaces/${spaces['Guide']}/change-requests`, {})
      const inside = `/spaces/${spaces['Guide']}/change-requests/${id}`
      await api.server.inject({
        method: 'POST',
        url: `/v1${inside}/content/files`,
        headers: {
          authorization: `Bearer ${ann.token}`,
          'content-type': 'application/octet-stream',
          'content-disposition': 'attachment; filename="notes.txt"',
        },
        payload: 'notes',
      })
      await must('POST', `${inside}/merge`)
    })

    test('open by a share link, until it is revoked', async () => {
      await must('PATCH', site, { visibility: 'share-link' })
      const link = await must('POST', `${site}/share-links`, {})
      const at = new URL(link.urls.published).pathname
      const key = at.split('/').at(-2)!
      const found = await resolve(`${at}api/page`)
      expect(found).toMatchObject({
        shareKey: key,
        space: spaces['API'],
        siteBasePath: at,
        basePath: `${at}api/`,
        pathname: '/page',
      })
      expect(await opensWith(found.apiToken)).toBe(200)
      const file = await fileOf(found.apiToken)
      expect(file.startsWith(`${at}~octavo/file/`)).toBe(true)
      expect((await api.read(file)).text).toBe('notes')
      expect((await api.read(file.replace(key, mistyped(key)))).status).toBe(404)
      expect((await lookUp(`${base}api/page`)).status).toBe(404)
      const [, rest] = [key.slice(0, 8), key.slice(8)]
      expect((await lookUp(`${base}${rest}${'x'.repeat(8)}/api/page`)).status).toBe(404)
      await must('PATCH', `${site}/share-links/${link.id}`, { active: false })
      expect(await opensWith(found.apiToken)).toBe(401)
      expect((await lookUp(`${at}api/page`)).status).toBe(404)
      await must('PATCH', `${site}/share-links/${link.id}`, { active: true })
      expect(await opensWith(found.apiToken)).toBe(200)
      await must('PATCH', site, { visibility: 'visitor-auth' })
      expect(await opensWith(found.apiToken)).toBe(401)
    })

    test('are protected from brute force: too many keys give 429', async () => {
      await must('PATCH', site, { visibility: 'share-link' })
      const link = await must('POST', `${site}/share-links`, {})
      const statuses = new Set<number>()
      for (let count = 0; count < 70; count += 1)
        statuses.add((await lookUp(`${base}${String(count).padStart(30, '0')}/`)).status)
      expect([...statuses]).toEqual([404, 429])
      expect((await lookUp(new URL(link.urls.published).pathname)).status).toBe(200)
    })

    test('open to visitors with a token that the site signed, and redirect the others to the login URL', async () => {
      await must('PATCH', site, { visibility: 'visitor-auth' })
      await must('PATCH', `${site}/publishing/auth`, { fallbackURL: null })
      const ask = (visitor: object, more: object = {}) =>
        api.request(null, 'POST', '/urls/published', {
          url: `${origin}${base}api/page?q=x`,
          visitor,
          ...more,
        })
      expect((await ask({})).status).toBe(401)
      await must('PATCH', `${site}/publishing/auth`, { fallbackURL: 'https://octavo.test/in?from=docs' })
      const led = {
        target: 'external',
        site: siteId,
        redirect: 'https://octavo.test/in?from=docs&location=%2Fapi%2Fpage%3Fq%3Dx',
      }
      expect((await ask({})).body).toEqual(led)
      expect((await ask({ jwtToken: 'wrong' })).status).toBe(401)
      expect((await ask({ jwtToken: 'wrong' }, { redirectOnError: true })).body).toEqual(led)
      const { privateKey } = await must('GET', `${site}/publishing/auth`)
      const exp = Math.floor(api.now() / 1000) + 600
      const jwtToken = makeVisitorToken(privateKey, { name: 'Kim', exp })
      const { status, body: found } = await ask({ jwtToken })
      expect(status).toBe(200)
      expect(found.contextId).toEqual(expect.any(String))
      expect(payloadOf(found.apiToken).exp).toBe(exp)
      expect(await opensWith(found.apiToken)).toBe(200)
      expect((await api.read(await fileOf(found.apiToken))).status).toBe(401)
      expect(
        (await api.read(await fileOf(found.apiToken), { cookie: `octavo-visitor-token=${jwtToken}` })).text,
      ).toBe('notes')
      expect((await ask({ jwtToken })).body.apiToken).toBe(found.apiToken)
      await must('POST', `${site}/publishing/auth/regenerate`)
      expect(await opensWith(found.apiToken)).toBe(401)
      expect((await ask({ jwtToken })).status).toBe(401)
    })

    test('are previewed, published or not, by an address made by an administrator', async () => {
      await must('POST', `${site}/unpublish`)
      const maker = await api.person('maker')
      await api.join(acme, maker, 'create')
      const { url } = await must('GET', `${site}/publishing/preview?claims=(plan:pro)`, undefined, maker)
      const found = await resolve(new URL(url).pathname)
      expect(await opensWith(found.apiToken)).toBe(200)
      const reader = bearerOf(found.apiToken)
      expect((await must('GET', `${site}/published`, undefined, reader)).site.id).toBe(siteId)
      await must('DELETE', `/orgs/${acme}/members/${maker.id}`)
      expect(await opensWith(found.apiToken)).toBe(401)
      await must('POST', `${site}/publish`)
    })
  })

  describe('the token of a visitor of an adaptive site', () => {
    let adaptive: string
    let place: string
    let space: string
    const pages: Record<string, string> = {}
    beforeAll(async () => {
      const made = await api.space(ann, acme, 'Adaptive', [
        {
          slug: 'home',
          markdown:
            '# Home\n\nFor all.\n\n{% if visitor.claims.plan === "pro" %}\nFor the pro.\n{% endif %}\n',
        },
        { slug: 'pro', markdown: '---\nif: visitor.claims.plan === "pro"\n---\n\n# Pro\n\nSecret.\n' },
        { slug: 'below', markdown: '# Below\n', into: 'pro' },
        { slug: 'french', markdown: '---\nif: visitor.claims.unsigned.language === "fr"\n---\n\n# French\n' },
      ])
      space = made.id
      for (const [slug, id] of made.pages) pages[slug] = id
      const published = await api.publish(ann, acme, { title: 'Adaptive', spaces: [space] })
      place = published.base
      adaptive = `/orgs/${acme}/sites/${published.id}`
      const text = { type: 'string', description: 'A claim' }
      const named = { type: 'object', additionalProperties: false }
      const unsigned = {
        ...named,
        description: 'Unsigned claims of the site visitor.',
        properties: { language: text },
      }
      const jsonSchema = { ...named, properties: { plan: text, unsigned } }
      await must('PUT', `${adaptive}/adaptive-schema`, { jsonSchema })
      await must('PATCH', adaptive, { adaptiveContent: { enabled: true } })
    })
    const resolveAs = (visitor: object) =>
      must('POST', '/urls/published', { url: origin + place, visitor }, null)
    const tokenFor = async (claims: object) => {
      const { privateKey } = await must('GET', `${adaptive}/publishing/auth`)
      return makeVisitorToken(privateKey, claims)
    }
    async function visibleTo(token: string): Promise<{ slugs: string[]; texts: string }> {
      const reader = bearerOf(token)
      const at = `/spaces/${space}/content`
      const tree = await must('GET', `${at}/pages`, undefined, reader)
      const whole = await must('GET', at, undefined, reader)
      expect(whole.pages).toEqual(tree.pages)
      const texts: string[] = []
      const slugs: string[] = []
      for (const [slug, id] of Object.entries(pages)) {
        const one = await api.request(reader, 'GET', `${at}/page/${id}`)
        const document = await api.request(reader, 'GET', `${at}/page/${id}/document`)
        const byPath = await api.request(reader, 'GET', `${at}/path/${slug}`)
        expect(document.status).toBe(one.status)
        if (slug !== 'below') expect(byPath.status).toBe(one.status)
        if (one.status === 200) slugs.push(slug)
        texts.push(one.text, document.text)
        const { documentId } = await must('GET', `${at}/page/${id}`)
        const byId = await api.request(reader, 'GET', `/spaces/${space}/documents/${documentId}`)
        expect(byId.status).toBe(one.status)
        texts.push(byId.text)
      }
      return { slugs, texts: JSON.stringify(tree) + texts.join() }
    }

    test('shows only content whose conditions hold for them', async () => {
      const anonymous = await visibleTo((await resolveAs({})).apiToken)
      expect(anonymous.slugs).toEqual(['home'])
      expect(anonymous.texts).toContain('For all.')
      expect(anonymous.texts).not.toMatch(/For the pro|Secret|"Pro"|French/)
      const pro = await resolveAs({ jwtToken: await tokenFor({ plan: 'pro' }) })
      expect(payloadOf(pro.apiToken).claims).toMatchObject({ plan: 'pro' })
      const proView = await visibleTo(pro.apiToken)
      expect(proView.slugs).toEqual(['home', 'pro', 'below'])
      expect(proView.texts).toMatch(/For the pro/)
      expect(proView.texts).toMatch(/Secret/)
      const french = await resolveAs({ unsignedClaims: { language: 'fr' } })
      expect((await visibleTo(french.apiToken)).slugs).toEqual(['home', 'french'])
      const contexts = [anonymous, pro, french].map((one) => ('contextId' in one ? one.contextId : undefined))
      expect(new Set(contexts).size).toBe(3)
      const claimed = await resolveAs({ unsignedClaims: { plan: 'pro' } })
      expect((await visibleTo(claimed.apiToken)).slugs).toEqual(['home'])
    })

    test('ends when the key that signed its claims is rotated', async () => {
      const visitor = { jwtToken: await tokenFor({ plan: 'pro' }) }
      const reader = bearerOf((await resolveAs(visitor)).apiToken)
      expect((await api.request(reader, 'GET', `/spaces/${space}`)).status).toBe(200)
      await must('POST', `${adaptive}/publishing/auth/regenerate`)
      expect((await api.request(reader, 'GET', `/spaces/${space}`)).status).toBe(401)
      expect((await visibleTo((await resolveAs(visitor)).apiToken)).slugs).toEqual(['home'])
    })
  })

  describe('of the app', () => {
    const ask = (path: string, person: Person | null = ann) => {
      const url = encodeURIComponent(path.startsWith('http') ? path : origin + path)
      return api.request(person, 'GET', `/urls/content?url=${url}`)
    }

    test('resolve to spaces, their pages, change requests and revisions, and collections', async () => {
      const { urls, revision } = await must('GET', `/spaces/${spaces['Guide']}`)
      expect((await ask(urls.app)).body.space.id).toBe(spaces['Guide'])
      expect((await ask(urls.app)).body).not.toHaveProperty('page')
      expect((await ask(`${urls.app}page?x#y`)).body.page).toMatchObject({ slug: 'page', type: 'document' })
      const made = await must('POST', `/spaces/${spaces['Guide']}/change-requests`, {})
      expect((await ask(`${made.urls.app}page`)).body).toMatchObject({
        changeRequest: { id: made.id },
        page: { slug: 'page' },
      })
      const inPast = await ask(`/s/${spaces['Guide']}/~/revisions/${revision}/page`)
      expect(inPast.body.page.slug).toBe('page')
      const collection = await must('POST', `/orgs/${acme}/collections`, {})
      expect((await ask(collection.urls.app)).body.collection.id).toBe(collection.id)
    })

    test('give 404 to readers without access', async () => {
      const { urls } = await must('GET', `/spaces/${spaces['Secret']}`)
      const collection = await must('POST', `/orgs/${acme}/collections`, {})
      for (const path of [urls.app, collection.urls.app]) {
        expect((await ask(path)).status).toBe(200)
        expect((await ask(path, bob)).status).toBe(404)
        expect((await ask(path, null)).status).toBe(401)
      }
      for (const path of [`${urls.app}nothing`, '/', '/s/', '/o/x/c/y/z', 'https://elsewhere.test/s/x/'])
        expect((await ask(path)).status, path).toBe(404)
    })
  })
})

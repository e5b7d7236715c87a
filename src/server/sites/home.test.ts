/** The product's own pages: home page, signing in and out, and the preview of a space. */
import { beforeAll, expect, test } from 'vitest'
import { insertSignInLink } from '../../access/signin/sessions.js'
import type { OrganizationId } from '../../core/ids.js'
import { describeSqlite } from '../../../tests/engines.js'
import { type SiteClient, openSiteClient } from '../../../tests/site-client.js'
import type { Person } from '../../../tests/test-client.js'

const own = { 'sec-fetch-site': 'same-origin' }

/** The cookies that an answer sets for a session. */
const cookiesOf = (headers: { readonly 'set-cookie'?: string | string[] | undefined }) =>
  [headers['set-cookie'] ?? []].flat().filter((cookie) => cookie.startsWith('octavo_session='))

describeSqlite('home', (engine) => {
  let client: SiteClient
  let ann: Person
  let acme: OrganizationId
  let space: string

  beforeAll(async () => {
    client = await openSiteClient(await engine.open())
    ann = await client.person('ann')
    acme = await client.organization(ann)
    ;({ id: space } = await client.space(ann, acme, 'Handbook', [
      { slug: 'start', markdown: '# Start\n\n[next](next.md)\n' },
      { slug: 'next', markdown: '# Next\n' },
    ]))
  })

  const newLink = () => client.services.database.write((tx) => insertSignInLink(tx, ann.id, client.now()))
  const post = (url: string, payload: string, headers: Record<string, string>) =>
    client.server.inject({
      method: 'POST',
      url,
      payload,
      headers: { host: 'octavo.test', 'content-type': 'application/x-www-form-urlencoded', ...headers },
    })
  const signIn = async () => {
    const answer = await post('/~octavo/sign-in', `link=${await newLink()}`, own)
    return cookiesOf(answer.headers)[0]!
  }

  test('a link shows a button, and the button signs in once', async () => {
    const link = await newLink()
    const page = await client.read(`/~octavo/sign-in?link=${link}`)
    expect(page.text).toContain(`<input type="hidden" name="link" value="${link}">`)
    const first = await post('/~octavo/sign-in', `link=${link}`, own)
    expect([first.statusCode, first.headers.location]).toEqual([303, '/'])
    expect(cookiesOf(first.headers)[0]).toMatch(
      /^octavo_session=\w{40}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+$/,
    )
    const second = await post('/~octavo/sign-in', `link=${link}`, own)
    expect(second.statusCode).toBe(401)
    expect(cookiesOf(second.headers)).toEqual([])
  })

  test('a form of another content type is refused, and told which one is accepted', async () => {
    const answer = await post('/~octavo/sign-in', '{}', { ...own, 'content-type': 'application/json' })
    expect([answer.statusCode, answer.json().error.message]).toEqual([
      415,
      'The content type "application/json" is not accepted here; allowed: application/x-www-form-urlencoded.',
    ])
  })

  test('another origin cannot sign a browser in or out', async () => {
    const link = await newLink()
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'http://evil.test' }, {}]) {
      expect((await post('/~octavo/sign-in', `link=${link}`, headers)).statusCode).toBe(403)
      expect((await post('/~octavo/sign-out', '', headers)).statusCode).toBe(403)
    }
    expect(
      (await post('/~octavo/sign-in', `link=${link}`, { origin: 'http://octavo.test' })).statusCode,
    ).toBe(303)
  })

  test('the home page lists spaces for their readers, and published sites for everyone', async () => {
    const cookie = (await signIn()).split(';')[0]!
    expect((await client.read('/', { cookie })).text).toContain(`href="/s/${space}/"`)
    const before = await client.read('/')
    expect(before.text).not.toContain('Handbook')
    expect(before.text).toContain('/~octavo/sign-in')
    await client.publish(ann, acme, { title: 'Public manual', spaces: [space] })
    await client.publish(ann, acme, { title: 'Quiet manual', visibility: 'unlisted', spaces: [space] })
    const after = (await client.read('/')).text
    expect(after).toContain('href="http://octavo.test/@acme/public-manual/"')
    expect(after).not.toContain('Quiet manual')
    await post('/~octavo/sign-out', '', { ...own, cookie })
    expect((await client.read('/', { cookie })).text).not.toContain(`href="/s/${space}/"`)
  })

  test('the home page lists nothing of an organization that the session has no access to', async () => {
    const bob = await client.person('bob')
    const other = await client.organization(bob, 'Elsewhere')
    await client.join(other, ann, 'read')
    await client.space(bob, other, 'Plans', [{ slug: 'start', markdown: '# Start\n' }])
    const cookie = (await signIn()).split(';')[0]!
    expect((await client.read('/', { cookie })).text).toContain('Plans')
    await client.request(bob, 'PATCH', `/orgs/${other}`, { sso: true })
    const bound = await client.read('/', { cookie })
    expect(bound.text).toContain('Handbook')
    expect(bound.text).toContain('Elsewhere')
    expect(bound.text).not.toContain('Plans')
  })

  test('the preview of a space is for its readers only', async () => {
    const stranger = await client.person('eve')
    const as = (person: Person) => ({ authorization: `Bearer ${person.token}` })
    const page = await client.read(`/s/${space}/`, as(ann))
    expect(page.status).toBe(200)
    expect(page.text).toContain(`<a href="/s/${space}/next">next</a>`)
    expect(page.headers['cache-control']).toContain('private')
    expect(page.headers['x-robots-tag']).toBe('noindex')
    expect(page.text).toContain('<meta name="robots" content="noindex')
    expect((await client.read(`/s/${space}`, as(ann))).headers['location']).toBe(`/s/${space}/`)
    expect((await client.read(`/s/${space}/`, as(stranger))).status).toBe(404)
    const [known, unknown] = [await client.read(`/s/${space}/`), await client.read('/s/unknown/')]
    expect([known.status, unknown.status]).toEqual([401, 401])
    expect(known.text).toBe(unknown.text)
  })

  test('the preview of a site opens for those who administer it, published or not', async () => {
    const as = (person: Person) => ({ authorization: `Bearer ${person.token}` })
    const sites = `/orgs/${acme}/sites`
    const site = (await client.request(ann, 'POST', sites, { title: 'Docs', spaces: [space] })).body
    const [reader, stranger] = [await client.person('rob'), await client.person('sue')]
    await client.join(acme, reader, 'read')
    const path = new URL(site.urls.preview).pathname
    const opened = await client.read(path, as(ann))
    expect(opened.status).toBe(302)
    const siteHome = await client.read(new URL(String(opened.headers['location'])).pathname, as(ann))
    expect([siteHome.status, siteHome.text.includes('Start')]).toEqual([200, true])
    expect((await client.read(`/@acme/${site.basename}/`)).status).toBe(404)
    const statusOf = async (person?: Person) => (await client.read(path, person && as(person))).status
    expect(await statusOf()).toBe(401)
    expect(await statusOf(reader)).toBe(403)
    expect(await statusOf(stranger)).toBe(404)
    const empty = (await client.request(ann, 'POST', sites, { title: 'Empty' })).body
    const refused = await client.read(new URL(empty.urls.preview).pathname, as(ann))
    expect([refused.status, refused.text.includes('The site has no space yet')]).toEqual([400, true])
  })

  test('the preview of a change request shows its content, to the readers of the space', async () => {
    const stranger = await client.person('eva')
    const as = (person: Person) => ({ authorization: `Bearer ${person.token}` })
    const made = await client.request(ann, 'POST', `/spaces/${space}/change-requests`, { subject: 'Draft' })
    const { id, number } = made.body
    const at = `/spaces/${space}/change-requests/${id}`
    const upload = await client.server.inject({
      method: 'POST',
      url: `/v1${at}/content/files`,
      headers: {
        ...as(ann),
        'content-type': 'application/octet-stream',
        'content-disposition': 'attachment; filename="plan.txt"',
      },
      payload: 'The plan.',
    })
    expect(upload.statusCode).toBe(201)
    const markdown = `To [next](next.md) and the [plan](/files/${upload.json().id}).`
    const changes = [{ operation: 'insert_page', title: 'Drafted', slug: 'drafted', document: { markdown } }]
    const written = await client.request(ann, 'POST', `${at}/content`, { changes })
    expect(written.status).toBe(200)
    const base = `/s/${space}/~/changes/${number}/`
    expect(new URL(made.body.urls.app).pathname).toBe(base)
    const page = await client.read(`${base}drafted`, as(ann))
    expect(page.status).toBe(200)
    expect(page.text).toContain(`<a href="${base}next">next</a>`)
    expect(page.text).toContain(`#${number}</title>`)
    const [, file] = /<a href="([^"]+)"[^>]*>plan<\/a>/.exec(page.text)!
    const plan = await client.read(file!.replaceAll('&amp;', '&'), as(ann))
    expect([plan.status, plan.text]).toEqual([200, 'The plan.'])
    expect(page.text).toMatch(new RegExp(`href="/~octavo/pdf/${space}/[^"]*changeRequest=${id}`))
    // Neither the index nor the events of the space contain it.
    expect(page.text).not.toMatch(/data-search=|data-follow/)
    expect(page.headers['cache-control']).toContain('private')
    expect(page.headers['x-robots-tag']).toBe('noindex')
    expect((await client.read(`/s/${space}/drafted`, as(ann))).status).toBe(404)
    expect((await client.read(base.slice(0, -1), as(ann))).headers['location']).toBe(base)
    const other = await client.space(ann, acme, 'Other', [{ slug: 'home', markdown: '# Home\n' }])
    for (const path of [`/s/${space}/~/changes/999/`, `/s/${other.id}/~/changes/${number}/`])
      expect((await client.read(path, as(ann))).status, path).toBe(404)
    expect((await client.read(base, as(stranger))).status).toBe(404)
    const [known, unknown] = [await client.read(base), await client.read('/s/unknown/~/changes/1/')]
    expect([known.status, unknown.status]).toEqual([401, 401])
    expect(known.text).toBe(unknown.text)
  })
})

/** Uploaded files over HTTP: access, range requests, and what a browser may do with the bytes. */
import { beforeAll, describe, expect, test } from 'vitest'
import { nameIn } from '../../access/http/disposition.js'
import {
  insertSignInLink,
  openSession,
  sessionCookie,
  sessionLifetime,
} from '../../access/signin/sessions.js'
import type { OrganizationId } from '../../core/ids.js'
import { describeEngines } from '../../../tests/engines.js'
import { type SiteClient, openSiteClient } from '../../../tests/site-client.js'
import type { Person } from '../../../tests/test-client.js'

const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
const base64 = (text: string) => Buffer.from(text).toString('base64')

/** The error of a range past the end of a file of ten bytes. */
const noSuchRange =
  '{"error":{"code":416,"message":"The file has 10 bytes, and none in the range that the header \\"Range\\" names."}}'

describeEngines('files', (engine) => {
  let client: SiteClient
  let ann: Person
  let acme: OrganizationId
  let space: string
  let text: string
  let drawing: string
  let page: string

  beforeAll(async () => {
    client = await openSiteClient(await engine.open())
    ann = await client.person('ann')
    acme = await client.organization(ann)
    const { id } = await client.space(ann, acme, 'Files', [])
    space = id
    await client.change(ann, space, [
      {
        operation: 'insert_files',
        files: [
          { ref: 'notes', name: 'notes "1".txt', base64: base64('0123456789') },
          { ref: 'drawing', name: 'drawing.svg', base64: base64(svg) },
        ],
      },
      { operation: 'insert_page', slug: 'home', document: { markdown: '# Home\n\n![a](./drawing)\n' } },
    ])
    const { items } = (await client.request(ann, 'GET', `/spaces/${space}/content/files`)).body
    const urlOf = (name: RegExp) => {
      const url = new URL(items.find((item: { name: string }) => name.test(item.name)).downloadURL)
      url.searchParams.delete('token')
      return url.pathname + url.search
    }
    ;[text, drawing] = [urlOf(/txt$/), urlOf(/svg$/)]
    page = (await client.publish(ann, acme, { title: 'Files', spaces: [space] })).base
  })

  test('files of a published space are public, and cached for ever by their version', async () => {
    const whole = await client.read(text)
    expect([whole.status, whole.text]).toEqual([200, '0123456789'])
    expect(whole.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect((await client.read(text.replace(/v=.*/, 'v=other'))).headers['cache-control']).toContain(
      'max-age=0',
    )
    const again = await client.read(text, { 'if-none-match': whole.headers['etag']! })
    expect([again.status, again.text]).toEqual([304, ''])
    const head = await client.read(text, {}, 'HEAD')
    expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', '10'])
    const weak = { 'if-none-match': `"other", W/${whole.headers['etag']!}` }
    expect((await client.read(text, weak, 'HEAD')).status).toBe(304)
    // Range requests need access too.
    expect((await client.read(text, { range: 'bytes=0-3' }, 'HEAD')).status).toBe(200)
  })

  test.each([
    ['bytes=0-3', 206, '0123', 'bytes 0-3/10'],
    ['bytes=4-', 206, '456789', 'bytes 4-9/10'],
    ['bytes=-2', 206, '89', 'bytes 8-9/10'],
    ['bytes=8-99', 206, '89', 'bytes 8-9/10'],
    ['bytes=10-', 416, noSuchRange, 'bytes */10'],
    ['bytes=-0', 416, noSuchRange, 'bytes */10'],
    ['bytes=5-2', 416, noSuchRange, 'bytes */10'],
    ['bytes=-99', 200, '0123456789', undefined],
    ['bytes=0-1,4-5', 200, '0123456789', undefined],
    ['lines=1-2', 200, '0123456789', undefined],
  ])('%s', async (range, status, body, contentRange) => {
    const answer = await client.read(text, { range })
    expect([answer.status, answer.text, answer.headers['content-range']]).toEqual([
      status,
      body,
      contentRange,
    ])
    const changed = await client.read(text, { range, 'if-range': '"other"' })
    expect([changed.status, changed.text]).toEqual([200, '0123456789'])
  })

  test('files that could run in a browser are not run', async () => {
    const plain = await client.read(text)
    expect(plain.headers['content-disposition']).toBe('attachment; filename="notes 1.txt"')
    expect(plain.headers['content-type']).toBe('application/octet-stream')
    const picture = await client.read(drawing)
    expect(picture.headers['content-type']).toBe('image/svg+xml')
    expect(picture.headers['content-disposition']).toMatch(/^inline/)
    for (const { headers } of [plain, picture]) {
      expect(headers['content-security-policy']).toMatch(/default-src 'none'.*sandbox/)
      expect(headers['x-content-type-options']).toBe('nosniff')
    }
    expect((await client.read(page)).text).toContain(`src="${drawing.replaceAll('&', '&amp;')}"`)
  })

  test.each(['設計 1.txt', 'family 👩‍👩‍👧.txt', "it's 100%25.txt", '__proto__'])(
    'a file named %s, and a space, are offered under their names',
    async (name) => {
      const { id } = await client.space(ann, acme, name, [])
      await client.change(ann, id, [{ operation: 'insert_files', files: [{ name, base64: base64('x') }] }])
      const { items } = (await client.request(ann, 'GET', `/spaces/${id}/content/files`)).body
      const { pathname, search } = new URL(items[0].downloadURL)
      const { headers } = await client.read(pathname + search)
      expect(nameIn(headers['content-disposition'])).toBe(name)
      const archive = await client.request(ann, 'GET', `/spaces/${id}/content/archive`)
      expect(nameIn(archive.headers['content-disposition'] as string)).toBe(`${name}.zip`)
    },
  )

  test('files of an unpublished space are for its readers', async () => {
    const [bob, stranger] = [await client.person('bob'), await client.person('eve')]
    await client.join(acme, bob, 'read')
    const as = (person: Person) => ({ authorization: `Bearer ${person.token}` })
    const site = (await client.request(ann, 'GET', `/orgs/${acme}/sites`)).body.items[0].id
    const statuses = async (url = text) => [
      (await client.read(url)).status,
      (await client.read(url, as(stranger))).status,
      (await client.read(url, as(bob))).status,
    ]
    expect(await statuses()).toEqual([200, 200, 200])
    // An earlier revision is not published.
    const { revision } = (await client.request(ann, 'GET', `/spaces/${space}`)).body
    expect(await statuses(`${text}&revision=${revision}`)).toEqual([404, 404, 200])
    await client.request(ann, 'PATCH', `/orgs/${acme}/sites/${site}`, { visibility: 'share-link' })
    expect(await statuses()).toEqual([404, 404, 200])
    expect((await client.read(text, as(bob))).headers['cache-control']).toContain('private')
    expect(await statuses(text.replace(/files\/\w+/, 'files/unknown'))).toEqual([404, 404, 404])
    await client.request(ann, 'DELETE', `/spaces/${space}`)
    expect(await statuses(), 'in the trash').toEqual([404, 404, 404])
    await client.request(ann, 'POST', `/spaces/${space}/restore`)
    expect(await statuses()).toEqual([404, 404, 200])
    const unknown = text.replace(new RegExp(`${space}/\\w+`), `${space}/unknown`)
    expect((await client.read(unknown, as(bob))).status).toBe(404)
  })

  test("the download URL of the API is its reader's: it ends with their access, and expires", async () => {
    const { id } = await client.space(ann, acme, 'Lent', [])
    await client.change(ann, id, [
      { operation: 'insert_files', files: [{ name: 'a.txt', base64: base64('one') }] },
    ])
    const carl = await client.person('carl')
    await client.join(acme, carl, 'read')
    const linkOf = async (person: Person) => {
      const { items } = (await client.request(person, 'GET', `/spaces/${id}/content/files`)).body
      const { pathname, search } = new URL(items[0].downloadURL)
      return pathname + search
    }
    const [annas, carls] = [await linkOf(ann), await linkOf(carl)]
    expect(await linkOf(carl)).toBe(carls)
    const open = await client.read(carls)
    expect([open.status, open.text]).toEqual([200, 'one'])
    expect(open.headers['cache-control']).toBe('private, max-age=0, must-revalidate')
    expect((await client.read(carls, { 'if-none-match': open.headers['etag']! })).status).toBe(304)
    for (const other of [
      carls.replace(/token=[\w-]+\./, /token=[\w-]+\./.exec(annas)![0]),
      carls.replace(/token=token-/, 'token=session-'),
      carls.replace(/token=([\w-]+)\.(\w+)\./, (_, holder, ends) => `token=${holder}.${ends}0.`),
      carls.replace(/token=.*/, 'token=x.y'),
    ]) {
      expect((await client.read(other)).status, other).toBe(404)
    }
    await client.request(ann, 'DELETE', `/orgs/${acme}/members/${carl.id}`)
    expect([(await client.read(carls)).status, (await client.read(annas)).status]).toEqual([404, 200])
    expect((await client.read(carls, { 'if-none-match': open.headers['etag']! })).status).toBe(404)
    client.advance(12 * 60 * 60 * 1000)
    expect([(await client.read(annas)).status, (await client.read(await linkOf(ann))).status]).toEqual([
      404, 200,
    ])
  })

  describe('the download URL of the API ends with the credential of its request:', () => {
    const own = { 'sec-fetch-site': 'same-origin' }
    let dora: Person
    let files: string

    beforeAll(async () => {
      dora = await client.person('dora')
      const { id } = await client.space(ann, acme, 'Ending', [])
      await client.change(ann, id, [
        { operation: 'insert_files', files: [{ name: 'a.txt', base64: base64('one') }] },
      ])
      await client.join(acme, dora, 'read')
      files = `/v1/spaces/${id}/content/files`
    })

    const signIn = async () => {
      const secret = await client.services.database.write(async (tx) => {
        const link = await insertSignInLink(tx, dora.id, client.now())
        return openSession(tx, link, { ip: '192.0.2.7', userAgent: 'Browser', now: client.now() })
      })
      return { cookie: `${sessionCookie}=${secret}` }
    }
    const linkFor = async (headers: Record<string, string>) => {
      const { text } = await client.read(files, headers)
      const { pathname, search } = new URL(JSON.parse(text).items[0].downloadURL)
      return pathname + search
    }
    const statuses = (links: readonly string[]) =>
      Promise.all(links.map(async (link) => (await client.read(link)).status))
    const ask = (method: 'POST' | 'DELETE', url: string, headers: object, payload?: object) =>
      client.server.inject({ method, url, headers: { ...own, ...headers }, ...(payload && { payload }) })

    test('the session, and no other session of the same user', async () => {
      const [firstCookie, there] = [await signIn(), await signIn()]
      const links = [await linkFor(firstCookie), await linkFor(there)]
      expect(await linkFor(firstCookie), 'the same bytes in one session').toBe(links[0])
      expect(await statuses(links)).toEqual([200, 200])
      await ask('POST', '/~octavo/sign-out', {
        ...firstCookie,
        'content-type': 'application/x-www-form-urlencoded',
      })
      expect(await statuses(links)).toEqual([404, 200])

      const hour = 60 * 60 * 1000
      client.advance(sessionLifetime - hour)
      const last = await linkFor(there)
      expect(await statuses([last])).toEqual([200])
      client.advance(hour)
      expect(await statuses([last]), 'a session that came to its end').toEqual([404])
    })

    test('the API token, also one made by another token', async () => {
      const make = async (headers: object, more: object = {}) => {
        const { id, token } = (await ask('POST', '/v1/user/tokens', headers, { label: 'ci', ...more })).json()
        return { id, headers: { authorization: `Bearer ${token}` } }
      }
      const session = await signIn()
      const expiresAt = new Date(client.now() + 60 * 60 * 1000).toISOString()
      const [first, brief] = [await make(session), await make(session, { expiresAt })]
      const second = await make(first.headers)
      const links = await Promise.all(
        [first.headers, second.headers, brief.headers, session].map((one) => linkFor(one)),
      )
      expect(await statuses(links)).toEqual([200, 200, 200, 200])
      expect((await ask('DELETE', `/v1/user/tokens/${first.id}`, session)).statusCode).toBe(204)
      expect(await statuses(links)).toEqual([404, 404, 200, 200])
      client.advance(60 * 60 * 1000)
      expect(await statuses(links)).toEqual([404, 404, 404, 200])
    })
  })

  test('the download URL of the API gives access to these bytes and no others, without a header', async () => {
    const { id } = await client.space(ann, acme, 'Private', [])
    const request = (await client.request(ann, 'POST', `/spaces/${id}/change-requests`)).body
    const place = `/spaces/${id}/change-requests/${request.id}/content`
    const insert = (name: string, bytes: string) =>
      client.request(ann, 'POST', `${place}?compat=false`, {
        changes: [{ operation: 'insert_files', files: [{ name, base64: base64(bytes) }] }],
      })
    const [first, second] = [await insert('a.txt', 'one'), await insert('b.txt', 'two')]
    const [one, two] = [first, second].map(({ body }) => new URL(body.insertedFiles[0].downloadURL))
    const read = async (url: URL) => {
      const { status, text } = await client.read(url.pathname + url.search)
      return status === 200 ? text : status
    }
    expect([await read(one!), await read(two!)]).toEqual(['one', 'two'])

    const swapped = new URL(one!)
    swapped.searchParams.set('token', two!.searchParams.get('token')!)
    const bare = new URL(one!)
    bare.searchParams.delete('token')
    expect([await read(swapped), await read(bare)]).toEqual([404, 404])

    await client.request(ann, 'POST', `/spaces/${id}/change-requests/${request.id}/merge`)
    const listed = (await client.request(ann, 'GET', `/spaces/${id}/content/files`)).body.items
    expect(await Promise.all(listed.map((file: any) => read(new URL(file.downloadURL))))).toEqual(
      expect.arrayContaining(['one', 'two']),
    )
    const { revision } = (await client.request(ann, 'GET', `/spaces/${id}`)).body
    const [fixed] = (await client.request(ann, 'GET', `/spaces/${id}/revisions/${revision}/files`)).body.items
    expect(new URL(fixed.downloadURL).searchParams.get('revision')).toBe(revision)
    expect(['one', 'two']).toContain(await read(new URL(fixed.downloadURL)))

    await client.request(ann, 'DELETE', `/spaces/${id}`)
    expect(await read(new URL(fixed.downloadURL))).toBe(404)
  })
})

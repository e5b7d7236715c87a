/**
 * Read access: every kind of reader, at every URL with content of a space, under every kind of publishing. One table,
 * because one function decides it.
 */
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import type { OrganizationId } from '../src/core/ids.js'
import type { Person } from './test-client.js'
import { describeEngines } from './engines.js'
import { type SiteClient, openSiteClient } from './site-client.js'
import { acrossTestOrganizations } from './test-rows.js'

const people = ['nobody', 'stranger', 'guest', 'invited', 'reader'] as const

const feeds = ['', 'start', 'start.md', '~octavo/search?q=start', '?q=start', 'llms.txt', 'robots.txt']

describeEngines('readers', (engine) => {
  let api: SiteClient
  let ann: Person
  let acme: OrganizationId
  let space: string
  let site: { id: string; base: string }
  let file: string
  let signed: string
  const known = new Map<(typeof people)[number], Person>()

  beforeAll(async () => {
    api = await openSiteClient(await engine.open())
    ann = await api.person('ann')
    acme = await api.organization(ann)
    ;({ id: space } = await api.space(ann, acme, 'Guide', [
      { slug: 'home', markdown: '# Home\n' },
      { slug: 'start', markdown: '# Start\n' },
    ]))
    const picture = { width: 600, height: 200, channels: 3, background: '#888' } as const
    const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
    const base64 = (
      await sharp({ create: { ...picture, noise } })
        .png()
        .toBuffer()
    ).toString('base64')
    await api.change(ann, space, [{ operation: 'insert_files', files: [{ name: 'a.png', base64 }] }])
    for (const name of people.slice(1)) known.set(name, await api.person(name))
    await api.join(acme, known.get('guest')!, null)
    await api.join(acme, known.get('reader')!, 'read')
    await api.join(acme, known.get('invited')!, 'read')
    await api.services.database.write((tx) =>
      acrossTestOrganizations(tx)
        .updateTable('members')
        .set({ accepted_at: null })
        .where('user_id', '=', known.get('invited')!.id)
        .execute(),
    )
    site = await api.publish(ann, acme, { title: 'Docs', spaces: [space] })
    const { items } = (await api.request(known.get('reader')!, 'GET', `/spaces/${space}/content/files`)).body
    const url = new URL(items[0].downloadURL)
    signed = url.pathname + url.search
    url.searchParams.delete('token')
    file = url.pathname + url.search
  })

  const as = (person: Person | undefined): Record<string, string> =>
    person === undefined ? {} : { authorization: `Bearer ${person.token}` }
  const statuses = (path: string, method: 'GET' | 'HEAD' = 'GET') =>
    Promise.all(people.map(async (name) => (await api.read(path, as(known.get(name)), method)).status))
  const change = (body: object) => api.request(ann, 'PATCH', `/orgs/${acme}/sites/${site.id}`, body)

  //                      nobody, stranger, guest, invited, reader
  const all = [200, 200, 200, 200, 200]
  const hidden = [404, 404, 404, 404, 200]
  test.each([
    ['public', all, all],
    ['share-link', hidden, hidden],
    ['visitor-auth', [401, 401, 401, 401, 200], hidden],
    ['unlisted', all, all],
  ])('of a site that is %s', async (visibility, pages, files) => {
    expect((await change({ visibility })).status).toBe(200)
    for (const path of feeds) {
      expect(await statuses(site.base + path), path).toEqual(pages)
      expect(await statuses(site.base + path, 'HEAD'), `HEAD ${path}`).toEqual(pages)
    }
    expect(await statuses(file), 'a file').toEqual(files)
    expect(await statuses(`${file}&w=480`), 'a file in another size').toEqual(files)
    expect(await statuses(`/s/${space}/`), 'the preview').toEqual([401, 404, 404, 403, 200])
    expect((await api.read(signed)).status, 'a signed address').toBe(200)
    expect((await api.read(`${signed}&w=480`)).status, 'the same in another size').toBe(200)
  })

  test('of an unpublished site: no one reads its pages, and readers of the space read its files', async () => {
    await change({ visibility: 'visitor-auth' })
    await api.request(ann, 'POST', `/orgs/${acme}/sites/${site.id}/unpublish`)
    for (const path of feeds)
      expect(await statuses(site.base + path), path).toEqual([404, 404, 404, 404, 404])
    expect(await statuses(file)).toEqual(hidden)
    await api.request(ann, 'POST', `/orgs/${acme}/sites/${site.id}/publish`)
  })

  test('where single sign-on is required, other sign-ins read only public content', async () => {
    await change({ visibility: 'share-link' })
    expect((await api.read(signed)).status).toBe(200)
    await api.request(ann, 'PATCH', `/orgs/${acme}`, { sso: true })
    for (const path of feeds)
      expect(await statuses(site.base + path), path).toEqual([404, 404, 404, 404, 404])
    expect(await statuses(file)).toEqual([404, 404, 404, 404, 404])
    expect(await statuses(`${file}&w=480`)).toEqual([404, 404, 404, 404, 404])
    expect(await statuses(`/s/${space}/`)).toEqual([401, 404, 404, 403, 401])
    // A signed URL opens no more than its request could read.
    expect((await api.read(signed)).status).toBe(404)
    expect((await api.read(`${signed}&w=480`)).status).toBe(404)
    await change({ visibility: 'public' })
    expect(await statuses(site.base)).toEqual(all)
    await api.request(ann, 'PATCH', `/orgs/${acme}`, { sso: false })
  })

  test('of a space in the trash', async () => {
    await change({ visibility: 'share-link' })
    await api.request(ann, 'DELETE', `/spaces/${space}`)
    expect(await statuses(file)).toEqual([404, 404, 404, 404, 404])
    expect(await statuses(`/s/${space}/`)).toEqual([401, 404, 404, 404, 404])
    expect((await api.read(signed)).status).toBe(404)
  })
})

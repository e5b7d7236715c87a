/** Sites through the API: visibility, changes, published content, and conditions of publishing. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { OrganizationId } from '../../core/ids.js'
import { type TestClient, type Person, openTestClient } from '../../../tests/test-client.js'
import { describeEngines } from '../../../tests/engines.js'

describeEngines('sites', (engine) => {
  let api: TestClient
  let [ann, maker, reader, guest, stranger]: Person[] = []
  let acme: OrganizationId
  let at: string

  beforeAll(async () => {
    api = await openTestClient(await engine.open())
    ;[ann, maker, reader, guest, stranger] = await Promise.all(
      ['ann', 'max', 'rita', 'gus', 'sam'].map((name) => api.person(name)),
    )
    acme = await api.organization(ann!)
    await api.join(acme, maker!, 'create')
    await api.join(acme, reader!, 'read')
    await api.join(acme, guest!, null)
    at = `/orgs/${acme}/sites`
  })

  const made = async (person: Person | undefined, path: string, body?: object) => {
    const answer = await api.request(person!, 'POST', path, body)
    expect(answer.status, answer.text).toBeLessThan(300)
    return answer.body
  }
  const newSpace = (title: string, person = maker) => made(person, `/orgs/${acme}/spaces`, { title })

  test('a site says to each caller what they may do, alone and in lists', async () => {
    const [open, closed] = [await newSpace('Open'), await newSpace('Closed', ann)]
    const share = (users: Person[], role: string) =>
      made(ann, `/spaces/${closed.id}/permissions`, { role, users: users.map(({ id }) => id) })
    await share([reader!], 'read')
    await share([maker!], 'edit')
    const { id } = await made(ann, at, { title: 'Both', spaces: [open.id, closed.id] })
    const bare = await made(maker, at, { title: 'Bare' })
    for (const [person, edit, administer] of [
      [ann!, true, true],
      [maker!, true, false],
      [reader!, false, false],
    ] as const) {
      const { body } = await api.request(person, 'GET', `${at}/${id}`)
      expect(body.defaultLevel).toBe('inherit')
      expect(body.permissions).toEqual({
        view: true,
        access: true,
        edit,
        create: administer,
        admin: administer,
        installIntegration: false,
        viewAdaptiveSchema: true,
        editAdaptiveSchema: administer,
      })
      const { items } = (await api.request(person, 'GET', `${at}?limit=100`)).body
      expect(items.find((site: { id: string }) => site.id === id)).toEqual(body)
      const changed = await api.request(person, 'PATCH', `${at}/${id}`, { title: 'Both' })
      expect(changed.status).toBe(administer ? 200 : 403)
      if (administer) expect(changed.body.permissions).toEqual(body.permissions)
    }
    // Without spaces the role in the organization decides.
    expect(bare.permissions).toMatchObject({ edit: true, create: true, admin: true })
    const seen = (await api.request(reader!, 'GET', `${at}/${bare.id}`)).body.permissions
    expect(seen).toMatchObject({ view: true, edit: false, admin: false })
  })

  test('a site is created from spaces, and published in a separate step', async () => {
    const [one, two] = [await newSpace('Product Guide'), await newSpace('Product Guide')]
    const site = await made(maker, at, { spaces: [one.id, two.id] })
    expect(site).toMatchObject({
      object: 'site',
      title: 'Product Guide',
      basename: 'product-guide',
      visibility: 'public',
      published: false,
      siteSpaces: 2,
    })
    expect(site.urls.published).toBeUndefined()
    const links = (await api.request(reader!, 'GET', `${at}/${site.id}/site-spaces`)).body.items
    expect(links.map((link: { path: string; default: boolean }) => [link.path, link.default])).toEqual([
      ['product-guide', true],
      ['product-guide-2', false],
    ])
    expect((await api.request(reader!, 'GET', `${at}/${site.id}/published`)).status).toBe(404)

    const published = await made(maker, `${at}/${site.id}/publish`)
    expect(published.urls.published).toBe('http://octavo.test/@acme/product-guide/')
    const space = (await api.request(reader!, 'GET', `/spaces/${two.id}`)).body
    expect(space.visibility).toBe('public')
    expect(space.urls.public).toBe('http://octavo.test/@acme/product-guide/product-guide-2/')
    const publishedContent = (await api.request(reader!, 'GET', `${at}/${site.id}/published`)).body
    expect(publishedContent.structure.structure).toHaveLength(2)
    expect(publishedContent.customizations.site.styling.theme).toBe('clean')

    const offline = await made(maker, `${at}/${site.id}/unpublish`)
    expect([offline.published, offline.urls.published]).toEqual([false, undefined])
  })

  test('basenames: derived from the title, or requested and free', async () => {
    const first = await made(maker, at, { title: 'Café & Más' })
    const second = await made(maker, at, { title: 'Café & Más' })
    expect([first.basename, second.basename]).toEqual(['cafe-mas', 'cafe-mas-2'])
    expect((await made(maker, at, { title: '文档' })).basename).toBe('site')
    expect((await made(maker, at)).title).toBe('Untitled site')
    const path = `${at}/${second.id}`
    expect((await api.request(maker!, 'PATCH', path, { basename: 'CAFE-mas' })).status).toBe(409)
    expect((await api.request(maker!, 'PATCH', path, { basename: 'cafe-mas-2' })).status).toBe(200)
    expect((await api.request(maker!, 'PATCH', path, { basename: '-x' })).status).toBe(400)
  })

  test('refused: publishing without content, a duplicate or unknown space, an unknown section', async () => {
    const empty = await made(maker, at, { title: 'Nothing' })
    expect((await api.request(maker!, 'POST', `${at}/${empty.id}/publish`)).status).toBe(400)
    const space = await newSpace('Once')
    expect((await api.request(maker!, 'POST', at, { spaces: [space.id, space.id] })).status).toBe(409)
    const added = await api.request(maker!, 'POST', `${at}/${empty.id}/site-spaces`, { spaceId: space.id })
    const location = `http://octavo.test/v1${at}/${empty.id}/site-spaces/${added.body.id}`
    expect([added.status, added.headers['location']]).toEqual([201, location])
    const again = await api.request(maker!, 'POST', `${at}/${empty.id}/site-spaces`, { spaceId: space.id })
    expect(again.status).toBe(409)
    const otherOrganization = await api.organization(stranger!, 'Elsewhere')
    const foreign = await made(stranger, `/orgs/${otherOrganization}/spaces`, { title: 'Foreign' })
    for (const spaceId of ['unknown', foreign.id]) {
      const answer = await api.request(maker!, 'POST', `${at}/${empty.id}/site-spaces`, { spaceId })
      expect(answer.status).toBe(400)
      expect(answer.body.error.message).toContain('spaceId')
      expect((await api.request(maker!, 'POST', at, { spaces: [spaceId] })).status).toBe(400)
    }
    const other = await newSpace('Sectioned')
    const body = { spaceId: other.id, sectionId: 'sect_1' }
    const sectioned = await api.request(maker!, 'POST', `${at}/${empty.id}/site-spaces`, body)
    expect(sectioned.status).toBe(400)
    expect(sectioned.body.error.message).toContain('a section of the site')
    for (const member of ['defaultSiteSpace', 'defaultSiteSection']) {
      const unknown = await api.request(maker!, 'PATCH', `${at}/${empty.id}`, { [member]: 'x' })
      expect(unknown.status).toBe(400)
      expect(unknown.body.error.message).toContain(member)
    }
  })

  test.each([['sample'], ['empty']])('a new site with a space of its own: %s', async (spaces) => {
    const site = await made(maker, at, { title: `Fresh ${spaces}`, spaces })
    expect(site.siteSpaces).toBe(1)
    expect((await made(maker, `${at}/${site.id}/publish`)).published).toBe(true)
    const [link] = (await api.request(maker!, 'GET', `${at}/${site.id}/site-spaces`)).body.items
    const { pages } = (await api.request(maker!, 'GET', `/spaces/${link.space.id}/content/pages`)).body
    expect(pages[0].title).toBe(spaces === 'sample' ? 'Welcome' : 'Page')
  })

  test('live edits of public spaces are locked', async () => {
    const space = await newSpace('Open')
    const unlock = () => api.request(maker!, 'PATCH', `/spaces/${space.id}`, { editMode: 'live' })
    const mode = async () => (await api.request(maker!, 'GET', `/spaces/${space.id}`)).body.editMode
    const site = await made(maker, at, { title: 'Opening', visibility: 'share-link', spaces: [space.id] })
    expect((await unlock()).body.editMode).toBe('live')
    await made(maker, `${at}/${site.id}/publish`)
    expect(await mode()).toBe('live')
    await api.request(maker!, 'PATCH', `${at}/${site.id}`, { visibility: 'unlisted' })
    expect(await mode()).toBe('locked')
    expect((await unlock()).status).toBe(409)
    await made(maker, `${at}/${site.id}/unpublish`)
    expect((await unlock()).status).toBe(200)
    await made(maker, `${at}/${site.id}/publish`)
    expect(await mode()).toBe('locked')
  })

  describe('who may', () => {
    test('see a site: readers of one of its spaces, or any member while it is empty', async () => {
      const shut = await newSpace('Shut')
      await api.request(ann!, 'PATCH', `/spaces/${shut.id}`, { defaultLevel: null })
      const closed = await made(ann, at, { title: 'Closed', spaces: [shut.id] })
      const empty = await made(ann, at, { title: 'Empty' })
      const expected: [Person, boolean, boolean][] = [
        [ann!, true, true],
        [maker!, true, true],
        [reader!, false, true],
        [guest!, false, false],
      ]
      for (const [person, seesClosed, seesEmpty] of expected) {
        const list = (await api.request(person, 'GET', `${at}?limit=1000`)).body
        const ids = list.items.map(({ id }: { id: string }) => id)
        expect(list.count).toBe(ids.length)
        for (const [site, sees] of [
          [closed, seesClosed],
          [empty, seesEmpty],
        ]) {
          expect((await api.request(person, 'GET', `${at}/${site.id}`)).status).toBe(sees ? 200 : 404)
          expect(ids.includes(site.id)).toBe(sees)
        }
      }
      expect((await api.request(stranger!, 'GET', at)).status).toBe(404)
      expect((await api.request(null, 'GET', at)).status).toBe(401)
    })

    test('change a site: administrators of one of its spaces', async () => {
      const space = await newSpace('Judged')
      const site = await made(maker, at, { title: 'Judged', spaces: [space.id] })
      expect((await api.request(reader!, 'PATCH', `${at}/${site.id}`, { title: 'Mine' })).status).toBe(403)
      expect((await api.request(reader!, 'POST', `${at}/${site.id}/publish`)).status).toBe(403)
      expect((await api.request(guest!, 'POST', `${at}/${site.id}/publish`)).status).toBe(404)
      expect((await api.request(reader!, 'POST', at, { title: 'Mine' })).status).toBe(403)
    })

    test('publish a space: its administrators, whatever else is on the site', async () => {
      const readable = await newSpace('Readable', ann)
      await api.request(ann!, 'PATCH', `/spaces/${readable.id}`, { defaultLevel: 'read' })
      const own = await newSpace('Own')
      const site = await made(maker, at, { title: 'Mixed', spaces: [own.id] })
      const answer = await api.request(maker!, 'POST', `${at}/${site.id}/site-spaces`, {
        spaceId: readable.id,
      })
      expect(answer.status).toBe(403)
      expect((await api.request(maker!, 'POST', at, { spaces: [readable.id] })).status).toBe(403)
    })

    test('an unreadable space is hidden on a site', async () => {
      const [readable, shut] = [await newSpace('Front', ann), await newSpace('Back', ann)]
      await api.request(ann!, 'PATCH', `/spaces/${shut.id}`, { defaultLevel: null })
      const site = await made(ann, at, { title: 'Half', spaces: [readable.id, shut.id] })
      const titles = async (person: Person) =>
        (await api.request(person, 'GET', `${at}/${site.id}/site-spaces`)).body.items.map(
          ({ title }: { title: string }) => title,
        )
      expect(await titles(ann!)).toEqual(['Front', 'Back'])
      expect(await titles(reader!)).toEqual(['Front'])
    })
  })

  test('lists are filtered and paged', async () => {
    const space = await newSpace('Listed')
    const site = await made(maker, at, { title: 'Found 100%', type: 'premium', spaces: [space.id] })
    await made(maker, `${at}/${site.id}/publish`)
    for (const query of [
      `space=${space.id}`,
      'title=found%20100%25',
      'type=premium',
      `published=true&space=${space.id}`,
    ]) {
      const { items, count } = (await api.request(maker!, 'GET', `${at}?${query}`)).body
      expect([count, items[0].id], query).toEqual([1, site.id])
    }
    expect((await api.request(maker!, 'GET', `${at}?space=${space.id}&published=false`)).body.count).toBe(0)
    const ids = new Set<string>()
    let page: string | undefined
    do {
      const cursor = page === undefined ? '' : `&page=${page}`
      const answer = (await api.request(ann!, 'GET', `${at}?limit=3${cursor}`)).body
      for (const { id } of answer.items) {
        expect(ids.has(id)).toBe(false)
        ids.add(id)
      }
      page = answer.next?.page
    } while (page !== undefined)
    expect(ids.size).toBe((await api.request(ann!, 'GET', `${at}?limit=0`)).body.count)
  })
})

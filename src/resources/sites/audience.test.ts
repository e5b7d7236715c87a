/** Share links, the visitor signing key and previews, for those who administer a site. */
import { expect, test } from 'vitest'
import { describeEngines } from '../../../tests/engines.js'
import { openSiteClient } from '../../../tests/site-client.js'

describeEngines('the audience of a site', (engine) => {
  async function open() {
    const api = await openSiteClient(await engine.open())
    const ann = await api.person('ann')
    const acme = await api.organization(ann)
    const { id: space } = await api.space(ann, acme, 'Guide', [{ slug: 'home', markdown: '# Home\n' }])
    const { id, base } = await api.publish(ann, acme, {
      title: 'Docs',
      visibility: 'share-link',
      spaces: [space],
    })
    const at = `/orgs/${acme}/sites/${id}`
    const ask = (method: string, path: string, body?: object) => api.request(ann, method, at + path, body)
    return { api, ann, acme, space, base, at, ask }
  }

  test('share links are created, found, renamed, revoked and deleted', async () => {
    const { ask, base } = await open()
    const made = await ask('POST', '/share-links', { name: 'Reviewers' })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({ object: 'share-link', name: 'Reviewers', active: true })
    const { id, urls } = made.body
    expect(made.headers['location']).toMatch(new RegExp(`/share-links/${id}$`))
    const key = new URL(urls.published).pathname.slice(base.length, -1)
    expect(key).toMatch(/^[\w-]{30}$/)
    const { body: other } = await ask('POST', '/share-links', {})
    expect(other.name).toBeUndefined()

    const found = async (search: string) =>
      (await ask('GET', `/share-links?search=${search}`)).body.items.map((one: { id: string }) => one.id)
    expect((await ask('GET', '/share-links')).body.items.map((one: { id: string }) => one.id)).toEqual([
      other.id,
      id,
    ])
    expect(await found('REVIEW')).toEqual([id])
    expect(await found(key)).toEqual([id])
    expect(await found('nobody')).toEqual([])

    const ended = await ask('PATCH', `/share-links/${id}`, { active: false })
    expect(ended.body).toEqual({ ...made.body, active: false })
    const renamed = await ask('PATCH', `/share-links/${id}`, { name: '' })
    expect(renamed.body).toEqual({ ...made.body, active: false, name: '' })
    const again = await ask('PATCH', `/share-links/${id}`, { active: true })
    expect(again.body.urls).toEqual(urls)
    expect((await ask('PATCH', `/share-links/${id}`, { name: 'x'.repeat(51) })).status).toBe(400)
    expect((await ask('DELETE', `/share-links/${id}`)).status).toBe(205)
    expect((await ask('DELETE', `/share-links/${id}`)).status).toBe(204)
    expect((await ask('PATCH', `/share-links/${id}`, { active: true })).status).toBe(404)
  })

  test('published URLs carry on the key of a valid share link', async () => {
    const { ask, base } = await open()
    const { id, urls } = (await ask('POST', '/share-links', {})).body
    const key = new URL(urls.published).pathname.slice(base.length, -1)
    const { id: siteSpaceId } = (await ask('GET', '/site-spaces')).body.items[0]
    const destination = { kind: 'site-space', siteSpaceId }
    await ask('POST', '/redirects', { source: '/old', destination })
    const addresses = async (shareKey: string) => {
      const published = (await ask('GET', `/published?shareKey=${shareKey}`)).body
      const listed = (await ask('GET', `/site-spaces?shareKey=${shareKey}`)).body
      const structure = (await ask('GET', `/structure?shareKey=${shareKey}`)).body
      const { target } = (await ask('GET', `/redirect?source=/old&shareKey=${shareKey}`)).body
      return new Set([
        published.site.urls.published,
        published.structure.structure[0].urls.published,
        listed.items[0].urls.published,
        structure.structure[0].urls.published,
        target,
      ])
    }
    expect(await addresses(key)).toEqual(new Set([urls.published]))
    const plain = new Set([urls.published.slice(0, -key.length - 1)])
    expect(await addresses(`x${key.slice(1)}`)).toEqual(plain)
    await ask('PATCH', `/share-links/${id}`, { active: false })
    expect(await addresses(key)).toEqual(plain)
  })

  test('the signing key differs per site, and after regeneration', async () => {
    const { ask, api, ann, acme, space } = await open()
    const { body: first } = await ask('GET', '/publishing/auth')
    expect(first).toMatchObject({ object: 'publishing-auth', backend: 'custom' })
    expect(first.privateKey).toMatch(/^[\w-]{43}$/)
    expect((await ask('GET', '/publishing/auth')).body).toEqual(first)
    const other = await api.publish(ann, acme, { title: 'Other', spaces: [space] })
    const { body: second } = await api.request(ann, 'GET', `/orgs/${acme}/sites/${other.id}/publishing/auth`)
    expect(second.privateKey).not.toBe(first.privateKey)
    const { body: anew } = await ask('POST', '/publishing/auth/regenerate')
    expect(anew.privateKey).not.toBe(first.privateKey)
    expect((await ask('GET', '/publishing/auth')).body).toEqual(anew)
    const [one, two] = await Promise.all([
      ask('POST', '/publishing/auth/regenerate'),
      ask('POST', '/publishing/auth/regenerate'),
    ])
    expect(one.body.privateKey).not.toBe(two.body.privateKey)
  })

  test('the sign-in URL is a web URL without a "location" parameter', async () => {
    const { ask } = await open()
    const login = 'https://example.com/login?from=docs'
    const { body } = await ask('PATCH', '/publishing/auth', { backend: 'custom', fallbackURL: login })
    expect(body.fallbackURL).toBe(login)
    const both = await ask('PATCH', '/publishing/auth', { logoutURL: 'https://example.com/out' })
    expect(both.body).toMatchObject({ fallbackURL: login, logoutURL: 'https://example.com/out' })
    const none = await ask('PATCH', '/publishing/auth', { fallbackURL: null, logoutURL: null })
    expect(none.body).toEqual({ object: 'publishing-auth', backend: 'custom', privateKey: body.privateKey })
    for (const fallbackURL of ['javascript:alert(1)', 'https://example.com/?location=here', '/login', 7]) {
      const refused = await ask('PATCH', '/publishing/auth', { fallbackURL })
      expect(refused.status, String(fallbackURL)).toBe(400)
      expect(refused.body.error.message).toContain('fallbackURL')
    }
    expect((await ask('PATCH', '/publishing/auth', { backend: 'integration' })).status).toBe(400)
  })

  test('every created or regenerated key is in the audit log as an event, never as a secret', async () => {
    const { ask, api, ann, acme } = await open()
    const { body: link } = await ask('POST', '/share-links', { name: 'Reviewers' })
    await ask('PATCH', `/share-links/${link.id}`, { active: false })
    await ask('DELETE', `/share-links/${link.id}`)
    await ask('PATCH', '/publishing/auth', { fallbackURL: 'https://example.com/login' })
    const { body: auth } = await ask('POST', '/publishing/auth/regenerate')
    const log = await api.request(ann, 'GET', `/orgs/${acme}/audit?limit=5`)
    expect(log.body.items.map((one: { action: string }) => one.action)).toEqual([
      'regenerateSitePublishingAuthById',
      'updateSitePublishingAuthById',
      'deleteSiteShareLinkById',
      'updateSiteShareLinkById',
      'createSiteShareLink',
    ])
    expect(log.text).not.toContain(auth.privateKey)
    expect(log.text).not.toContain(new URL(link.urls.published).pathname.split('/').at(-2))
  })

  test('keys are visible to administrators of the site only', async () => {
    const { api, acme, at } = await open()
    const bob = await api.person('bob')
    await api.join(acme, bob, 'edit')
    expect((await api.request(bob, 'GET', at)).status).toBe(200)
    for (const path of ['/share-links', '/publishing/auth', '/publishing/preview'])
      expect((await api.request(bob, 'GET', at + path)).status, path).toBe(403)
  })

  test('a preview needs a space of the site, and claims that are an object', async () => {
    const { ask, base } = await open()
    const { body } = await ask('GET', '/publishing/preview?claims=(plan:pro,teams:!(a,b))')
    expect(new URL(body.url).pathname.startsWith(`${base}~octavo/preview/`)).toBe(true)
    for (const query of ['claims=plan', 'claims=!(a)', 'claims=(a', 'siteSpace=sitesp_none'])
      expect((await ask('GET', `/publishing/preview?${query}`)).status, query).toBe(400)
  })
})

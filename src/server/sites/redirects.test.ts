/** Redirects of sites, by the API and for readers; and sites that are deleted. */
import { beforeAll, expect, test } from 'vitest'
import { sql } from 'kysely'
import type { OrganizationId, SiteId } from '../../core/ids.js'
import { findRedirectFor } from '../../resources/sites/redirect-store.js'
import { engineOf } from '../../store/db/database.js'
import type { Person } from '../../../tests/test-client.js'
import { describeSqlite } from '../../../tests/engines.js'
import { plansOf } from '../../../tests/query-plans.js'
import { type SiteClient, openSiteClient } from '../../../tests/site-client.js'

describeSqlite('redirects of a site', (engine) => {
  let client: SiteClient
  let ann: Person
  let acme: OrganizationId
  let site: string
  let base: string
  let guide: string
  let pages: ReadonlyMap<string, string>
  let [section, link, other] = ['', '', '']

  async function must(method: string, path: string, body?: object): Promise<any> {
    const answer = await client.request(ann, method, path, body)
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300)
    return answer.body
  }
  const refused = async (method: string, path: string, body?: object) =>
    (await client.request(ann, method, path, body)).status
  const lead = (source: string, destination: object, more: object = {}) =>
    must('POST', `${site}/redirects`, { source, destination, ...more })
  const location = async (path: string) => {
    const { status, headers } = await client.read(base + path)
    return headers['location'] === undefined ? status : `${status} ${headers['location']}`
  }

  beforeAll(async () => {
    client = await openSiteClient(await engine.open())
    ann = await client.person('ann')
    acme = await client.organization(ann)
    ;({ id: guide, pages } = await client.space(ann, acme, 'Guide', [
      { slug: 'home', markdown: '# Home\n' },
      { slug: 'page', markdown: '# Page\n' },
    ]))
    await client.change(ann, guide, [
      {
        operation: 'insert_page',
        slug: 'closed',
        document: { markdown: '---\nif: false\n---\n\n# Closed\n' },
      },
    ])
    const api = await client.space(ann, acme, 'API', [{ slug: 'calls', markdown: '# Calls\n' }])
    const made = await client.publish(ann, acme, { title: 'Docs', spaces: [guide] })
    site = `/orgs/${acme}/sites/${made.id}`
    base = made.base
    const added = await must('POST', `${site}/sections`, { spaceId: api.id })
    section = added.id
    other = added.siteSpaces[0].id
    link = (await must('GET', `${site}/sections`)).items[0].siteSpaces[0].id
  })

  test('apply where there is no page, in any case, and keep the query', async () => {
    await lead('/Old/Reference', { kind: 'site-section', siteSectionId: section })
    await lead('/start%20here', { kind: 'site-space', siteSpaceId: link })
    await lead('/old-page', { kind: 'site-page', siteSpaceId: link, pageId: pages.get('page') })
    await lead('/page', { kind: 'external', url: 'https://octavo.test/never' })
    await lead('/api/gone', { kind: 'external', url: 'https://octavo.test/a?b=1#c' })
    expect(await location('old/reference')).toBe(`307 ${base}api/`)
    expect(await location('old/REFERENCE/?x=1')).toBe(`307 ${base}api/?x=1`)
    expect(await location('start%20here')).toBe(`307 ${base}`)
    expect(await location('old-page')).toBe(`307 ${base}page`)
    expect(await location('page')).toBe(200)
    expect(await location('api/gone?x=1')).toBe('307 https://octavo.test/a?b=1#c')
    expect(await location('nothing')).toBe(404)
  })

  test('are permanent if they are set so, and the site is public', async () => {
    const { id } = await lead('/for-ever', { kind: 'site-space', siteSpaceId: link }, { permanent: true })
    expect(await location('for-ever')).toBe(`308 ${base}`)
    await must('PATCH', site, { visibility: 'unlisted' })
    expect(await location('for-ever')).toBe(`307 ${base}`)
    await must('PATCH', site, { visibility: 'public' })
    await must('DELETE', `${site}/redirects/${id}`)
    expect(await location('for-ever')).toBe(404)
    expect(await refused('DELETE', `${site}/redirects/${id}`)).toBe(204)
  })

  test('are found by their source, with their target', async () => {
    const { id } = await lead('/find-me', { kind: 'site-page', siteSpaceId: link, pageId: pages.get('page') })
    const findRedirect = (source: string) => client.request(ann, 'GET', `${site}/redirect?source=${source}`)
    expect((await findRedirect('/FIND-me')).body).toMatchObject({
      redirect: { object: 'site-redirect', id, source: '/find-me', draft: false, permanent: false },
      target: `http://octavo.test${base}page`,
    })
    await must('PATCH', `${site}/redirects/${id}`, {
      source: '/found',
      destination: { kind: 'site-section', siteSectionId: section },
    })
    expect((await findRedirect('/find-me')).status).toBe(404)
    expect((await findRedirect('/found')).body.target).toBe(`http://octavo.test${base}api/`)
    expect((await must('GET', `${site}/redirects?search=FOUN`)).items).toHaveLength(1)
    expect((await must('GET', `${site}/redirects?search=%25`)).items).toHaveLength(0)

    // It remains while its target is removed and restored.
    await must('PATCH', `${site}/sections/${section}`, { draft: true })
    expect([(await findRedirect('/found')).status, await location('found')]).toEqual([404, 404])
    await must('PATCH', `${site}/sections/${section}`, { draft: false })
    expect(await location('found')).toBe(`307 ${base}api/`)
  })

  test('do not lead to a page that the reader may not see', async () => {
    const { pages: tree } = await must('GET', `/spaces/${guide}/content/pages`)
    const pageId = tree.find(({ slug }: any) => slug === 'closed').id
    await lead('/to-closed', { kind: 'site-page', siteSpaceId: link, pageId })
    expect(await location('to-closed')).toBe(`307 ${base}closed`)
    await must('PATCH', site, { adaptiveContent: { enabled: true } })
    expect(await location('to-closed')).toBe(404)
    await must('PATCH', site, { adaptiveContent: { enabled: false } })
  })

  test('have unique sources, and targets in the site', async () => {
    const good = { kind: 'site-space', siteSpaceId: link }
    await lead('/taken', good)
    const create = (source: string, destination: object) =>
      refused('POST', `${site}/redirects`, { source, destination })
    expect(await create('/TAKEN', good)).toBe(409)
    const { id } = await lead('/untaken', good)
    expect(await refused('PATCH', `${site}/redirects/${id}`, { source: '/taken' })).toBe(409)
    await must('PATCH', `${site}/redirects/${id}`, { source: '/Untaken' })
    for (const source of ['', '/', 'a', '/a/', '/a//b', '/a b', '/a?b', '/%zz', `/${'a'.repeat(512)}`])
      expect(await create(source, good), source).toBe(400)
    for (const destination of [
      { kind: 'site-section', siteSectionId: 'none' },
      { kind: 'site-space', siteSpaceId: 'none' },
      { kind: 'site-page', siteSpaceId: other, pageId: pages.get('page') },
      { kind: 'external', url: 'javascript:alert(1)' },
      { kind: 'elsewhere' },
    ])
      expect(await create('/bad', destination), JSON.stringify(destination)).toBe(400)
  })

  test('by a pattern append the part that the star matches, the longest pattern first', async () => {
    const elsewhere = { kind: 'external', url: 'https://octavo.test/docs?a=1' }
    await lead('/v1/*', elsewhere, { captureWildcard: true })
    await lead('/v1/deep/*', { kind: 'site-section', siteSectionId: section }, { captureWildcard: true })
    await lead('/v2*', { kind: 'site-space', siteSpaceId: link })
    await lead('/v1/deep/own', elsewhere)
    expect(await location('v1/some/Thing')).toBe('307 https://octavo.test/docs/some/Thing?a=1')
    expect(await location('V1/deep/calls')).toBe(`307 ${base}api/calls`)
    expect(await location('v1/deep/own')).toBe('307 https://octavo.test/docs?a=1')
    expect(await location('v2-old/x')).toBe(`307 ${base}`)
    expect(await location('v1')).toBe(404)
    expect(await location('v3')).toBe(404)
    expect((await client.request(ann, 'GET', `${site}/redirect?source=/v1/deep/calls`)).body.target).toBe(
      `http://octavo.test${base}api/calls`,
    )
    const create = (source: string, more: object) =>
      refused('POST', `${site}/redirects`, { source, destination: elsewhere, ...more })
    expect(await create('/no-star', { captureWildcard: true })).toBe(400)
    for (const source of ['/*', '/*/a', '/a*b', '/a/**', '*'])
      expect(await create(source, {}), source).toBe(400)
  })

  test('in a cycle or an endless chain are 404', async () => {
    const own = `http://octavo.test${base}`
    const to = (path: string) => ({ kind: 'external', url: own + path })
    await lead('/round/*', to('round/here'))
    await lead('/pair/a', to('pair/b?x=1'))
    await lead('/pair/b', to('PAIR/a'))
    await lead('/to-pair', to('pair/a'))
    await lead('/ap*', { kind: 'site-section', siteSectionId: section }, { captureWildcard: true })
    await lead('/shouted', { kind: 'external', url: `http://OCTAVO.test${base.toUpperCase()}shouted` })
    for (const path of ['round/here', 'round/x', 'pair/a', 'pair/b', 'to-pair', 'apx', 'api/none', 'shouted'])
      expect(await location(path), path).toBe(404)
    // Pages win: the same redirects lead to a page.
    await lead('/pages/*', to('page'))
    await lead('/pag*', to('page'))
    expect([await location('pages/x'), await location('page')]).toEqual([`307 ${own}page`, 200])
    expect(await location('apcalls')).toBe(`307 ${base}api/calls`)
    // A chain, each redirect by itself.
    await lead('/row/1', to('row/2'))
    await lead('/row/2', to('row/3'))
    await lead('/row/3', to('page'))
    expect(await location('row/1')).toBe(`307 ${own}row/2`)
  })

  test('are created, changed and removed in bulk, each validated by itself', async () => {
    const good = { kind: 'site-page', siteSpaceId: link, pageId: pages.get('page') }
    const put = async (...redirects: object[]) =>
      (await must('PUT', `${site}/redirects`, { redirects })).results.map(
        ({ status, error }: any) => error ?? status,
      )
    const own = `http://octavo.test${base}`
    expect(
      await put(
        { source: '/many/a', destination: good },
        { source: '/Many/A', destination: good },
        { source: '/many/b', destination: { ...good, pageId: 'none' } },
        { source: '/many/c', destination: { kind: 'site-section', siteSectionId: 'none' } },
        { source: '/many/d', destination: null },
        { source: '/many/e', destination: { kind: 'external', url: `${own}many/f` } },
        { source: '/many/f', destination: { kind: 'external', url: `${own}many/e?x=1` } },
        { source: '/many/g', destination: { kind: 'external', url: `${own}many/a` } },
      ),
    ).toEqual([
      'created',
      expect.stringContaining('twice'),
      expect.stringContaining('no such page'),
      expect.stringContaining('no such section'),
      expect.stringContaining('no redirect'),
      expect.stringContaining('back to itself'),
      expect.stringContaining('back to itself'),
      'created',
    ])
    expect(await location('many/a')).toBe(`307 ${base}page`)
    expect(await location('many/e')).toBe(404)
    expect(
      await put(
        {
          source: '/many/a',
          destination: { kind: 'external', url: 'https://octavo.test/' },
          permanent: true,
        },
        { source: '/many/g', destination: null },
      ),
    ).toEqual(['updated', 'deleted'])
    expect(await location('many/a')).toBe('308 https://octavo.test/')
    expect(await location('many/g')).toBe(404)
    expect(await refused('PUT', `${site}/redirects`, { redirects: [] })).toBe(400)
    expect(
      await refused('PUT', `${site}/redirects`, { redirects: [{ source: 'x', destination: null }] }),
    ).toBe(400)
  })

  test('ten thousand in one request are found as quickly as ten', async () => {
    const redirects = Array.from({ length: 10_000 }, (_, at) => ({
      source: `/bulk/${at % 100}/page-${at}`,
      destination: { kind: 'site-space', siteSpaceId: link },
    }))
    const { results } = await must('PUT', `${site}/redirects`, { redirects })
    expect(results.filter(({ status }: any) => status === 'created')).toHaveLength(10_000)
    expect(await location('bulk/99/page-9999')).toBe(`307 ${base}`)
    expect(await location('bulk/99/page-10000')).toBe(404)
    // Whatever their number, one is found by the index of sources: by its own source, and by those of patterns.
    const { read } = client.services.database
    if (engineOf(read) === 'postgres') await sql`analyze site_redirects`.execute(read)
    const key = { organization_id: acme, id: site.slice(site.lastIndexOf('/') + 1) as SiteId }
    const plans = await plansOf(read, async (db) => {
      expect((await findRedirectFor(db, key, '/bulk/99/page-9999'))?.source).toBe('/bulk/99/page-9999')
      expect(await findRedirectFor(db, key, '/bulk/99/page-10000')).toBeUndefined()
    })
    // In partitions the index has a name in each of them.
    const used = plans.map(({ indexes }) => indexes.map((name) => name.includes('source')))
    expect(used).toEqual(plans.map(() => [true]))
    expect(plans.length).toBeGreaterThan(1)
    expect(plans.flatMap(({ costly, scanning }) => [...costly, ...scanning])).toEqual([])
    const again = await must('PUT', `${site}/redirects`, { redirects })
    expect(again.results.every(({ status }: any) => status === 'updated')).toBe(true)
    expect((await must('GET', `${site}/redirects?search=page-9999`)).items[0].updatedAt).toBeUndefined()
  })

  test('of swapped names lead to their new owners, and those without a target to 404', async () => {
    const files = (name: string) => ({ 'README.md': '# Home\n', [`${name}.md`]: '# Page\n' })
    const one = await client.folder(ann, acme, 'One', {
      ...files('one'),
      '.gitbook.yaml': 'redirects:\n  gone: one.md\n',
    })
    const two = await client.folder(ann, acme, 'Two', files('two'))
    const spaces = [guide, one, two]
    const made = await client.publish(ann, acme, { title: 'Exchanged', visibility: 'public', spaces })
    const at = `/orgs/${acme}/sites/${made.id}`
    const [first, ...links] = (await must('GET', `${at}/site-spaces`)).items.map(({ id }: any) => id)
    const name = (id: string, path: string) => must('PATCH', `${at}/site-spaces/${id}`, { path })
    const locationOf = async (path: string) => {
      const { status, headers } = await client.read(made.base + path)
      return status === 307 ? headers['location'] : status
    }
    await name(links[0], 'a')
    await name(links[1], 'b')
    await name(links[0], 'c')
    expect(await locationOf('a/one')).toBe(`${made.base}c/one`)
    await name(links[1], 'a')
    await name(links[0], 'b')
    expect([await locationOf('b/one'), await locationOf('a/two')]).toEqual([200, 200])
    expect([await locationOf('b/two'), await locationOf('a/one')]).toEqual([404, 404])

    // A space that is the default again.
    for (const defaultSiteSpace of [links[0], first, links[0]]) await must('PATCH', at, { defaultSiteSpace })
    expect(await locationOf('gone')).toBe(`${made.base}one`)
    await must('PATCH', at, { defaultSiteSpace: first })
    expect([await locationOf('gone'), await locationOf('b/gone')]).toEqual([
      `${made.base}b/gone`,
      `${made.base}b/one`,
    ])
  })

  test('are removed with their site, also the first of an organization', async () => {
    const { id, base: removedBase } = await client.publish(ann, acme, { title: 'Gone', spaces: [guide] })
    const at = `/orgs/${acme}/sites/${id}`
    await must('POST', `${at}/redirects`, {
      source: '/a',
      destination: { kind: 'external', url: 'https://octavo.test/' },
    })
    await must('PATCH', `/orgs/${acme}`, { defaultContent: { type: 'site', site: id } })
    expect((await client.read(removedBase)).status).toBe(200)
    await must('DELETE', at)
    expect((await client.read(removedBase)).status).toBe(404)
    expect([await refused('GET', at), await refused('DELETE', at)]).toEqual([404, 204])
    expect((await must('GET', `/orgs/${acme}`)).defaultContent).toBeUndefined()
    expect((await must('GET', `/spaces/${guide}`)).id).toBe(guide)
  })
})

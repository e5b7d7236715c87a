/** Specification downloads: pages that render a part of a specification offer the whole file. */
import { beforeAll, expect, test } from 'vitest'
import type { OrganizationId } from '../../core/ids.js'
import type { Person } from '../../../tests/test-client.js'
import { describeSqlite } from '../../../tests/engines.js'
import { computedPage, processSpecs } from '../../../tests/openapi-specs.js'
import { type SiteClient, openSiteClient } from '../../../tests/site-client.js'

/** More members than a page renders. */
const members = Array.from({ length: 1_200 }, (_, at) => [`m${at}`, { type: 'string' }])
const content = {
  'application/json': { schema: { type: 'object', properties: Object.fromEntries(members) } },
}
const specification = (title: string, more: object = {}) => ({
  openapi: '3.1.0',
  info: { title, version: '1' },
  paths: {
    '/pets': {
      get: { tags: ['pets'], responses: { 200: { description: 'All', content } } },
      post: { tags: ['other'], responses: { 200: { description: 'Done' } }, ...more },
    },
  },
})
const block = (slug: string, method = 'get') =>
  `{% openapi-operation spec="${slug}" path="/pets" method="${method}" %}\n{% endopenapi-operation %}\n`

describeSqlite('specification downloads', (engine) => {
  let client: SiteClient
  let ann: Person
  let acme: OrganizationId
  let space: string
  let base: string

  async function give(slug: string, text: object): Promise<void> {
    const body = { source: { text: JSON.stringify(text) } }
    const { status } = await client.request(ann, 'PUT', `/orgs/${acme}/openapi/${slug}`, body)
    expect(status).toBeLessThan(300)
    await processSpecs(client)
  }
  async function offered(page: string, slug: string): Promise<string | undefined> {
    const { text } = await client.read(base + page)
    expect(text).toContain('>m100<')
    return new RegExp(`<a href="([^"]+)">${slug}\\.json</a>`).exec(text)?.[1]
  }
  const statusOf = async (path: string) => (await client.read(path)).status

  beforeAll(async () => {
    client = await openSiteClient(await engine.open())
    ann = await client.person('ann')
    acme = await client.organization(ann)
    space = await client.folder(ann, acme, 'Pets', {
      'README.md': '# Home\n',
      'block.md': `# Block\n\n${block('pets')}`,
      'SUMMARY.md': `# Contents\n\n* [Home](README.md)\n* [Block](block.md)\n${computedPage('API', 'pets')}`,
    })
    base = (await client.publish(ann, acme, { title: 'Pets', spaces: [space] })).base
  })

  test('are offered by the pages that render them, in the rendered version', async () => {
    await give('pets', specification('First'))
    const href = (await offered('api/pets', 'pets'))!
    expect(href.startsWith(base)).toBe(true)
    const { status, text, headers } = await client.read(href)
    expect([status, JSON.parse(text)]).toEqual([200, specification('First')])
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
    })
    expect(headers['cache-control']).toMatch(/^private/)
    const again = await client.read(href, { 'if-none-match': String(headers['etag']) })
    expect([again.status, again.text]).toEqual([304, ''])
    expect((await client.read(`${base}api/other`)).text).not.toContain('pets.json')
    await give('pets', specification('Second'))
    expect(await statusOf(href)).toBe(404)
    const later = (await offered('api/pets', 'pets'))!
    expect(JSON.parse((await client.read(later)).text)).toEqual(specification('Second'))
  })

  test('have no URL that no page offers', async () => {
    await give('other', specification('Other'))
    const href = (await offered('api/pets', 'pets'))!
    expect(await statusOf(href)).toBe(200)
    for (const path of [
      href.replace('pets.json', 'other.json'),
      href.replace('pets.json', 'nothing.json'),
      href.replace(/openapi\/[^/]+/, 'openapi/0123456789abcdef'),
      `${base}~octavo/openapi/pets.json`,
    ])
      expect(await statusOf(path), path).toBe(404)
  })

  test('are not offered for an operation of a private one, nor where one is hidden from readers', async () => {
    expect(await offered('block', 'pets')).toBeUndefined()
    const href = (await offered('api/pets', 'pets'))!
    await give('pets', specification('Partly', { 'x-internal': true }))
    expect(await offered('api/pets', 'pets')).toBeUndefined()
    expect(await statusOf(href)).toBe(404)
    await give('pets', specification('Whole', { description: 'Say "x-internal":true to hide it.' }))
    expect(await statusOf((await offered('api/pets', 'pets'))!)).toBe(200)
  })

  test('are offered by any page if they are public, as long as there is one', async () => {
    await give('pets', specification('Open', { 'x-internal': true }))
    await client.request(ann, 'PATCH', `/orgs/${acme}/openapi/pets`, { visibility: 'public' })
    const href = (await offered('block', 'pets'))!
    expect(await statusOf(href)).toBe(200)
    await client.request(ann, 'PATCH', `/orgs/${acme}/openapi/pets`, { visibility: 'private' })
    expect(await statusOf(href)).toBe(404)
    await client.request(ann, 'PATCH', `/orgs/${acme}/openapi/pets`, { visibility: 'public' })
    expect(await statusOf(href)).toBe(200)
    const { pages } = (await client.request(ann, 'GET', `/spaces/${space}/content/pages?computed=false`)).body
    const deletedPages = pages.filter(({ title }: { title: string }) => title !== 'Home')
    expect(deletedPages).toHaveLength(2)
    await client.change(
      ann,
      space,
      deletedPages.map(({ id }: { id: string }) => ({ operation: 'delete_page', page: id })),
    )
    expect(await statusOf(href)).toBe(404)
  })
})

/** Generated pages of an OpenAPI specification: in the tree, on the site, in the search, and after it changes. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { OrganizationId } from '../src/core/ids.js'
import { indexSpecifications } from './background-work.js'
import type { Person } from './test-client.js'
import { describeSqlite } from './engines.js'
import { computedPage } from './openapi-specs.js'
import { type SiteClient, openSiteClient } from './site-client.js'

const operation = (operationId: string, tag: string, summary: string, more: object = {}) => ({
  operationId,
  tags: [tag],
  summary,
  responses: { 200: { description: 'Done.' } },
  ...more,
})

const shop = {
  openapi: '3.2.0',
  info: { title: 'Shop', version: '1', description: 'Sells **things**.\n\n{% include "secret.md" %}' },
  tags: [
    {
      name: 'pets',
      'x-page-title': 'Pets & Co',
      description: 'All about pets.\n\nAnd more.',
      'x-page-icon': 'paw',
    },
    { name: 'toys', parent: 'pets' },
    { name: 'orders' },
    { name: 'ghosts', 'x-internal': true },
  ],
  paths: {
    '/orders': {
      get: operation('listOrders', 'orders', 'List orders'),
      post: operation('placeOrder', 'orders', 'Place an order', {
        requestBody: {
          content: {
            'application/json': { schema: { $ref: '#/components/schemas/Order' } },
          },
        },
      }),
      delete: operation('dropOrders', 'orders', 'Drop orders', { 'x-internal': true }),
    },
    '/pets/{petId}': {
      get: operation('getPet', 'pets', 'Find a pet', {
        parameters: [{ name: 'petId', in: 'path', required: true, schema: { type: 'string' } }],
      }),
    },
    '/toys': { get: operation('listToys', 'toys', 'List toys') },
    '/ghosts': { get: operation('listGhosts', 'ghosts', 'List ghosts') },
  },
  webhooks: { orderShipped: { post: operation('shipped', 'orders', 'An order was shipped') } },
  components: {
    schemas: {
      Order: {
        type: 'object',
        properties: { giftwrapping: { type: 'boolean' }, next: { $ref: '#/components/schemas/Order' } },
      },
      Pet: { type: 'object' },
    },
  },
}

const summary = (props = '') => `# Table of contents

* [Home](README.md)

## Reference

* \`\`\`yaml
  type: builtin:openapi
  title: Shop API
${props}  dependencies:
    spec:
      ref:
        kind: openapi
        spec: shop
  \`\`\`
* [Notes](notes.md)
`

describeSqlite('pages made of a specification', (engine) => {
  let api: SiteClient
  let ann: Person
  let acme: OrganizationId
  let space: string
  let base: string

  async function ask(path: string, person: Person | null = ann, status = 200): Promise<any> {
    const answer = await api.request(person, 'GET', path)
    expect(answer.status, `${path}: ${answer.text}`).toBe(status)
    return answer.body
  }
  const work = () => indexSpecifications(api)
  async function give(specification: object, slug = 'shop') {
    const body = { source: { text: JSON.stringify(specification) } }
    const answer = await api.request(ann, 'PUT', `/orgs/${acme}/openapi/${slug}`, body)
    expect(answer.status, answer.text).toBeLessThan(300)
    await work()
  }
  const site = (path: string) => api.read(base + path)
  const titles = (pages: any[]): unknown[] =>
    pages.map(({ title, path, pages: below = [] }) => [
      title,
      path,
      ...(below.length > 0 ? [titles(below)] : []),
    ])
  const search = async (query: string): Promise<string[]> =>
    (await ask(`/spaces/${space}/search?query=${encodeURIComponent(query)}`)).items.map(
      ({ path }: { path: string }) => path,
    )

  beforeAll(async () => {
    api = await openSiteClient(await engine.open())
    ann = await api.person('ann')
    acme = await api.organization(ann)
    space = await api.folder(ann, acme, 'Guide', {
      'README.md':
        '# Home\n\nSee [orders](reference/shop-api/orders.md), [listed](reference/shop-api/orders.md#list-orders).\n',
      'notes.md':
        '# Notes\n\nMine.\n\n{% openapi-operation spec="shop" path="/toys" method="get" %}\nOur words.\n{% endopenapi-operation %}\n',
      'SUMMARY.md': summary('  props:\n    models: true\n'),
    })
    const made = await api.publish(ann, acme, { title: 'Docs', spaces: [space] })
    base = made.base
    await work()
  })

  test('are put into content by its operations, and take another source', async () => {
    const { id } = (await api.request(ann, 'POST', `/orgs/${acme}/spaces`, { title: 'New', empty: true }))
      .body
    const computed = {
      type: 'builtin:openapi',
      dependencies: { spec: { ref: { kind: 'openapi', spec: 'soon' } } },
    }
    const change = async (changes: object[], status = 200) => {
      const made = (await api.request(ann, 'POST', `/spaces/${id}/change-requests`, {})).body
      const at = `/spaces/${id}/change-requests/${made.id}`
      const answer = await api.request(ann, 'POST', `${at}/content`, { changes })
      expect(answer.status, answer.text).toBe(status)
      if (status === 200) await api.request(ann, 'POST', `${at}/merge`, {})
    }
    const insert = { operation: 'insert_page', title: 'Reference', slug: 'api' }
    await change([{ ...insert, computed }])
    const pages = async () => (await ask(`/spaces/${id}/content/pages?computed=false`)).pages
    const [page] = await pages()
    expect(page).toMatchObject({ type: 'computed', title: 'Reference', path: 'api', computed })
    const other = { ...computed, props: { models: true, grouping: 'operation' } }
    await change([{ operation: 'update_page', page: page.id, computed: other }])
    expect((await pages())[0]).toMatchObject({ id: page.id, computed: other })
    for (const wrong of [
      insert,
      { ...insert, computed, document: { markdown: 'Both.' } },
      { operation: 'update_page', page: page.id, document: { markdown: 'No.' } },
      { ...insert, computed: { ...computed, type: 'builtin:other' } },
      {
        ...insert,
        computed: { ...computed, dependencies: { spec: { ref: { kind: 'openapi', spec: 'a b' } } } },
      },
    ])
      await change([wrong], 400)
    await give({ ...shop, tags: [] }, 'soon')
    const [made] = (await ask(`/spaces/${id}/content/pages`)).pages
    expect(titles([made])[0]).toEqual([
      'Reference',
      'api',
      expect.arrayContaining([
        ['orders', 'api/orders', expect.arrayContaining([['Place an order', 'api/orders/placeorder']])],
        ['Models', 'api/models'],
      ]),
    ])
  })

  test('are link targets as long as they exist', async () => {
    const broken = async () =>
      (await ask(`/spaces/${space}/links?status=broken`)).items.map(({ target }: any) => target)
    expect(await broken()).toHaveLength(2)
    await give(shop)
    expect(await broken()).toEqual([])
    const all = await ask(`/spaces/${space}/links`)
    expect(all).toMatchObject({ count: 2, stats: { total: 2, broken: { total: 0 } } })
    expect(all.items.map(({ status }: any) => status)).toEqual(['ok', 'ok'])
    // Below the space and below a change request, for every page that a client can list.
    const request = (await api.request(ann, 'POST', `/spaces/${space}/change-requests`, {})).body
    for (const at of [`/spaces/${space}`, `/spaces/${space}/change-requests/${request.id}`]) {
      const page = async (path: string) => {
        const { id } = await ask(`${at}/content/path/${encodeURIComponent(path)}`)
        return `${at}/content/page/${id}`
      }
      const linking = await ask(`${await page('reference/shop-api/orders')}/backlinks`)
      expect(linking.items.map((one: any) => one.page.path)).toEqual(
        expect.arrayContaining(['readme', 'reference/shop-api']),
      )
      const orders = await page('reference/shop-api')
      const { items, count, next, stats } = await ask(`${orders}/links?limit=1`)
      expect(items[0]).toMatchObject({ status: 'ok', targetReference: { kind: 'page' } })
      expect([count, stats.total]).toEqual([stats.total, count])
      expect(count).toBeGreaterThan(1)
      const rest = await ask(`${orders}/links?page=${encodeURIComponent(next.page)}`)
      expect(rest.items).toHaveLength(count - 1)
      expect(await ask(`${await page('reference/shop-api/models')}/links`)).toMatchObject({ count: 0 })
    }
    // When a linked page is deleted, links to its generated pages are checked again.
    const written = { ...shop, paths: { '/pets/{petId}': shop.paths['/pets/{petId}'] }, webhooks: {} }
    await give(written)
    expect(await broken()).toHaveLength(2)
    await api.request(ann, 'DELETE', `/orgs/${acme}/openapi/shop`)
    await work()
    expect(await broken()).toHaveLength(2)
  })

  test('are none while there is no such specification', async () => {
    const { pages } = await ask(`/spaces/${space}/content/pages`)
    expect(pages[1].pages[0]).toMatchObject({
      type: 'computed',
      title: 'Shop API',
      path: 'reference/shop-api',
    })
    const page = await site('reference/shop-api')
    expect([page.status, page.text]).toEqual([
      200,
      expect.stringContaining('<p>Specification not found: shop.</p>'),
    ])
    expect((await site('reference/shop-api/orders')).status).toBe(404)
  })

  describe('of a specification that is there', () => {
    beforeAll(() => give(shop))

    test('are in the tree by tags, each at a path that follows from its tag', async () => {
      const revision = await ask(`/spaces/${space}/content`)
      expect(revision.type).toBe('computed')
      expect(titles(revision.pages[1].pages)).toEqual([
        [
          'Shop API',
          'reference/shop-api',
          [
            ['Pets & Co', 'reference/shop-api/pets', [['toys', 'reference/shop-api/pets/toys']]],
            ['orders', 'reference/shop-api/orders'],
            ['Models', 'reference/shop-api/models'],
          ],
        ],
        ['Notes', 'notes'],
      ])
      const [top] = revision.pages[1].pages
      const [pets, orders, models] = top.pages
      expect(pets).toMatchObject({ type: 'document', icon: 'paw', computedSeed: top.id })
      expect(top.computed.props).toEqual({ doc: 'info' })
      expect(orders.computed).toMatchObject({
        type: 'builtin:openapi',
        props: { doc: 'operations', page: 'operations orders' },
        dependencies: { spec: { ref: { kind: 'openapi', spec: 'shop' } } },
      })
      expect(models.computed.props).toEqual({ doc: 'models' })
      expect(await ask(`/spaces/${space}/revisions/${revision.id}/pages`)).toEqual({ pages: revision.pages })
      expect(await ask(`/spaces/${space}/content/page/${orders.id}?format=markdown`)).toEqual(
        await ask(
          `/spaces/${space}/content/path/${encodeURIComponent('reference/shop-api/orders')}?format=markdown`,
        ),
      )
    })

    test('contain ordinary blocks, and nothing internal', async () => {
      const path = encodeURIComponent('reference/shop-api/orders')
      const page = await ask(`/spaces/${space}/content/path/${path}`)
      expect(page.markdown).toContain('{% openapi-operation spec="shop" path="/orders" method="get" %}')
      expect(page.markdown).toContain('{% openapi-webhook spec="shop" method="post" name="orderShipped" %}')
      expect(page.markdown).not.toContain('delete')
      const document = await ask(`/spaces/${space}/content/page/${page.id}/document`)
      expect(document).toEqual(page.document)
      expect(await ask(`/spaces/${space}/documents/${page.documentId}`)).toEqual(page.document)
      // Their titles are in the Markdown alone: clients print the title of each block.
      expect(page.markdown).toMatch(/^## /m)
      expect(document.nodes.map(({ type }: { type: string }) => type)).toEqual([
        'openapi-operation',
        'openapi-operation',
        'openapi-webhook',
      ])
      const top = await ask(`/spaces/${space}/content/path/${encodeURIComponent('reference/shop-api')}`)
      expect(JSON.stringify(top.document)).not.toContain('"include')
      expect(JSON.stringify(top.document)).toContain('{% include')
    })

    test('are returned as written on request', async () => {
      const written = await ask(`/spaces/${space}/content?computed=false`)
      expect(titles(written.pages[1].pages)).toEqual([
        ['Shop API', 'reference/shop-api'],
        ['Notes', 'notes'],
      ])
      expect(written.pages[1].pages[0].computed).toMatchObject({
        type: 'builtin:openapi',
        props: { models: true },
        dependencies: { spec: { ref: { kind: 'openapi', spec: 'shop' } } },
      })
      const { id, pages } = await ask(`/spaces/${space}/content`)
      expect(id.startsWith(`${written.id}-`)).toBe(true)
      const orders = pages[1].pages[0].pages[1]
      await ask(`/spaces/${space}/content/page/${orders.id}?computed=false`, ann, 404)
    })

    test('are read on the site, in the tree, and by every program that reads it', async () => {
      const page = await site('reference/shop-api/orders')
      expect(page.status).toBe(200)
      for (const words of ['List orders', '/orders', 'Place an order', 'orderShipped'])
        expect(page.text).toContain(words)
      expect(page.text).toContain('reference/shop-api/pets/toys')
      expect(page.text).not.toContain('dropOrders')
      // The heading contains it already.
      expect(page.text).not.toContain('<p class="openapi-summary">')
      expect(page.text).toContain('id="list-orders"')
      expect((await site('')).text).toContain('reference/shop-api/orders')
      const top = await site('reference/shop-api')
      expect(top.text).toContain('<strong>things</strong>')
      for (const [feed, words] of [
        ['sitemap-pages.xml', 'reference/shop-api/orders</loc>'],
        ['llms.txt', 'reference/shop-api/orders.md'],
        ['llms-full.txt', 'Place an order'],
        ['reference/shop-api/orders.md', 'Place an order'],
      ] as const)
        expect((await site(feed)).text, feed).toContain(words)
    })

    test('are found by the names and content of their operations', async () => {
      for (const query of ['placeOrder', '/orders', 'giftwrapping', 'shipped'])
        expect((await search(query))[0], query).toBe('reference/shop-api/orders')
      expect(await search('petId')).toEqual(['reference/shop-api/pets'])
      expect(await search('ghosts')).toEqual([])
      expect((await site('~octavo/search?q=giftwrapping')).text).toContain('reference/shop-api/orders')
    })

    test('follow the specification, and keep ids and paths', async () => {
      const before = await ask(`/spaces/${space}/content`)
      await give({
        ...shop,
        tags: [{ name: 'orders', 'x-page-title': 'Sales' }, ...shop.tags.slice(0, 2)],
        paths: {
          ...shop.paths,
          '/orders/{orderId}': { get: operation('getOrder', 'orders', 'Find an order') },
        },
      })
      const after = await ask(`/spaces/${space}/content`)
      expect(after.id).not.toBe(before.id)
      expect(after.id.split('-')[0]).toBe(before.id.split('-')[0])
      const pagesOf = (revision: any) => revision.pages[1].pages[0].pages
      const [sales] = pagesOf(after)
      expect(sales).toMatchObject({
        title: 'Sales',
        path: 'reference/shop-api/orders',
        id: pagesOf(before)[1].id,
      })
      expect((await site('reference/shop-api/orders')).text).toContain('Find an order')
      expect(await search('getOrder')).toEqual(['reference/shop-api/orders'])
      // What a program reads page by page is whole, though the specification changed meanwhile.
      await ask(`/spaces/${space}/documents/${pagesOf(before)[1].documentId}`)
      const then = await ask(`/spaces/${space}/revisions/${before.id}/pages`)
      expect(then.pages).toEqual(before.pages)
      await ask(`/spaces/${space}/revisions/${before.id.split('-')[0]}-0123456789ab/pages`, ann, 404)
    })

    test('and pages with a part of it are found by their present output', async () => {
      const block = (path: string) =>
        `{% openapi-operation spec="own" path="${path}" method="get" %}\nOurs.\n{% endopenapi-operation %}\n`
      const own = await api.folder(ann, acme, 'Own', {
        'README.md': '# Home\n\nNothing.\n',
        'calls.md': `# Calls\n\n## First\n\n${block('/ferrets')}\n`,
        'kept.md': `# Kept\n\n{% if visitor.claims.role == "keeper" %}\n${block('/weasels')}{% endif %}\n`,
        'SUMMARY.md': '# Table of contents\n\n* [Home](README.md)\n* [Calls](calls.md)\n* [Kept](kept.md)\n',
      })
      const made = await api.publish(ann, acme, { title: 'Own', spaces: [own] })
      const adaptive = { adaptiveContent: { enabled: true } }
      await api.request(ann, 'PATCH', `/orgs/${acme}/sites/${made.id}`, adaptive)
      await work()
      const find = async (query: string) =>
        (await ask(`/spaces/${own}/search?query=${encodeURIComponent(query)}`)).items.map(
          ({ path }: { path: string }) => path,
        )
      const onSite = async (query: string) =>
        JSON.parse((await api.read(`${made.base}~octavo/search?q=${query}`)).text).count as number
      const described = (name: string, field: string) => ({
        openapi: '3.1.0',
        info: { title: 'Own', version: '1' },
        paths: {
          '/ferrets': {
            get: operation(name, 'x', 'Look', {
              parameters: [{ name: field, in: 'query', schema: { type: 'string' } }],
            }),
          },
          '/weasels': { get: operation('listWeasels', 'x', 'See') },
        },
      })
      expect(await find('listFerrets')).toEqual([])
      await give(described('listFerrets', 'whiskers'), 'own')
      for (const query of ['listFerrets', 'GET /ferrets', 'whiskers'])
        expect(await find(query), query).toEqual(['calls'])
      expect(await onSite('whiskers')).toBe(1)
      // Conditional content is found only where its condition holds.
      expect(await onSite('listWeasels')).toBe(0)
      await give(described('searchFerrets', 'paws'), 'own')
      expect([await find('whiskers'), await find('paws')]).toEqual([[], ['calls']])
      await api.request(ann, 'DELETE', `/orgs/${acme}/openapi/own`)
      await work()
      expect(await find('paws')).toEqual([])
    })

    test('list the operations of a large tag, which have pages of their own', async () => {
      const paths = Object.fromEntries(
        Array.from({ length: 80 }, (_, at) => [
          `/parts/${at}`,
          { get: operation(`getPart${at}`, 'parts', `Get part ${at}`) },
        ]),
      )
      await give({ openapi: '3.1.0', info: { title: 'Large', version: '1' }, paths }, 'large')
      const large = await api.folder(ann, acme, 'Large', {
        'README.md': '# Home\n\n[Part](api/parts.md#get-part-4), [page](api/parts/getpart4.md)\n',
        'SUMMARY.md': `# Table of contents\n\n* [Home](README.md)\n${computedPage('API', 'large')}`,
      })
      const made = await api.publish(ann, acme, { title: 'Large', spaces: [large] })
      await work()
      const list = (await api.read(`${made.base}api/parts`)).text
      const hrefOf = new RegExp(`<h2 id="get-part-4"[^>]*><a href="([^"]*)"[^>]*>Get part 4</a>`)
      const [, href] = hrefOf.exec(list) ?? []
      expect(href).toBe(`${made.base}api/parts/getpart4`)
      expect(list.match(/<h2 /g)).toHaveLength(80)
      expect(list).not.toContain('class="openapi"')
      const page = (await api.read(href!)).text
      expect(page).toMatch(/class="openapi"[^]*\/parts\/4/)
      for (const path of ['api/parts.md', 'llms-full.txt'])
        expect((await api.read(made.base + path)).text, path).toContain('`GET /parts/4`')
      expect((await api.read(`${made.base}api/parts/getpart4.md`)).text).toContain('/parts/4`')
      expect(await ask(`/spaces/${large}/links`)).toMatchObject({ stats: { broken: { total: 0 } } })
      const { items } = await ask(`/spaces/${large}/search?query=getPart4`)
      expect(items[0].path).toBe('api/parts/getpart4')
      // The addresses stay valid when the tag shrinks.
      const few = Object.fromEntries(Object.entries(paths).slice(0, 5))
      await give({ openapi: '3.1.0', info: { title: 'Large', version: '2' }, paths: few }, 'large')
      expect((await api.read(`${made.base}api/parts`)).text).toMatch(/<h2 id="get-part-4"[^]*class="openapi"/)
      const moved = await api.read(href!)
      expect([moved.status, moved.headers['location']]).toEqual([307, `${made.base}api/parts`])
    })

    test('leave what a writer wrote around an operation', async () => {
      const notes = await ask(`/spaces/${space}/content/path/notes?format=markdown`)
      expect(notes.markdown).toContain('Our words.')
      expect(notes.markdown).toContain('path="/toys"')
    })

    test('stay out of what is stored: exports, history, and what is gone back to', async () => {
      const { items } = await ask(`/spaces/${space}/revisions`)
      expect(items.map(({ type }: { type: string }) => type)).not.toContain('computed')
      const { id } = await ask(`/spaces/${space}/content`)
      const answer = await api.request(ann, 'POST', `/spaces/${space}/revisions/${id}/rollback`)
      expect(answer.status).toBe(409)
    })

    test('are gone with the specification, whose position remains', async () => {
      await give({ ...shop, info: { title: 'Other', version: '1' } }, 'other')
      await api.request(ann, 'DELETE', `/orgs/${acme}/openapi/shop`)
      await work()
      const { pages } = await ask(`/spaces/${space}/content/pages`)
      expect(titles(pages[1].pages)).toEqual([
        ['Shop API', 'reference/shop-api'],
        ['Notes', 'notes'],
      ])
      expect((await site('reference/shop-api/orders')).status).toBe(404)
      const page = await site('reference/shop-api')
      expect([page.status, page.text]).toEqual([
        200,
        expect.stringContaining('<p>Specification not found: shop.</p>'),
      ])
      expect(await search('giftwrapping')).toEqual([])
      await give(shop)
      expect(await search('giftwrapping')).toEqual(['reference/shop-api/orders'])
    })
  })
})

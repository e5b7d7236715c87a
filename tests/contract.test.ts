/**
 * Contract conformance: every endpoint is requested without a token, with a malformed body and with an unknown id,
 * and its responses to members match the declared shapes.
 */
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../src/server/api/api.js'
import { describeApi } from '../src/server/api/openapi.js'
import { NoSchema, type Endpoint } from '../src/contract/endpoint.js'
import { type TestResponse, type TestClient, type Person, openTestClient } from './test-client.js'
import { describeEngines } from './engines.js'

const endpoints = routes.map(({ endpoint }) => endpoint)
const named = endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const)

test('operations and paths have one owner each', () => {
  const ids = endpoints.map(({ operationId }) => operationId)
  const places = endpoints.map(({ method, path }) => `${method} ${path}`)
  expect(ids.length).toBeGreaterThan(30)
  expect(new Set(ids).size).toBe(ids.length)
  expect(new Set(places).size).toBe(places.length)
})

const unknownIds = (path: string) => path.replace(/:(\w+)/g, 'unknown')

describeEngines('every endpoint', (engine) => {
  let api: TestClient
  let admin: Person
  beforeAll(async () => {
    api = await openTestClient(await engine.open())
    admin = await api.person('admin')
  })

  const guarded = named.filter(([, endpoint]) => !endpoint.anonymous)
  test.each(guarded)('%s answers 401 without a token, before it reads anything', async (_, endpoint) => {
    const answer = await api.request(
      null,
      endpoint.method,
      unknownIds(endpoint.path),
      endpoint.method === 'GET' ? undefined : 'x',
    )
    expect(answer.status).toBe(401)
    expect(answer.body.error.code).toBe(401)
    const wrong = await api.request(
      { ...admin, token: 'oct_wrong' },
      endpoint.method,
      unknownIds(endpoint.path),
    )
    expect(wrong.status).toBe(401)
  })

  const withPathParameters = named.filter(
    ([, endpoint]) => endpoint.params.length > 0 && endpoint.body === NoSchema && !endpoint.anonymous,
  )
  test.each(withPathParameters)('%s answers 404 for what does not exist', async (_, endpoint) => {
    const { required = [] } = endpoint.query as { required?: string[] }
    const values: Record<string, string> = {
      query: 'x',
      source: '/x',
      url: 'https://octavo.test/',
      from: 'x',
    }
    const sent = required.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]]))
    const query = sent.length === 0 ? '' : `?${new URLSearchParams(sent)}`
    const answer = await api.request(admin, endpoint.method, unknownIds(endpoint.path) + query)
    expect(answer.status, answer.text).toBe(404)
    expect(answer.body.error.message).toMatch(/^There is no such /)
  })

  const written = named.filter(([, endpoint]) => endpoint.body !== NoSchema)
  test.each(written)('%s answers 400 for a body of another shape, naming it', async (_, endpoint) => {
    const answer = await api.request(admin, endpoint.method, unknownIds(endpoint.path), ['no', 'object'])
    expect(answer.status, answer.text).toBe(400)
    expect(answer.body.error.message).toContain('body')
  })

  const lists = named.filter(
    ([, endpoint]) => 'limit' in ((endpoint.query as { properties?: object }).properties ?? {}),
  )
  test.each(lists)('%s refuses a limit that is none', async (_, endpoint) => {
    const body = endpoint.method === 'GET' ? undefined : { query: 'x' }
    for (const limit of ['-1', '1001', 'ten', '1.5']) {
      const path = `${unknownIds(endpoint.path)}?query=x&from=x&limit=${limit}`
      const answer = await api.request(admin, endpoint.method, path, body)
      expect(answer.status, limit).toBe(400)
      expect(answer.body.error.message).toContain('query.limit')
    }
  })

  describe('a tour of one organization', () => {
    let organization: string
    let space: string
    let site: string
    let changeRequest: string
    let page: string
    const ajv = new Ajv({ strict: false })
    addFormats.default(ajv)

    const endpointOf = (method: string, path: string): Endpoint => {
      const bare = path.split('?')[0]!
      const found = endpoints.filter(
        (endpoint) =>
          endpoint.method === method && new RegExp(`^${endpoint.path.replace(/:\w+/g, '[^/]+')}$`).test(bare),
      )
      // A literal path comes before one with a parameter in the same position.
      return found.toSorted((a, b) => a.params.length - b.params.length)[0]!
    }

    /** Sends a request as the admin, and checks status and shape against the contract. */
    async function ask(method: string, path: string, body?: unknown): Promise<TestResponse> {
      const endpoint = endpointOf(method, path)
      const answer = await api.request(admin, method, path, body)
      expect(answer.status, `${method} ${path}: ${answer.text}`).toBe(endpoint.success)
      if (endpoint.reply !== NoSchema) {
        const isValid = ajv.validate(endpoint.reply, answer.body)
        expect(isValid ? null : ajv.errorsText(), `${method} ${path}`).toBeNull()
      }
      return answer
    }

    beforeAll(async () => {
      organization = (await ask('POST', '/orgs', { title: 'Acme' })).body.id
      space = (await ask('POST', `/orgs/${organization}/spaces`, { title: 'Guide', emoji: '📘' })).body.id
      const created = await ask('POST', `/spaces/${space}/change-requests`, { subject: 'First' })
      changeRequest = created.body.id
      const answer = await ask(
        'POST',
        `/spaces/${space}/change-requests/${changeRequest}/content?compat=false`,
        {
          changes: [
            {
              operation: 'insert_page',
              document: { markdown: '---\nicon: gear\n---\n\n# Start\n\n{% hint %}\nHi\n{% endhint %}\n' },
            },
          ],
        },
      )
      page = answer.body.changes[0].page.id
      await ask('POST', `/spaces/${space}/change-requests/${changeRequest}/merge`)
      site = (await ask('POST', `/orgs/${organization}/sites`, { title: 'Docs', spaces: [space] })).body.id
    })

    test('a created resource is at its URL', async () => {
      for (const [method, path] of [
        ['GET', '/user'],
        ['GET', `/orgs`],
        ['GET', `/orgs/${organization}`],
        ['GET', `/orgs/${organization}/spaces`],
        ['GET', `/spaces/${space}`],
        ['PATCH', `/spaces/${space}`],
        ['GET', `/spaces/${space}/search?query=hi`],
        ['GET', `/spaces/${space}/change-requests?status=all`],
        ['GET', `/spaces/${space}/change-requests/${changeRequest}`],
        ['GET', `/spaces/${space}/change-requests/1/conflicts`],
        ['GET', `/orgs/${organization}/sites`],
        ['GET', `/orgs/${organization}/sites/${site}`],
        ['POST', `/orgs/${organization}/sites/${site}/publish`],
        ['GET', `/orgs/${organization}/sites/${site}/published`],
        ['GET', `/orgs/${organization}/sites/${site}/site-spaces`],
        ['POST', `/orgs/${organization}/sites/${site}/unpublish`],
      ] as const) {
        await ask(method, path, method === 'PATCH' ? {} : undefined)
      }
    })

    test('content is equal at its three endpoints', async () => {
      const { revision } = (await ask('GET', `/spaces/${space}`)).body
      const clients = [
        `/spaces/${space}/content`,
        `/spaces/${space}/change-requests/1/content`,
        `/spaces/${space}/revisions/${revision}`,
      ]
      for (const path of clients) {
        const { pages } = (await ask('GET', `${path}/pages`)).body
        expect(pages.map(({ title }: any) => title)).toEqual(['Page', 'Start'])
        await ask('GET', path)
        await ask('GET', `${path}/files`)
        const byId = (await ask('GET', `${path}/page/${page}`)).body
        const byPath = (await ask('GET', `${path}/path/START`)).body
        expect(byPath).toEqual(byId)
        expect(byId).toMatchObject({
          icon: 'gear',
          markdown: expect.stringContaining('{% hint %}'),
          document: { object: 'document' },
        })
        expect(Object.keys((await ask('GET', `${path}/page/${page}?format=markdown`)).body)).not.toContain(
          'document',
        )
      }
    })

    test('the header Location names a created resource', async () => {
      const answer = await ask('POST', `/orgs/${organization}/spaces`, { title: 'Located' })
      expect(answer.headers['location']).toBe(answer.body.urls.location)
    })

    test('a body may be left out where every member may', async () => {
      const answer = await api.server.inject({
        method: 'POST',
        url: `/v1/orgs/${organization}/spaces`,
        headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' },
        payload: '',
      })
      expect(answer.statusCode).toBe(201)
    })

    test('a list read to its end returns each item once, while others are added', async () => {
      const place = `/spaces/${space}/change-requests`
      const before = new Set<string>([changeRequest])
      for (let count = 0; count < 24; count++) before.add((await ask('POST', place, {})).body.id)
      const returned: string[] = []
      let next: string | undefined = ''
      while (next !== undefined) {
        const { body } = await ask(
          'GET',
          `${place}?status=all&limit=7${next === '' ? '' : `&page=${encodeURIComponent(next)}`}`,
        )
        returned.push(...body.items.map(({ id }: any) => id))
        next = body.next?.page
        await ask('POST', place, {})
      }
      expect(new Set(returned).size).toBe(returned.length)
      expect([...before].filter((id) => !returned.includes(id))).toEqual([])
    })

    test('limit 0 counts and returns no items; the default is ten', async () => {
      const place = `/spaces/${space}/change-requests?status=all`
      const { body: none } = await ask('GET', `${place}&limit=0`)
      expect(none.items).toEqual([])
      expect(none.next).toBeUndefined()
      expect(none.count).toBeGreaterThan(10)
      expect((await ask('GET', place)).body.items).toHaveLength(10)
    })

    test('a cursor of another list is refused', async () => {
      const { body } = await ask('GET', `/spaces/${space}/change-requests?status=all`)
      const answer = await api.request(admin, 'GET', `/orgs/${organization}/spaces?page=${body.next.page}`)
      expect(answer.status).toBe(400)
    })
  })
})

test('the OpenAPI document has every operation and shape, and no broken references', () => {
  const document = describeApi(routes, { base: 'http://octavo.test' } as never) as any
  const operations = Object.values(document.paths).flatMap((path: any) => Object.values(path)) as any[]
  expect(operations.map(({ operationId }) => operationId).toSorted()).toEqual(
    endpoints.map(({ operationId }) => operationId).toSorted(),
  )
  const references = [...JSON.stringify(document).matchAll(/"#\/components\/(\w+)\/(\w+)"/g)]
  expect(references.length).toBeGreaterThan(50)
  expect(references.filter(([, kind, name]) => document.components[kind!][name!] === undefined)).toEqual([])
  const { Space, Page } = document.components.schemas
  for (const shape of [Space, Page]) expect(shape.properties.title).toMatchObject({ type: 'string' })
  const create = document.paths['/v1/orgs/{organizationId}/spaces'].post.requestBody
  expect(create.content['application/json'].schema.properties).toHaveProperty('title')
})

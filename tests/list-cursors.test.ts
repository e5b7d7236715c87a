/** List cursors: a cursor is valid only for the operation, the path and the filters that it was issued for, in every list of the API. */
import { beforeAll, expect, test } from 'vitest'
import { routes } from '../src/server/api/api.js'
import { type TestResponse, type TestClient, type Person, openTestClient } from './test-client.js'
import { describeEngines } from './engines.js'

const lists = routes
  .map(({ endpoint }) => endpoint)
  .filter(({ query }) => {
    const { properties = {} } = query as { properties?: object }
    return 'page' in properties && 'limit' in properties
  })

const refusal =
  'The query member "page" is not a cursor of this list: pass the "next.page" of the previous answer unchanged, with the same filters.'

describeEngines('cursors', (engine) => {
  let api: TestClient
  let admin: Person
  let place: string
  let other: string
  let organization: string
  let page: string

  const ask = (path: string): Promise<TestResponse> => api.request(admin, 'GET', path)

  function expectRefusal(answer: TestResponse): void {
    expect(answer.status, answer.text).toBe(400)
    expect(answer.body.error.message).toBe(refusal)
  }

  beforeAll(async () => {
    api = await openTestClient(await engine.open())
    admin = await api.person('admin')
    organization = await api.organization(admin)
    const spaces: string[] = []
    for (const title of ['One', 'Other']) {
      const { body } = await api.request(admin, 'POST', `/orgs/${organization}/spaces`, { title })
      spaces.push(`/spaces/${body.id}/change-requests`)
    }
    ;[place, other] = spaces as [string, string]
    for (const path of [place, place, place, other, other]) await api.request(admin, 'POST', path, {})
    page = (await ask(`${place}?limit=1&status=all`)).body.next.page
  })

  test('continue their list, with any limit, and ignore unknown parameters', async () => {
    const { status, body } = await ask(`${place}?limit=10&status=all&page=${page}&_=7`)
    expect(status).toBe(200)
    expect(body.items.map(({ number }: { number: number }) => number)).toEqual([2, 1])
  })

  test('are refused in the same list of another resource', async () => {
    expectRefusal(await ask(`${other}?limit=1&status=all&page=${page}`))
    const { body } = await ask(`${other}?limit=1&status=all`)
    expectRefusal(await ask(`${place}?limit=1&status=all&page=${body.next.page}`))
  })

  test('are refused with other filters', async () => {
    expectRefusal(await ask(`${place}?limit=1&status=open&page=${page}`))
    expectRefusal(await ask(`${place}?limit=1&page=${page}`))
    expectRefusal(await ask(`${place}?limit=1&status=all&contributor=${admin.id}&page=${page}`))
  })

  test('are refused when they were changed', async () => {
    expectRefusal(await ask(`${place}?limit=1&status=all&page=${page}A`))
    expectRefusal(await ask(`${place}?limit=1&status=all&page=${page.slice(1)}`))
    expectRefusal(await ask(`${place}?limit=1&status=all&page=`))
    const seal = page.slice(0, 10)
    const [number, id] = JSON.parse(Buffer.from(page.slice(10), 'base64url').toString())
    const forged = Buffer.from(JSON.stringify([number + 1, id])).toString('base64url')
    expectRefusal(await ask(`${place}?limit=1&status=all&page=${seal}${forged}`))
  })

  test('are refused by another operation on the same resource, though neither has filters', async () => {
    const links = `/orgs/${organization}/link-invites`
    for (const role of ['read', 'edit']) await api.request(admin, 'POST', links, { role })
    const { body } = await ask(`${links}?limit=1`)
    expect((await ask(`${links}?limit=1&page=${body.next.page}`)).body.items).toHaveLength(1)
    expectRefusal(await ask(`/orgs/${organization}/saml?limit=1&page=${body.next.page}`))
  })

  test.each(lists.map((endpoint) => [endpoint.operationId, endpoint] as const))(
    'of another operation are refused by %s',
    async (_, { method, path, query }) => {
      const [space] = place.split('/').slice(2)
      const resourcePath = path.replace(':spaceId', space!).replace(/:\w+/g, 'unknown')
      const { required = [] } = query as { required?: readonly string[] }
      const from = required.includes('from') ? '&from=x' : ''
      const { status } = (query as { properties: Record<string, { enum?: string[] }> }).properties
      const address = `${resourcePath}?query=x${from}&status=${status?.enum?.[0] ?? 'open'}&page=${page}`
      expectRefusal(await api.request(admin, method, address, method === 'GET' ? undefined : { query: 'x' }))
    },
  )
})

/**
 * Response schemas: the response of every operation is validated four times: against its own shape, against the core of the
 * API, and against the description of each generation of the published client. The tour is in `conformance/tour.ts`.
 */
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NoSchema } from '../src/contract/endpoint.js'
import type { OrganizationId } from '../src/core/ids.js'
import { clients, readClientSchemas } from './client-schemas.js'
import { coreFaults } from './conformance/core.js'
import { type Difference, differences, explained } from './conformance/differences.js'
import { injectedWorld } from './conformance/injected-world.js'
import { type Call, type World, endpoints, tour, untested } from './conformance/tour.js'
import { deleteMember } from '../src/resources/members/store.js'
import { type TestClient, type Person, openTestClient } from './test-client.js'
import { describeEngines } from './engines.js'
import { type WebServer, serveWeb } from './web-server.js'

/**
 * The same world, where each read of the organization's first admin is repeated by another admin while the first, who
 * created everything, is not a member. The responses to the repeated reads are added to `calls`.
 */
function withoutFirstAdmin(world: World, api: TestClient, calls: Call[]): World {
  let maker: Person | undefined
  let other: Person | undefined
  let organization: OrganizationId
  return {
    ...world,
    async send(apiCall) {
      const { endpoint, person } = apiCall
      const response = await world.send(apiCall)
      if (endpoint.operationId === 'createOrganization' && maker === undefined) {
        maker = person
        organization = response.body.id
        other = await world.person('other')
        await api.join(organization, other, 'admin')
      } else if (endpoint.reads && person === maker) {
        // The row alone, without the other effects of removing a member: the tour continues with it.
        await api.services.database.write((tx) =>
          deleteMember(tx, { organization_id: organization, user_id: maker!.id, known_as: null }),
        )
        const { status, body } = await world.send({ ...apiCall, person: other! })
        calls.push({ operationId: endpoint.operationId, endpoint, status, body })
        await api.join(organization, maker, 'admin')
      }
      return response
    },
  }
}

/** The text of a page, which alone is stored as bytes. */
const pageText = /^\/changes\/\d+\/document\/markdown$/

/** Returns the body once for each of its strings but the texts of pages, with U+0000 in that one. */
function bodiesWithNul(body: unknown): { readonly path: string; readonly body: unknown }[] {
  const found: { path: string; body: unknown }[] = []
  const visit = (value: unknown, path: string, put: (value: unknown) => unknown): void => {
    if (typeof value === 'string' && !pageText.test(path)) found.push({ path, body: put(`${value}\0`) })
    if (typeof value !== 'object' || value === null) return
    for (const [name, inner] of Object.entries(value))
      visit(inner, `${path}/${name}`, (changed) =>
        put(Array.isArray(value) ? value.with(Number(name), changed) : { ...value, [name]: changed }),
      )
  }
  visit(body, '', (value) => value)
  return found
}

/**
 * The same world, where each string of a body is sent with U+0000 first, once for each member of an operation; their
 * statuses are added to `statuses`. What is refused as it should be has no effect on the tour.
 */
function withNulFirst(world: World, statuses: Map<string, number>): World {
  return {
    ...world,
    async send(apiCall) {
      for (const { path, body } of bodiesWithNul(apiCall.body)) {
        const member = `${apiCall.endpoint.operationId} ${path.replace(/\d+/g, '0')}`
        if (!statuses.has(member)) statuses.set(member, (await world.send({ ...apiCall, body })).status)
      }
      return world.send(apiCall)
    },
  }
}

/** Every user in a response. */
function peopleIn(value: any): { readonly displayName?: string }[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.values(value).flatMap(peopleIn)
  return value.object === 'user' ? [value, ...inner] : inner
}

/** Compiled once for both engines: half of the time of a run. */
const ajv = new Ajv({ strict: false })
addFormats.default(ajv)
const schemasOf = new Map(clients.map((client) => [client, readClientSchemas(client)]))

describeEngines('the responses of a tour', (engine) => {
  let calls: Call[]
  const later: Call[] = []
  const statusesWithNul = new Map<string, number>()
  let web: WebServer
  afterAll(() => web.close())
  beforeAll(async () => {
    web = await serveWeb({ '/text.md': '# Text' })
    const api = await openTestClient(await engine.open(), undefined, { remote: web.remote })
    const world = withNulFirst(injectedWorld(api, web.url), statusesWithNul)
    calls = await tour(withoutFirstAdmin(world, api, later))
    calls.push(...later)
  })

  test('each read is a success for another admin when its maker has left, and still names them', () => {
    const failed = later.filter(({ endpoint, status }) => status !== endpoint.success)
    expect(failed.map(({ operationId, status }) => [operationId, status])).toEqual([])
    const named = later.flatMap(({ operationId, body }) =>
      peopleIn(body).some(({ displayName }) => displayName === 'admin') ? [operationId] : [],
    )
    expect(new Set(named).size).toBeGreaterThan(15)
    expect(later.flatMap(({ body }) => peopleIn(body)).every(({ displayName }) => displayName)).toBe(true)
  })

  test('U+0000 is refused in every text of every body but the texts of pages', () => {
    const wrong = [...statusesWithNul].filter(([, status]) => status !== 400)
    expect(wrong).toEqual([])
    expect(statusesWithNul.size).toBeGreaterThan(150)
  })

  test('every operation is called', () => {
    const called = new Set(calls.map(({ operationId }) => operationId))
    const missing = [...endpoints.keys()].filter((id) => !called.has(id) && !untested.has(id))
    expect(missing).toEqual([])
  })

  test('each has the shape that its operation declares', () => {
    const faults = calls.flatMap(({ operationId, endpoint, body }) => {
      if (endpoint.reply === NoSchema || ajv.validate(endpoint.reply, body)) return []
      return [`${operationId}: ${ajv.errorsText()}`]
    })
    expect(faults).toEqual([])
  })

  test('each of the core has the status and the members of the core', () => {
    const faults = calls.flatMap(({ operationId, endpoint, status, body }) =>
      coreFaults(endpoint, status, body).map((fault) => `${operationId} ${fault}`),
    )
    expect([...new Set(faults)].toSorted()).toEqual([])
  })

  test.each(clients)('each is what client %s was made for', (client) => {
    const schemas = schemasOf.get(client)!
    const met = new Set<Difference>()
    const faults = calls.flatMap(({ operationId, endpoint, status, body }) =>
      schemas.faultsOf(endpoint, status, body).flatMap((fault) => {
        const difference = explained(client, operationId, fault)
        if (difference === undefined) return [`${operationId} ${fault}`]
        met.add(difference)
        return []
      }),
    )
    expect([...new Set(faults)].toSorted()).toEqual([])
    const known = differences.filter((one) => one.clients.includes(client))
    expect(known.filter((one) => !met.has(one))).toEqual([])
  })
})

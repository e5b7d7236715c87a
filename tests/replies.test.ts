/**
 * The reply of every operation, read four times: against its own shape, against the core of the API, and against what
 * each generation of the published client was made from. The tour stands in `conformance/tour.ts`.
 */
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { markEmailVerified } from '../src/access/signin/verified.js'
import { Nothing } from '../src/contract/endpoint.js'
import { type ClientSchemas, clients, readClientSchemas } from './client-schemas.js'
import { coreFaults } from './conformance/core.js'
import { type Difference, differences, explained } from './conformance/differences.js'
import { type Call, type World, endpoints, pathOf, sentWith, tour, unseen } from './conformance/tour.js'
import { sendWebhooks } from './background-work.js'
import { type Door, openDoor } from './door.js'
import { describeEngines } from './engines.js'
import { processSpecs } from './openapi-specs.js'
import { type Served, serveWeb } from './served.js'

/** A world behind a door, without a connection. */
const worldOf = (door: Door, web: string): World => ({
  web,
  domain: 'octavo.test',
  async ask(question) {
    const answer = await door.server.inject({
      method: question.endpoint.method as 'GET',
      url: `/v1${pathOf(question)}`,
      ...sentWith(question),
    })
    const isJson = String(answer.headers['content-type']).startsWith('application/json')
    return {
      status: answer.statusCode,
      body: isJson ? answer.json() : undefined,
      bytes: answer.rawPayload,
    }
  },
  person: (name) => door.person(name),
  verifyEmail: ({ id }) =>
    door.services.database.write(async (tx) => void (await markEmailVerified(tx, id, door.now()))),
  processSpecs: async () => void (await processSpecs(door)),
  sendWebhook: () => sendWebhooks(door),
  app: (path) => door.services.addresses.app(path),
})

describeEngines('the replies of a tour', (engine) => {
  let calls: Call[]
  let web: Served
  afterAll(() => web.close())
  beforeAll(async () => {
    web = await serveWeb({ '/text.md': '# Text' })
    const door = await openDoor(await engine.open(), undefined, { remote: web.remote })
    calls = await tour(worldOf(door, web.url))
  })

  test('every operation is called', () => {
    const called = new Set(calls.map(({ operationId }) => operationId))
    const missing = [...endpoints.keys()].filter((id) => !called.has(id) && !unseen.has(id))
    expect(missing).toEqual([])
  })

  test('each has the shape that its operation declares', () => {
    const ajv = new Ajv({ strict: false })
    addFormats.default(ajv)
    const faults = calls.flatMap(({ operationId, endpoint, body }) => {
      if (endpoint.reply === Nothing || ajv.validate(endpoint.reply, body)) return []
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
    const schemas: ClientSchemas = readClientSchemas(client)
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
    const here = differences.filter((one) => one.clients.includes(client) && one.isOnlyWhenIndexed !== true)
    expect(here.filter((one) => !met.has(one))).toEqual([])
  })
})

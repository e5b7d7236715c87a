/** Conformance table: `docs/api/conformance.md` is current, and operations that are not built return 404; the tours are `npm run conformance`. */
import { expect, test } from 'vitest'
import { clients, readClientSchemas } from './client-schemas.js'
import { coreOperations } from './conformance/core.js'
import { explained } from './conformance/differences.js'
import { readPage, readRows, reasonOf } from './conformance/table.js'
import { openTestClient } from './test-client.js'
import { describeSqlite } from './engines.js'

const rows = readRows()
const missing = rows.filter(({ endpoint }) => endpoint === undefined)

test('the page lists every operation as it is: `npm run conformance -- --write` rewrites it', () => {
  const { current, expected } = readPage()
  expect(current).toBe(expected)
})

test('the core has its 137 operations, and what is not built has a reason', () => {
  expect(new Set(coreOperations.map(({ method, path }) => `${method} ${path}`)).size).toBe(137)
  expect(missing.map(reasonOf).filter((reason) => reason === '')).toEqual([])
})

test.each(clients)('every member that client %s requires is required by the contract', (client) => {
  const schemas = readClientSchemas(client)
  const built = rows.flatMap(({ endpoint }) => endpoint ?? []).filter(schemas.knows)
  const missing = built.flatMap((endpoint) =>
    schemas
      .missingMembersOf(endpoint)
      .filter((fault) => explained(client, endpoint.operationId, fault) === undefined)
      .map((fault) => `${endpoint.operationId} ${fault}`),
  )
  expect(built.length).toBeGreaterThan(150)
  expect(missing).toEqual([])
})

describeSqlite('what is not built', (engine) => {
  test('returns 404 in the shape of every error, with or without a token and by any method', async () => {
    const api = await openTestClient(await engine.open())
    const admin = await api.person('admin')
    const wrong: string[] = []
    let count = 0
    for (const { method, path } of missing) {
      for (const person of [admin, null]) {
        for (const body of method === 'GET' || method === 'DELETE' ? [undefined] : [undefined, {}]) {
          const answer = await api.request(person, method, path.replace(/\{\w+\}/g, 'some'), body)
          count++
          const { code, message } = answer.body?.error ?? {}
          if (answer.status !== 404 || code !== 404 || typeof message !== 'string')
            wrong.push(`${method} ${path}: ${answer.status} ${answer.text}`)
        }
      }
    }
    expect(count).toBeGreaterThan(missing.length)
    expect(wrong).toEqual([])
  })

  test('HEAD and OPTIONS are answered at every path, and never by a failure', async () => {
    const api = await openTestClient(await engine.open())
    const admin = await api.person('admin')
    const filled = ({ path }: { readonly path: string }) => path.replace(/\{\w+\}/g, 'some')
    const crossOrigin = new Set(rows.filter(({ endpoint }) => endpoint?.crossOrigin).map(filled))
    const wrong: string[] = []
    for (const path of new Set(rows.map(filled))) {
      for (const method of ['HEAD', 'OPTIONS', 'TRACE']) {
        const headers = { authorization: `Bearer ${admin.token}` }
        const answer = await api.server.inject({ method: method as 'HEAD', url: `/v1${path}`, headers })
        // Node itself omits the body of a response to HEAD, and `inject` does not use it.
        const isPreflight = method === 'OPTIONS' && crossOrigin.has(path)
        const fine = method === 'HEAD' ? [200, 400, 404] : isPreflight ? [204] : [404]
        if (!fine.includes(answer.statusCode)) wrong.push(`${method} ${path}: ${answer.statusCode}`)
      }
    }
    expect(wrong).toEqual([])
  })
})

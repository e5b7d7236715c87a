/**
 * Declared locks: what each operation writes on PostgreSQL, compared with the `locks` of its route.
 *
 * A tour of the API runs with the scope that the path alone gives. Where the transaction had to run again with more
 * locks, the route has to declare them; where it never had to, the route declares too much.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Route } from '../src/access/route/route.js'
import type { SpaceId } from '../src/core/ids.js'
import { routes } from '../src/server/api/api.js'
import type { Database } from '../src/store/db/database.js'
import type { LockScope, PartialLockScope } from '../src/store/db/lock-scope.js'
import { lockScopeOf } from '../src/store/db/transactions.js'
import { injectedWorld } from './conformance/injected-world.js'
import { type ApiCall, tour } from './conformance/tour.js'
import { describeConcurrency } from './engines.js'
import { type WebServer, serveWeb } from './web-server.js'
import { openTestClient } from './test-client.js'

type Width = 'space' | 'organization' | 'people' | 'several organizations' | 'everything'
const widths: readonly Width[] = ['space', 'organization', 'people', 'several organizations', 'everything']

/** Operations that may need more than they declare: the scope follows from the body, and upgrades are rare. */
const upgraded: ReadonlyMap<string, Width> = new Map([
  ['transferSpace', 'several organizations'],
  ['transferCollection', 'several organizations'],
])

const widthOf = (scope: LockScope): Width => {
  if (scope === 'everything') return 'everything'
  if (scope.organizations.length > 1) return 'several organizations'
  if (scope.people === true) return 'people'
  return scope.space === undefined ? 'organization' : 'space'
}
const declaredBy = ({ endpoint, locks }: Route): Width =>
  locks ?? (endpoint.params.includes('spaceId') ? 'space' : 'organization')

describeConcurrency('the locks of routes', ({ engine, open }) => {
  const needed = new Map<string, Width>()
  let web: WebServer | undefined
  let current: ApiCall | undefined

  /** Starts each transaction of an operation with the scope of its path, and records the scope that it ends with. */
  function observe(database: Database): Database {
    const writeWithLocks: Database['writeWithLocks'] = (declared, work) => {
      const question = current
      // The transaction of the route is the one that locks its organization.
      if (declared === 'everything' || declared.organizations.length === 0 || question === undefined)
        return database.writeWithLocks(declared, work)
      const { endpoint, ids } = question
      const space = ids[endpoint.params.indexOf('spaceId')] as SpaceId | undefined
      const narrow: PartialLockScope = {
        organizations: declared.organizations,
        ...(space !== undefined && { space }),
      }
      return database.writeWithLocks(narrow, async (tx) => {
        const reply = await work(tx)
        const width = widthOf(lockScopeOf(tx))
        const before = needed.get(endpoint.operationId) ?? 'space'
        needed.set(endpoint.operationId, widths[Math.max(widths.indexOf(width), widths.indexOf(before))]!)
        return reply
      })
    }
    return { ...database, writeWithLocks }
  }

  beforeAll(async () => {
    if (engine === 'sqlite') return
    web = await serveWeb({ '/text.md': '# Text' })
    const api = await openTestClient(observe(await open()), undefined, { remote: web.remote })
    const world = injectedWorld(api, web.url)
    await tour({
      ...world,
      send: async (question) => {
        current = question
        return world.send(question).finally(() => (current = undefined))
      },
    })
  })
  afterAll(() => web?.close())

  test.skipIf(engine === 'sqlite')('are those that its statements need', () => {
    expect(needed.size).toBeGreaterThan(80)
    const faults = routes.flatMap((route) => {
      const { operationId } = route.endpoint
      const width = needed.get(operationId)
      const expected = upgraded.get(operationId) ?? declaredBy(route)
      if (width === undefined || width === expected) return []
      return [
        `${operationId} locks '${declaredBy(route)}' and needs '${width}': change \`locks\` of its route()`,
      ]
    })
    expect(faults).toEqual([])
  })
})

/**
 * Cost of access checks: a page read with the check beside the same read without, filtered lists, and a check
 * without caches.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { type Scope, readThrough } from '../../src/access/route/scope.js'
import type { SpaceAction } from '../../src/access/rules/levels.js'
import type { Route } from '../../src/access/route/route.js'
import type { MountOptions } from '../../src/access/route/mount.js'
import { createSignIn } from '../../src/access/signin/request.js'
import { mountApi, routes } from '../../src/server/api/api.js'
import { createHttpServer } from '../../src/server/http/create-server.js'
import { spaceContent } from '../../src/contract/content.js'
import type { SpaceId } from '../../src/core/ids.js'
import { type ContentContext, getContent } from '../../src/resources/content/content.js'
import { findMergedChangeRequests } from '../../src/resources/change-requests/find-merged.js'
import { contentRoutes } from '../../src/resources/content/content-routes.js'
import { getSpaceContext } from '../../src/resources/spaces/scope.js'
import { type SpaceRow, findSpaceAnywhere } from '../../src/resources/spaces/store.js'
import { rowCacheKind } from '../../src/store/cache/kinds.js'
import { type AccessWorld, type AccessWorldOptions, openAccessWorld } from './access-world.js'
import { type Figure, median, percentile } from './figure.js'
import type { Load, LoadResult } from './load-client.js'

export interface AccessSize {
  readonly turns: number
  readonly milliseconds: number
  readonly lists: number
  readonly checks: number
}

const many = 5_000
const few = 100

export async function measureAccess(size: AccessSize): Promise<Figure[]> {
  const hidden = await withWorld({ count: many, hidden: true }, async (world) => [
    await compareCheck(world, size),
    await measureLists(world, `list of 50 visible of ${many} spaces`, size.lists),
    await timeChecks(world, size.checks),
  ])
  const open = await withWorld({ count: many, hidden: false }, (world) =>
    measureLists(world, `first 50 of ${many} visible spaces`, size.lists),
  )
  const atFew = await withWorld({ count: few, hidden: true }, (world) => timeChecks(world, size.checks))
  const [check, list, atMany] = hidden as [Figure, Figure, number]
  return [
    check,
    list,
    open,
    {
      name: `check that nobody remembers, of ${many} spaces`,
      value: atMany,
      unit: 'ms',
      baseline: { name: `of ${few} spaces`, value: atFew, unit: 'ms' },
      ratio: atMany / atFew,
      target: { of: 'ratio', kind: 'at most', limit: 1.5 },
    },
  ]
}

async function withWorld<Result>(
  options: AccessWorldOptions,
  measure: (world: AccessWorld) => Promise<Result>,
): Promise<Result> {
  const world = await openAccessWorld(options)
  try {
    return await measure(world)
  } finally {
    await world.close()
  }
}

/** The same server twice, one of them without access checks; requested in alternation. */
async function compareCheck(world: AccessWorld, size: AccessSize): Promise<Figure> {
  const { services, member, withPage } = world
  const signIn = createSignIn(services, { baseUrl: services.addresses.base, now: Date.now })
  const actor = await actorOf(world)
  const checked = await listen({ services, now: Date.now, signIn }, routes)
  const unchecked = await listen(
    { services, now: Date.now, signIn: async () => actor },
    contentRoutes(spaceContent, openContent, findMergedChangeRequests),
  )
  const client = fork(fileURLToPath(new URL('load-client.ts', import.meta.url)), {
    execArgv: process.execArgv,
  })
  try {
    const headers = { authorization: `Bearer ${member.token}` }
    const pages = await fetch(`${checked.base}/spaces/${withPage}/content/pages`, { headers })
    const [page] = ((await pages.json()) as { pages: { id: string }[] }).pages
    const path = `/v1/spaces/${withPage}/content/page/${page!.id}`
    const request = `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: ${headers.authorization}\r\n\r\n`
    const measure = (port: number) =>
      load(client, { port, requests: [request], connections: 16, milliseconds: size.milliseconds })
    for (const { port } of [checked, unchecked, checked, unchecked]) await measure(port)
    const pairs: { checked: number; unchecked: number }[] = []
    for (let turn = 0; turn < size.turns; turn += 1) {
      pairs.push({ checked: await measure(checked.port), unchecked: await measure(unchecked.port) })
    }
    const microseconds = (perSecond: readonly number[]) => 1_000_000 / median(perSecond)
    return {
      name: 'page read with its check',
      value: microseconds(pairs.map((pair) => pair.checked)),
      unit: 'µs',
      baseline: { name: 'unchecked', value: microseconds(pairs.map((pair) => pair.unchecked)), unit: 'µs' },
      // Of adjacent rounds: the speed of a busy machine drifts.
      ratio: median(pairs.map((pair) => pair.unchecked / pair.checked)),
      target: { of: 'ratio', kind: 'at most', limit: 1.15 },
    }
  } finally {
    client.disconnect()
    await Promise.all([checked.close(), unchecked.close()])
  }
}

async function load(client: ChildProcess, wanted: Load): Promise<number> {
  client.send(wanted)
  const [result] = (await once(client, 'message')) as [LoadResult]
  if ('problem' in result) throw new Error(result.problem)
  return result.perSecond
}

const rows = rowCacheKind<SpaceRow>('space of anybody', (row) => [row.organization_id])

/** The content of a space without access check: its row is read as always, but no level. */
const openContent: Scope<'spaceId', { content: ContentContext }, SpaceAction> = {
  params: ['spaceId'],
  anonymous: false,
  async load(request, { spaceId }) {
    const id = spaceId as SpaceId
    const { organization_id: organizationId, revision_id: head } = (await readThrough(
      request,
      rows,
      id,
      (db) => findSpaceAnywhere(db, id),
    ))!
    const { immutable: db, services } = request
    return { content: await getContent({ db, services, organizationId, spaceId: id }, head) }
  },
  authorize: () => ({ verdict: 'yes', noun: 'space' }),
}

async function actorOf({ services, member }: AccessWorld) {
  const signIn = createSignIn(services, { baseUrl: services.addresses.base, now: Date.now })
  return signIn({ raw: {}, headers: { authorization: `Bearer ${member.token}` } } as never)
}

async function listen(mounting: MountOptions, mounted: readonly Route[]) {
  const server = createHttpServer({ logLevel: 'error' })
  await mountApi(server, mounting, mounted)
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as AddressInfo
  return { port, base: `http://127.0.0.1:${port}/v1`, close: () => server.close() }
}

/** Lists of fifty spaces over HTTP, alternating with a request that lists nothing: the machine may be busy. */
async function measureLists(world: AccessWorld, name: string, lists: number): Promise<Figure> {
  const { services, member, organization } = world
  const signIn = createSignIn(services, { baseUrl: services.addresses.base, now: Date.now })
  const server = await listen({ services, now: Date.now, signIn }, routes)
  async function timed(path: string): Promise<{ body: any; took: number }> {
    const begun = performance.now()
    const answer = await fetch(`${server.base}${path}`, {
      headers: { authorization: `Bearer ${member.token}` },
    })
    const body = await answer.json()
    return { body, took: performance.now() - begun }
  }
  try {
    const listing: number[] = []
    const nothing: number[] = []
    const warmUp = 100
    for (let turn = 0; turn < lists + warmUp; turn += 1) {
      const list = await timed(`/orgs/${organization}/spaces?limit=50`)
      const user = await timed('/user')
      if (list.body.items.length !== 50) throw new Error(`${list.body.items.length} spaces are visible`)
      if (turn < warmUp) continue
      listing.push(list.took)
      nothing.push(user.took)
    }
    return {
      name: `${name}, p95`,
      value: percentile(listing, 0.95),
      unit: 'ms',
      baseline: { name: 'an answer without a list', value: percentile(nothing, 0.95), unit: 'ms' },
      target: { of: 'value', kind: 'at most', limit: 15 },
    }
  } finally {
    await server.close()
  }
}

/** The median milliseconds of a check that is answered by the database. */
async function timeChecks(
  { services, organization, member, spaces }: AccessWorld,
  checks: number,
): Promise<number> {
  const { read } = services.database
  const times: number[] = []
  for (let turn = 0; turn < checks * 2; turn += 1) {
    // Any order that visits all of them.
    const id = spaces[(turn * 7919) % spaces.length]!
    const begun = performance.now()
    await getSpaceContext(read, member.id, { organization_id: organization, id })
    // The first half is warm-up.
    if (turn >= checks) times.push(performance.now() - begun)
  }
  return median(times)
}

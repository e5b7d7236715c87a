/**
 * API test client: the real server on a real database and real files, with requests sent by `inject`.
 *
 * `openTestClient` also creates fixtures through the API: people with tokens, an organization.
 */
import { createHash } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Route } from '../src/access/route/route.js'
import type { Services } from '../src/access/route/scope.js'
import { newId } from '../src/access/ids.js'
import { createSignIn } from '../src/access/signin/request.js'
import { createContentSignIn } from '../src/site/urls/content-sign-in.js'
import { newApiToken } from '../src/access/signin/secrets.js'
import { insertToken } from '../src/access/signin/tokens.js'
import { mountApi } from '../src/server/api/api.js'
import { type ResponseCache, createResponseCache } from '../src/server/http/response-cache.js'
import { createHttpServer } from '../src/server/http/create-server.js'
import { createAddresses } from '../src/contract/addresses.js'
import type { Role } from '../src/contract/shapes.js'
import type { OrganizationId, UserId } from '../src/core/ids.js'
import { createVisitorEventCounter } from '../src/resources/insights/count-events.js'
import { createOrganization } from '../src/resources/organizations/create.js'
import { insertMember } from '../src/resources/organizations/store.js'
import { insertUser } from '../src/resources/users/store.js'
import { type SiteTask, runTask } from '../src/site/tasks.js'
import { createCaches } from '../src/store/cache/caches.js'
import { createObjectCache } from '../src/store/content/objects.js'
import type { Database } from '../src/store/db/database.js'
import { openDirectory } from '../src/store/files/directory.js'
import { createSizedImages } from '../src/store/images/sized.js'
import { createInlineFragments } from '../src/store/reading/fragment-renderer.js'
import { createInlineReader } from '../src/store/reading/reader.js'
import { createBackgroundTasks } from '../src/store/jobs/background.js'
import { createStreamWatcher } from '../src/store/events/stream-watcher.js'
import { createRemote } from '../src/store/remote/create.js'
import { createInlineSpecificationReader } from '../src/store/specifications/reader.js'
import { createInlineSearch } from '../src/store/search-workers/search-service.js'

export interface Person {
  readonly id: UserId
  readonly token: string
}

export interface TestResponse<Body = any> {
  readonly status: number
  readonly body: Body
  readonly headers: Record<string, unknown>
  readonly text: string
}

export interface TestClient {
  readonly server: FastifyInstance
  readonly responseCache: ResponseCache
  readonly services: Services
  /** Milliseconds since 1970; each call adds one, so that times differ. */
  readonly now: () => number
  /** Lets so many milliseconds pass. */
  advance(milliseconds: number): void
  /** Sends a request to the API; the path is below `/v1`. */
  request(person: Person | null, method: string, path: string, body?: unknown): Promise<TestResponse>
  person(name: string): Promise<Person>
  organization(admin: Person, title?: string): Promise<OrganizationId>
  join(organization: OrganizationId, person: Person, role: Role | null): Promise<void>
}

/** Opens the API on a database; `routes`, where passed, are the only ones mounted, and `parts` replace the default services. */
export async function openTestClient(
  database: Database,
  routes?: readonly Route[],
  parts: Partial<Services> = {},
): Promise<TestClient> {
  let time = Date.parse('2026-01-01T00:00:00Z')
  const now = () => (time += 1)
  const addresses = createAddresses({
    baseUrl: 'http://octavo.test',
    sign: (text) => createHash('sha256').update(text).digest('base64url'),
  })
  const folder = await mkdtemp(join(tmpdir(), 'octavo-files-'))
  const caches = createCaches(database, 64 << 20)
  const files = await openDirectory(folder)
  const services: Services = {
    database,
    caches,
    objects: createObjectCache(caches),
    files,
    images: createSizedImages(files),
    addresses,
    spoolFolder: join(folder, 'spool'),
    reader: createInlineReader(),
    fragments: createInlineFragments<SiteTask>(runTask),
    pages: createInlineFragments<SiteTask>(runTask),
    searching: createInlineSearch(database),
    specifications: createInlineSpecificationReader(),
    background: createBackgroundTasks(),
    remote: createRemote(),
    eventWatchers: createStreamWatcher(database),
    visitorEvents: createVisitorEventCounter(database, now),
    ...parts,
  }
  const responseCache = createResponseCache(caches)
  const server = createHttpServer({ logLevel: 'error', middleware: responseCache.middleware })
  const byContentToken = createContentSignIn(services)
  await mountApi(
    server,
    { services, now, signIn: createSignIn(services, { baseUrl: addresses.base, now, byContentToken }) },
    routes,
  )

  return {
    server,
    responseCache,
    services,
    now,
    advance(milliseconds) {
      time += milliseconds
    },
    async request(person, method, path, body) {
      const answer = await server.inject({
        method: method as 'GET',
        url: `/v1${path}`,
        headers: {
          ...(person !== null && { authorization: `Bearer ${person.token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { payload: JSON.stringify(body) }),
      })
      const isJson = String(answer.headers['content-type']).startsWith('application/json')
      return {
        status: answer.statusCode,
        body: isJson ? answer.json() : undefined,
        headers: answer.headers,
        text: answer.body,
      }
    },
    async person(name) {
      const [id, token] = [newId<UserId>(), newApiToken()]
      await database.write(async (tx) => {
        await insertUser(tx, { id, displayName: name, email: `${name}@octavo.test`, now: now() })
        await insertToken(tx, { userId: id, token, label: 'test', now: now() })
      })
      return { id, token }
    },
    organization: (admin, title = 'Acme') =>
      database.write(async (tx) => (await createOrganization(tx, admin.id, { title }, now())).row.id),
    join: (organizationId, person, role) =>
      database.write((tx) => insertMember(tx, { organizationId, userId: person.id, role, now: now() })),
  }
}

/** Returns a mistyped key: of the same length, and never equal. */
export const mistyped = (key: string): string => `${key.slice(0, -1)}${key.endsWith('x') ? 'y' : 'x'}`

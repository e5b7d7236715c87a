/** Conformance environment: a server process, its users, and a web server that it may fetch from. */
import { newId } from '../../src/access/ids.js'
import { newApiToken } from '../../src/access/signin/secrets.js'
import { insertToken } from '../../src/access/signin/tokens.js'
import { markEmailVerified } from '../../src/access/signin/verified-email.js'
import type { UserId } from '../../src/core/ids.js'
import { insertUser } from '../../src/resources/users/store.js'
import { openDatabase } from '../../src/store/db/open.js'
import type { World } from '../../tests/conformance/tour.js'
import type { Person } from '../../tests/test-client.js'
import { serveWeb } from '../../tests/web-server.js'
import { startServer } from '../server-process.js'

export interface OpenWorld {
  readonly url: string
  /** The environment of a tour, for people of one domain. */
  worldOf(domain: string): Omit<World, 'send'>
  close(): Promise<void>
}

/** Starts a server on the folder, or on the PostgreSQL at the address. */
export async function openWorld(data: string, databaseUrl?: string): Promise<OpenWorld> {
  const web = await serveWeb({ '/text.md': '# Text' })
  const server = await startServer({
    data,
    environment: {
      OCTAVO_ADMIN_EMAIL: 'first@octavo.test',
      OCTAVO_FETCH_NETWORKS: '127.0.0.1',
      ...(databaseUrl !== undefined && { OCTAVO_DATABASE_URL: databaseUrl }),
    },
  })
  const database = await openDatabase({
    dataFolder: data,
    ...(databaseUrl !== undefined && { url: databaseUrl }),
  })
  async function until<Body>(admin: Person, path: string, isSo: (body: Body) => boolean): Promise<void> {
    for (;;) {
      const answer = await fetch(`${server.url}/v1${path}`, {
        headers: { authorization: `Bearer ${admin.token}` },
      })
      if (isSo((await answer.json()) as Body)) return
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  const worldOf = (domain: string): Omit<World, 'send'> => ({
    web: web.url,
    domain,
    app: (path) => `${server.url}${path}`,
    async person(name) {
      const [id, token, now] = [newId<UserId>(), newApiToken(), Date.now()]
      await database.write(async (tx) => {
        await insertUser(tx, { id, displayName: name, email: `${name}@${domain}`, now })
        await insertToken(tx, { userId: id, token, label: 'conformance', now })
      })
      return { id, token }
    },
    verifyEmail: ({ id }) => database.write(async (tx) => void (await markEmailVerified(tx, id, Date.now()))),
    processSpecs: (admin, organization, slug) =>
      until<{ processingState: string }>(
        admin,
        `/orgs/${organization}/openapi/${slug}`,
        ({ processingState }) => processingState === 'complete',
      ),
    sendWebhook: (admin, organization, webhook) =>
      until<{ items: unknown[] }>(
        admin,
        `/orgs/${organization}/webhooks/${webhook}/deliveries?status=waiting`,
        ({ items }) => items.length === 0,
      ),
    deliverInbox: (person) =>
      until<{ items: unknown[] }>(person, '/user/inbox', ({ items }) => items.length > 0),
    indexContent: (admin, space) =>
      until<{ items: unknown[] }>(
        admin,
        `/spaces/${space}/search?query=words`,
        ({ items }) => items.length > 0,
      ),
  })
  return {
    url: server.url,
    worldOf,
    async close() {
      await database.close()
      await server.stop()
      await web.close()
    },
  }
}

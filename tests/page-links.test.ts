/**
 * Links to pages: every address that an operation returns, a mail contains or the documentation names is opened as a browser
 * in which the person is signed in, and is a page.
 */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Notice, notifyOwner } from '../src/access/signin/notices.js'
import { cookieName } from '../src/access/signin/request.js'
import { sessionCookie, startSession } from '../src/access/signin/sessions.js'
import type { UserId } from '../src/core/ids.js'
import { mailHandlers, sendSignInLinkJob } from '../src/server/mail/mail.js'
import type { Mail } from '../src/server/mail/mailer.js'
import { createServer } from '../src/server/server.js'
import { enqueue } from '../src/store/jobs/outbox.js'
import { drainJobs } from '../src/store/jobs/testing.js'
import { parseAddress } from '../src/web/routes/addresses.js'
import { injectedWorld } from './conformance/injected-world.js'
import { tour } from './conformance/tour.js'
import { describeSqlite } from './engines.js'
import { type TestClient, openTestClient } from './test-client.js'
import { type WebServer, serveWeb } from './web-server.js'

const base = 'http://octavo.test'
const docs = join(import.meta.dirname, '../docs')

const notices: Readonly<Record<Notice, true>> = {
  passwordSet: true,
  addressProven: true,
  accountLinked: true,
  linkHandedOver: true,
}

/** What is no page, or not yet: addresses for programs, a site that is not published, and a preview of a site without spaces. */
const exempt: readonly RegExp[] = [
  /^\/~octavo\/(?:saml|oidc|openapi|files?)\//,
  /^\/~octavo\/assets\//,
  /SiteShareLink\w* \//,
  /^createSite \/o\/\w+\/site\/\w+\/preview$/,
]

/** Returns the addresses of pages of this server in any value. */
function linksIn(value: unknown): string[] {
  if (typeof value === 'string')
    return value.startsWith(`${base}/`) && !value.startsWith(`${base}/v1/`) ? [value] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(linksIn) : []
}

describeSqlite('links to pages', ({ open }) => {
  let api: TestClient
  let web: WebServer
  let server: FastifyInstance
  const cookies = new Map<string, string>()
  const opened = new Map<string, string>()
  const faults: string[] = []

  async function cookieOf(userId: string): Promise<string> {
    let cookie = cookies.get(userId)
    if (cookie === undefined) {
      const session = { userId: userId as UserId, openedBy: 'password', organizationId: null } as const
      const secret = await api.services.database.write((tx) =>
        startSession(tx, session, { ip: null, userAgent: null, now: api.now() }),
      )
      cookie = `${cookieName(sessionCookie, base)}=${secret}`
      cookies.set(userId, cookie)
    }
    return cookie
  }

  /** Opens an address as a browser does, with its redirects; returns what is wrong with the page. */
  async function faultAt(address: string, userId: string): Promise<string | undefined> {
    let url = new URL(address, base)
    for (let redirects = 0; redirects < 5; redirects++) {
      const page = await server.inject({
        url: url.pathname + url.search,
        headers: {
          host: url.host,
          cookie: await cookieOf(userId),
          accept: 'text/html',
          'sec-fetch-dest': 'document',
        },
      })
      if (page.statusCode >= 300 && page.statusCode < 400 && page.headers.location !== undefined) {
        url = new URL(page.headers.location, url)
        if (url.origin !== base) return undefined
        continue
      }
      if (page.statusCode >= 400) return `${page.statusCode} ${url.pathname}`
      const isApp = page.body.includes('<div id="app">')
      return isApp && parseAddress(url.pathname).screen === 'unknown'
        ? `no screen: ${url.pathname}`
        : undefined
    }
    return 'too many redirects'
  }

  async function openAll(value: unknown, userId: string, source: string): Promise<void> {
    for (const link of linksIn(value)) {
      const { pathname } = new URL(link)
      if (opened.has(link) || exempt.some((one) => one.test(pathname) || one.test(`${source} ${pathname}`)))
        continue
      opened.set(link, source)
      const fault = await faultAt(link, userId)
      if (fault !== undefined) faults.push(`${source}: ${fault}`)
    }
  }

  beforeAll(async () => {
    web = await serveWeb({ '/text.md': '# Text\n\nWords.\n' })
    api = await openTestClient(await open(), undefined, { remote: web.remote })
    const { services, now } = api
    server = await createServer({ services, now, logLevel: 'silent', isReady: () => true })
  })
  afterAll(async () => {
    await server?.close()
    await web.close()
  })

  test('of the answers of every operation', { timeout: 120_000 }, async () => {
    const world = injectedWorld(api, web.url)
    await tour({
      ...world,
      async send(call) {
        const response = await world.send(call)
        const { method, operationId } = call.endpoint
        // What is deleted, or moved elsewhere, has no page any more.
        if (method !== 'DELETE' && response.status < 300)
          await openAll(response.body, call.person.id, operationId)
        return response
      },
    })
    expect(faults.splice(0)).toEqual([])
    const kinds = [...opened.keys()].map((link) => new URL(link).pathname)
    for (const kind of [
      /^\/o\/\w+$/,
      /^\/o\/\w+\/site\/\w+\/$/,
      /^\/o\/\w+\/c\/\w+\/$/,
      /^\/o\/\w+\/openapi\//,
      /^\/s\/\w+\/$/,
      /\/~\/changes\/\d+\/$/,
      /\/~\/revisions\/\w+\/$/,
      /^\/~octavo\/join\//,
    ])
      expect(kinds.some((path) => kind.test(path))).toBe(true)
  })

  test('of every mail', async () => {
    const ada = await api.person('ada')
    const { database, addresses } = api.services
    await database.write(async (tx) => {
      const at = api.now()
      for (const [key, payload] of Object.entries({
        link: { email: 'ada@octavo.test' },
        deep: { email: 'ada@octavo.test', returnTo: '/account' },
        password: { email: 'ada@octavo.test', purpose: 'password' as const },
      }))
        await enqueue(tx, { organizationId: null, type: sendSignInLinkJob, key, payload, at })
      for (const notice of Object.keys(notices) as Notice[])
        await notifyOwner(tx, { userId: ada.id, notice, at })
    })
    const sent: Mail[] = []
    const mailer = { send: async (mail: Mail) => void sent.push(mail) }
    await drainJobs({
      database,
      handlers: mailHandlers(mailer, { database, addresses }, api.now),
      now: api.now,
      random: Math.random,
      report: (error) => {
        throw error
      },
      signal: new AbortController().signal,
    })
    const subjects = new Set(sent.map(({ subject }) => subject.replace(/[":].*/s, '').trim()))
    expect([...subjects]).toEqual(
      expect.arrayContaining(['Your sign-in link', 'Set a new password', 'Invitation to']),
    )
    for (const { subject, text } of sent)
      for (const [link] of text.matchAll(/http:\/\/octavo\.test[^\s,]*/g))
        await openAll(link, ada.id, subject)
    expect(faults.splice(0)).toEqual([])
  })

  test('of the documentation', async () => {
    const ada = await api.person('docs')
    const texts = readdirSync(docs, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md') && !name.startsWith('decisions'))
      .map((name) => [name, readFileSync(join(docs, name), 'utf8')] as const)
    const named = texts.flatMap(([name, text]) =>
      [
        ...text.matchAll(
          /`(?:<OCTAVO_URL>)?(\/(?:~octavo|o|s|account|settings|login|inbox|docs)(?:\/[^`\s]*)?)`/g,
        ),
      ].map(([, path]) => [name, path!] as const),
    )
    expect(named.length).toBeGreaterThan(3)
    for (const [name, path] of named) {
      // With names in place of what it describes, it is an address of the app that has a screen.
      if (/[<{:…*]/.test(path)) {
        const filled = path.replace(/<[^>]*>|\{[^}]*\}|:\w+|…/g, '1')
        const isApp = /^\/[os]\//.test(filled)
        if (isApp && !filled.includes('/preview'))
          expect([name, path, parseAddress(filled).screen]).not.toContain('unknown')
        continue
      }
      if (exempt.some((one) => one.test(path))) continue
      const fault = await faultAt(path, ada.id)
      if (fault !== undefined) faults.push(`${name}: ${fault}`)
    }
    expect(faults.splice(0)).toEqual([])
  })
})

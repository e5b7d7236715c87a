/**
 * The server as a whole: the API, the published sites, the files, and what operators ask.
 * Everything is handed in; starting and stopping stand in `start/serve.ts`.
 */
import type { FastifyInstance } from 'fastify'
import type { Services } from '../access/route/scope.js'
import { createSignIn } from '../access/signin/request.js'
import { createContentSignIn } from '../site/urls/content-sign-in.js'
import { createReadiness } from '../store/db/readiness.js'
import { mountApi, routes } from './api/api.js'
import { mountAssets } from './sites/assets.js'
import { mountAtOnce } from './http/response-cache.js'
import { createBareServer } from './http/create-server.js'
import { mountFiles } from './sites/files.js'
import { mountPdfs } from './sites/pdfs.js'
import { mountSpecifications } from './sites/specifications.js'
import { keptByNobody, securityOf } from './http/headers.js'
import { mountHome } from './sites/home.js'
import { mountMetrics } from './http/metrics.js'
import { describeApi } from './api/openapi.js'
import { type SignInSettings, mountSignIn } from './sign-in/mount.js'
import { mountPublishedSites } from './sites/published-sites.js'
import { createRateLimits } from './api/rate-limits.js'
import { createRecentReads } from './api/recent-reads.js'
import { mountReference } from './api/reference.js'
import type { Settings } from './settings/settings.js'

export interface ServerOptions {
  readonly services: Services
  readonly now: () => number
  readonly logLevel: string
  /** Which ways of signing in there are, which proxies are believed, and how much is answered. */
  readonly settings?: SignInSettings &
    Pick<
      Partial<Settings>,
      'trustedProxies' | 'metricsToken' | 'requestsPerToken' | 'requestsPerAddress' | 'countryHeader'
    >
  /** False while starting and stopping; `/readyz` says it. */
  readonly isReady: () => boolean
}

export async function createServer({
  services,
  now,
  logLevel,
  settings = {},
  isReady,
}: ServerOptions): Promise<FastifyInstance> {
  const security = securityOf(services.addresses.base)
  const server = createBareServer({
    logLevel,
    trustedProxies: settings.trustedProxies,
    headers: security,
  })
  const signIn = createSignIn(services, { baseUrl: services.addresses.base, now })
  const mounting = { services, now, signIn }
  const byContentToken = createContentSignIn(services)
  const signInToApi = createSignIn(services, { baseUrl: services.addresses.base, now, byContentToken })
  const countAnswer = mountMetrics(server, services.database, {
    token: settings.metricsToken,
    ownHost: new URL(services.addresses.base).hostname,
    caches: services.caches,
    searching: services.searching,
  })
  const { requestsPerToken = 0, requestsPerAddress = 0 } = settings
  const rates = { requestsPerToken, requestsPerAddress }
  const { limiting, admit } = createRateLimits(services.database.rates, rates, now)
  const reads = createRecentReads(services.caches, now, admit)
  await mountApi(server, { services, now, signIn: limiting(signInToApi), keepRead: reads.keep })

  // Made when somebody asks: it takes a tenth of a second, which no start should wait for.
  let document: object | undefined
  const describe = (): object => (document ??= describeApi(routes, services.addresses))
  let api: string | undefined
  server.get('/openapi.json', (_request, reply) =>
    reply
      .header('content-type', 'application/json; charset=utf-8')
      .send((api ??= JSON.stringify(describe()))),
  )
  const endpoints = routes.map(({ endpoint }) => endpoint)
  mountReference(server, { endpoints, describe, caches: services.caches })
  server.get('/healthz', (_request, reply) => reply.headers(keptByNobody).send({ status: 'ok' }))
  const databaseAnswers = createReadiness(services.database)
  server.get('/readyz', async (_request, reply) => {
    const ready = isReady() && (await databaseAnswers())
    return reply
      .code(ready ? 200 : 503)
      .headers(keptByNobody)
      .send({ ready })
  })

  mountAssets(server)
  mountFiles(server, mounting)
  mountSpecifications(server, mounting)
  mountPdfs(server, mounting)
  mountHome(server, mounting)
  mountSignIn(server, mounting, settings)
  const findPage = mountPublishedSites(server, { ...mounting, countryHeader: settings.countryHeader })
  // Mounted last, so it sees every request first.
  mountAtOnce(server, [reads.find, findPage], { caches: services.caches, countAnswer, headers: security })
  return server
}

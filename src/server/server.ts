/**
 * The HTTP server with all its routes: the API, the published sites, the files, health checks and metrics.
 * Its services are passed in; starting and stopping are in `start/serve.ts`.
 */
import type { FastifyInstance } from 'fastify'
import type { Services } from '../access/route/scope.js'
import { createSignIn } from '../access/signin/request.js'
import { createContentSignIn } from '../site/urls/content-sign-in.js'
import { createReadiness } from '../store/db/readiness.js'
import { mountApi, routes } from './api/api.js'
import { mountAssets } from './sites/assets.js'
import { createResponseCache } from './http/response-cache.js'
import { createHttpServer } from './http/create-server.js'
import { mountFiles } from './sites/files.js'
import { notFoundPage } from '../site/layout/message-pages.js'
import { productFrame } from './sites/product-frame.js'
import { mountPdfs } from './sites/pdfs.js'
import { mountSpecifications } from './sites/specifications.js'
import { noStore, transportSecurity } from './http/headers.js'
import { mountHome } from './sites/home.js'
import { mountMetrics } from './http/metrics.js'
import { type OutageLog, createOutageLog } from './http/outage-log.js'
import { describeApi } from './api/openapi.js'
import { mountUnsubscribe } from './sign-in/unsubscribe.js'
import { type SignInSettings, mountSignIn } from './sign-in/mount.js'
import { mountPublishedSites } from './sites/published-sites.js'
import { createRateLimits } from './api/rate-limits.js'
import { createReadCache } from './api/read-cache.js'
import { mountReference } from './api/reference.js'
import { mountApp } from './web/app-shell.js'
import type { Settings } from './settings/settings.js'

export interface ServerOptions {
  readonly services: Services
  readonly now: () => number
  readonly logLevel: string
  /** Sign-in methods, trusted proxies, and rate limits. */
  readonly settings?: SignInSettings &
    Pick<
      Partial<Settings>,
      'trustedProxies' | 'metricsToken' | 'requestsPerToken' | 'requestsPerAddress' | 'countryHeader'
    >
  /** False while starting and stopping; `/readyz` says it. */
  readonly isReady: () => boolean
  /** Where requests report a lost database; its own log by default. */
  readonly outages?: OutageLog
}

export async function createServer({
  services,
  now,
  logLevel,
  settings = {},
  isReady,
  outages,
}: ServerOptions): Promise<FastifyInstance> {
  const isDatabaseReady = createReadiness(services.database)
  const security = transportSecurity(services.addresses.base)
  const responseCache = createResponseCache(services.caches, security)
  const server = createHttpServer({
    logLevel,
    middleware: responseCache.middleware,
    trustedProxies: settings.trustedProxies,
    headers: security,
    parseLargeJson: services.reader.parseJson,
    outages: outages ?? createOutageLog(isDatabaseReady),
  })
  const signIn = createSignIn(services, { baseUrl: services.addresses.base, now })
  const mounting = { services, now, signIn }
  const byContentToken = createContentSignIn(services)
  const signInToApi = createSignIn(services, { baseUrl: services.addresses.base, now, byContentToken })
  const countResponse = mountMetrics(server, services.database, {
    token: settings.metricsToken,
    caches: services.caches,
    searching: services.searching,
  })
  const { requestsPerToken = 0, requestsPerAddress = 0 } = settings
  const rateSettings = { requestsPerToken, requestsPerAddress }
  const { limitSignIn, admit } = createRateLimits(services.database.rates, rateSettings, now)
  const readCache = createReadCache(services.caches, now, admit)
  await mountApi(server, {
    services,
    now,
    signIn: limitSignIn(signInToApi),
    onCacheableRead: readCache.store,
  })

  // Built with the first request: it takes a tenth of a second, which no start should wait for.
  let openApiDocument: object | undefined
  const describe = (): object => (openApiDocument ??= describeApi(routes, services.addresses))
  let openApiJson: string | undefined
  server.get('/openapi.json', (_request, reply) =>
    reply
      .header('content-type', 'application/json; charset=utf-8')
      .send((openApiJson ??= JSON.stringify(describe()))),
  )
  const endpoints = routes.map(({ endpoint }) => endpoint)
  mountReference(server, { endpoints, describe, caches: services.caches })
  server.get('/healthz', (_request, reply) => reply.headers(noStore).send({ status: 'ok' }))
  server.get('/readyz', async (_request, reply) => {
    const ready = isReady() && (await isDatabaseReady())
    return reply
      .code(ready ? 200 : 503)
      .headers(noStore)
      .send({ ready })
  })

  mountAssets(server)
  mountFiles(server, mounting)
  mountSpecifications(server, mounting)
  mountPdfs(server, mounting)
  const renderNotFound = async () => notFoundPage(await productFrame())
  mountApp(server, { ...mounting, renderNotFound })
  mountHome(server, mounting)
  mountSignIn(server, mounting, settings)
  mountUnsubscribe(server, mounting)
  const findCachedPage = mountPublishedSites(server, { ...mounting, countryHeader: settings.countryHeader })
  responseCache.mount(server, [readCache.find, findCachedPage], countResponse)
  return server
}

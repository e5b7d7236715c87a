/** Prometheus metrics for operators; they contain no names, no addresses, no ids. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Counter, Gauge, Registry, collectDefaultMetrics } from 'prom-client'
import { ApiError } from '../../contract/errors.js'
import type { Caches } from '../../store/cache/caches.js'
import { countDeadJobs } from '../../store/content/verify.js'
import type { Database } from '../../store/db/database.js'
import { countFailedPages } from '../../store/search/pages.js'
import type { SearchService } from '../../store/search-workers/search-service.js'
import { textEdits, verifiedTextEdits } from '../../resources/content/edit-text.js'
import { noStore } from './headers.js'
import { completedBackups, lastBackup } from '../backup/scheduled-backup.js'
import { collectedBytes, collectedItems } from '../maintenance/maintenance.js'

interface MetricsOptions {
  /** Grants access from other machines. */
  readonly token: string | undefined
  readonly caches: Pick<Caches, 'stats'>
  readonly searching: Pick<SearchService, 'count'>
}

/** Counts all answers that pass the server's hooks; returns a function that counts one that does not. */
export function mountMetrics(
  server: FastifyInstance,
  { read }: Pick<Database, 'read'>,
  options: MetricsOptions,
): (status: number) => void {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  registry.registerMetric(collectedItems)
  registry.registerMetric(completedBackups)
  registry.registerMetric(lastBackup)
  registry.registerMetric(collectedBytes)
  registry.registerMetric(textEdits)
  registry.registerMetric(verifiedTextEdits)
  const answers = new Counter({
    name: 'octavo_http_responses_total',
    help: 'Answers by class of status.',
    labelNames: ['status'],
    registers: [registry],
  })
  const addCacheGauge = (name: string, help: string, figure: 'bytes' | 'hits' | 'misses') =>
    new Gauge({
      name,
      help,
      labelNames: ['kind'],
      registers: [registry],
      collect() {
        for (const one of options.caches.stats()) this.set({ kind: one.kind }, one[figure])
      },
    })
  addCacheGauge('octavo_cache_bytes', 'Memory that what is kept takes, estimated.', 'bytes')
  addCacheGauge('octavo_cache_hits_total', 'Looks for something kept that found it.', 'hits')
  addCacheGauge('octavo_cache_misses_total', 'Looks for something kept that did not find it.', 'misses')
  const searches: Gauge = new Gauge({
    name: 'octavo_searches',
    help: 'Searches that are being answered, and those that wait.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const { running, waiting } = options.searching.count()
      searches.set({ state: 'answered' }, running)
      searches.set({ state: 'waiting' }, waiting)
    },
  })
  // One child counter for each class, looked up once: a labelled increment costs more than the whole hook.
  const byClass = [1, 2, 3, 4, 5].map((digit) => answers.labels(`${digit}xx`))
  const count = (status: number) => byClass[Math.floor(status / 100) - 1]?.inc()
  server.addHook('onResponse', (_request, reply, done) => {
    count(reply.statusCode)
    done()
  })
  addDatabaseGauge(registry, {
    name: 'octavo_jobs_given_up',
    help: 'Jobs that failed too often and wait for somebody to look at them.',
    count: () => countDeadJobs(read),
  })
  addDatabaseGauge(registry, {
    name: 'octavo_search_pages_unread',
    help: 'Pages whose texts are not in the search index, because they could not be read.',
    count: () => countFailedPages(read),
  })
  server.get('/metrics', async (request, reply) => {
    if (!hasToken(request, options.token) && !isLocalRequest(request.raw))
      throw new ApiError('metrics_closed')
    return reply
      .headers(noStore)
      .header('content-type', registry.contentType)
      .send(await registry.metrics())
  })
  return count
}

/** Adds a gauge that is read from the database with each scrape; while the database is away, only this gauge is left out. */
function addDatabaseGauge(
  registry: Registry,
  {
    name,
    help,
    count,
  }: { readonly name: string; readonly help: string; readonly count: () => Promise<number> },
): void {
  const gauge: Gauge = new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      try {
        gauge.set(await count())
      } catch {
        gauge.remove()
      }
    },
  })
}

function hasToken({ headers: { authorization = '' } }: FastifyRequest, token: string | undefined): boolean {
  if (token === undefined) return false
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(authorization), digest(`Bearer ${token}`))
}

const loopback = /^(?:127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+|localhost)$/
const forwarding = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
]

/**
 * Whether a request comes from this machine and names it as its host. A proxy on this machine adds a forwarding header
 * or names the public host; a page of another site whose name was made to lead here (DNS rebinding) names that site.
 */
function isLocalRequest({ socket, headers }: IncomingMessage): boolean {
  if (!loopback.test(socket.remoteAddress ?? '')) return false
  if (forwarding.some((name) => headers[name] !== undefined)) return false
  const host = (headers.host ?? '').replace(/:\d+$/, '').replace(/^\[|\]$/g, '')
  return loopback.test(host.toLowerCase())
}

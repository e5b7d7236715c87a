/** Figures for operators, in the text form that Prometheus reads; no names, no addresses, no ids. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Counter, Registry, collectDefaultMetrics } from 'prom-client'
import { ApiError } from '../contract/errors.js'
import { keptByNobody } from './headers.js'

interface MetricsDoor {
  /** Opens them to other machines. */
  readonly token: string | undefined
  /** The name by which everybody reaches this installation. */
  readonly ownHost: string
}

/** Counts all answers that pass the server's hooks; returns how to count one that does not. */
export function mountMetrics(server: FastifyInstance, door: MetricsDoor): (status: number) => void {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const answers = new Counter({
    name: 'octavo_http_responses_total',
    help: 'Answers by class of status.',
    labelNames: ['status'],
    registers: [registry],
  })
  // One child for each class, looked up once: a labelled increment costs more than the whole hook.
  const byClass = [1, 2, 3, 4, 5].map((digit) => answers.labels(`${digit}xx`))
  const count = (status: number) => byClass[Math.floor(status / 100) - 1]?.inc()
  server.addHook('onResponse', (_request, reply, done) => {
    count(reply.statusCode)
    done()
  })
  server.get('/metrics', async (request, reply) => {
    if (!isHolder(request, door.token) && !isOnThisMachine(request.raw, door.ownHost))
      throw new ApiError('metrics_closed')
    return reply
      .headers(keptByNobody)
      .header('content-type', registry.contentType)
      .send(await registry.metrics())
  })
  return count
}

function isHolder({ headers: { authorization = '' } }: FastifyRequest, token: string | undefined): boolean {
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

/** False for what a proxy on this machine hands on: it says so, or asks by the name that everybody uses. */
function isOnThisMachine({ socket, headers }: IncomingMessage, ownHost: string): boolean {
  if (!loopback.test(socket.remoteAddress ?? '')) return false
  if (forwarding.some((name) => headers[name] !== undefined)) return false
  const host = (headers.host ?? '').replace(/:\d+$/, '').replace(/^\[|\]$/g, '')
  return host !== ownHost || loopback.test(host)
}

/** Figures for operators, in the text form that Prometheus reads; no names, no addresses, no ids. */
import type { FastifyInstance } from 'fastify'
import { Counter, Registry, collectDefaultMetrics } from 'prom-client'

export function mountMetrics(server: FastifyInstance): void {
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
  server.addHook('onResponse', (_request, reply, done) => {
    byClass[Math.floor(reply.statusCode / 100) - 1]?.inc()
    done()
  })
  server.get('/metrics', async (_request, reply) =>
    reply.header('content-type', registry.contentType).send(await registry.metrics()),
  )
}

/** Figures for operators, in the text form that Prometheus reads; no names, no addresses, no ids. */
import type { FastifyInstance } from 'fastify'
import { Counter, Registry, collectDefaultMetrics } from 'prom-client'

/** Counts all answers that pass the server's hooks; returns how to count one that does not. */
export function mountMetrics(server: FastifyInstance): (status: number) => void {
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
  server.get('/metrics', async (_request, reply) =>
    reply.header('content-type', registry.contentType).send(await registry.metrics()),
  )
  return count
}

import { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestClient } from '../../../tests/test-client.js'
import { describeSqlite } from '../../../tests/engines.js'
import { createServer } from '../server.js'
import { routes } from './api.js'

describeSqlite('API reference', (engine) => {
  let server: FastifyInstance
  beforeAll(async () => {
    const { services, now } = await openTestClient(await engine.open())
    server = await createServer({ services, now, logLevel: 'error', isReady: () => true })
  })
  afterAll(() => server.close())

  const get = (url: string) => server.inject({ url, headers: { host: 'octavo.test' } })

  test('every operation and chapter has a page, without any setup', async () => {
    const start = await get('/docs/api')
    expect(start.statusCode).toBe(200)
    const links = [...start.body.matchAll(/href="(\/docs\/api\/[^"]+)"/g)].map(([, href]) => href!)
    const { endpoint } = routes.find((one) => one.endpoint.operationId === 'updateChangeRequestContent')!
    const chapters = new Set(routes.map((one) => one.endpoint.tag))
    expect(new Set(links).size).toBe(routes.length + chapters.size)
    const { body, headers } = await get(`/docs/api/${endpoint.operationId}`)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    for (const text of [endpoint.summary, 'class="openapi"', 'insert_page', 'curl', 'Bearer'])
      expect(body).toContain(text)
    // The page title contains it already.
    expect(body).not.toContain('class="openapi-summary"')
    for (const { endpoint: one } of routes) {
      const page = await get(`/docs/api/${one.operationId}`)
      expect([page.statusCode, page.body.includes('class="openapi"')], one.operationId).toEqual([200, true])
    }
  })

  test('a page takes no more at its first load than any other page may', async () => {
    const sizes = new Map<string, number>()
    async function sizeOf(url: string): Promise<number> {
      const headers = { host: 'octavo.test', 'accept-encoding': 'br' }
      if (!sizes.has(url)) sizes.set(url, (await server.inject({ url, headers })).rawPayload.length)
      return sizes.get(url)!
    }
    const firsts = [...new Map(routes.map(({ endpoint }) => [endpoint.tag, endpoint])).values()]
    const loads: number[] = []
    for (const { operationId } of firsts) {
      const url = `/docs/api/${operationId}`
      const assets = (await get(url)).body.matchAll(
        /(?:rel="stylesheet" href|<script type="module" src)="([^"]+)"/g,
      )
      let load = await sizeOf(url)
      for (const [, href] of assets) load += await sizeOf(href!)
      loads.push(load)
    }
    expect(loads.length).toBeGreaterThan(20)
    expect(Math.max(...loads)).toBeLessThan(25_000)
  })

  test('operations are found by words, and an empty result says so', async () => {
    const { body } = await get('/docs/api?q=merge+change')
    expect(body).toContain('href="/docs/api/mergeChangeRequest"')
    expect(body).toContain('id="mergeChangeRequest"')
    expect(body).not.toContain('id="getSpaceById"')
    const [, field] = /<form class="([^"]+)" action="\/docs\/api"/.exec(body)!
    const sheets = [...body.matchAll(/rel="stylesheet" href="([^"]+)"/g)].map(([, href]) => href!)
    const rules = await Promise.all(sheets.map(async (href) => (await get(href)).body))
    expect(rules.join('')).toContain(`.${field} input`)
    expect((await get('/docs/api?q=%3Cb%3E')).body).not.toContain('<b>')
    expect((await get('/docs/api/nothing')).statusCode).toBe(404)
  })
})

/** Events of sites: counted on their own pages, reported by renderers, and aggregated for administrators. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { describeEngines } from '../../../tests/engines.js'
import { openSiteClient } from '../../../tests/site-client.js'
import { makeVisitorToken } from '../../../tests/visitor-token.js'
import { unsupportedColumns, unsupportedFilters } from '../../contract/site-events.js'
import { maxRowsPerDay, maxRowsPerOldDay } from '../../resources/insights/event-store.js'
import { applyRetention } from '../../resources/insights/retention.js'

const day = 24 * 60 * 60 * 1000
const { schemas: clientSchemas } = JSON.parse(
  readFileSync(fileURLToPath(import.meta.resolve('gitbook-api-0.202/spec/openapi.json')), 'utf8'),
).components
const namedSchema = (one: { $ref?: string }) =>
  one.$ref === undefined ? one : clientSchemas[one.$ref.split('/').pop()!]
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0'
const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_6 like Mac OS X) AppleWebKit/605 Version/17 Mobile/15E148 Safari/604.1'

describeEngines('events of a site', (engine) => {
  async function openServer() {
    const database = await engine.open()
    return { database, client: await openSiteClient(database) }
  }
  let shared: ReturnType<typeof openServer> | undefined
  let sites = 0

  /** Opens a site of a new organization; `alone` on a server of its own, for tests that change the clock or tables. */
  async function open({ alone = false } = {}) {
    const { database, client } = await (alone ? openServer() : (shared ??= openServer()))
    const ann = await client.person(`ann${(sites += 1)}`)
    const acme = await client.organization(ann, `Acme ${sites}`)
    const { id: space, pages } = await client.space(ann, acme, 'Guide', [
      { slug: 'home', markdown: '# Home\n' },
      { slug: 'set-up', markdown: '# Set up\n' },
    ])
    const { id, base } = await client.publish(ann, acme, { title: 'Docs', spaces: [space] })
    const customizationPath = `/orgs/${acme}/sites/${id}/customization`
    const { body: customization } = await client.request(ann, 'GET', customizationPath)
    await client.request(ann, 'PUT', customizationPath, { ...customization, feedback: { enabled: true } })
    const at = `/orgs/${acme}/sites/${id}/insights`
    const sendEvent = async (
      path: string,
      form: Record<string, string>,
      headers: Record<string, string> = {},
    ) => {
      const answer = await client.server.inject({
        method: 'POST',
        url: `${base}~octavo/${path}`,
        headers: {
          host: 'octavo.test',
          'content-type': 'application/x-www-form-urlencoded',
          'sec-fetch-site': 'same-origin',
          'user-agent': firefox,
          ...headers,
        },
        payload: new URLSearchParams(form).toString(),
      })
      return answer.statusCode
    }
    const ask = (path: string, body: object) => client.request(ann, 'POST', `${at}/${path}`, body)
    /** Rows of an aggregation, each as its values. */
    const table = async (query: object) => {
      const answer = await ask('events/aggregate', { range: 'last7Days', ...query })
      expect(answer.status, answer.text).toBe(200)
      const [first] = answer.body.columns
      return first.values.map((_: unknown, row: number) =>
        answer.body.columns.map(({ values }: { values: unknown[] }) => values[row]),
      )
    }
    const structure = (await client.request(ann, 'GET', `/orgs/${acme}/sites/${id}/structure`)).body
    const siteSpace = structure.structure[0].id
    const event = (type: string, more: object = {}, session: object = {}) => ({
      type,
      session: {
        visitorId: 'somebody',
        sessionId: 'one',
        cookies: { session: 'never stored' },
        userAgent: phone,
        language: 'de-AT,de;q=0.9',
        referrer: 'https://www.example.com/from?who=ann',
        ...session,
      },
      location: {
        url: 'https://docs.example.com/set-up',
        siteSection: null,
        siteSpace,
        siteShareKey: null,
        space,
        revision: null,
        page: pages.get('set-up'),
      },
      ...more,
    })
    const flush = () => client.services.visitorEvents.flush(true)
    const rows = () =>
      database.read
        .selectFrom('site_events')
        .selectAll()
        .where('organization_id', '=', acme)
        .orderBy('hours')
        .orderBy('hour')
        .execute()
    return {
      client,
      database,
      ann,
      acme,
      id,
      base,
      at,
      space,
      pages,
      sendEvent,
      ask,
      table,
      siteSpace,
      event,
      flush,
      rows,
    }
  }

  test('are counted for opened search results and clicks on external links', async () => {
    const { sendEvent, table, flush, rows, space, pages } = await open()
    const link = 'shop.example.com'
    for (const [path, form, status] of [
      ['view/set-up', { query: '  Set   UP ' }, 204],
      ['view/set-up', { query: 'ann@example.com' }, 204],
      ['view/home', { link, position: 'footer' }, 204],
      // Values that no page of ours sends are counted as the nearest valid ones.
      ['view/home', { link, position: 'nowhere' }, 204],
      ['view/home', { link: 'no host' }, 204],
      ['view/nothing', { link }, 404],
    ] as const)
      expect(await sendEvent(path, form), JSON.stringify(form)).toBe(status)
    expect(await sendEvent('view/home', { link }, { 'sec-fetch-site': 'cross-site' })).toBe(403)
    for (const silent of [{ dnt: '1' }, { 'sec-gpc': '1' }, { 'user-agent': 'Googlebot/2.1' }])
      expect(await sendEvent('view/home', { link }, silent)).toBe(204)
    await flush()
    const groupBy = ['eventType', 'page', 'eventSearchQuery'].map((column) => ({ column }))
    const searched = [{ column: 'eventType', values: ['search_open_result'] }]
    const setUp = { page: pages.get('set-up'), space }
    expect(await table({ groupBy, where: searched })).toEqual(
      expect.arrayContaining([
        ['search_open_result', setUp, 'set up', 1],
        ['search_open_result', setUp, '', 1],
      ]),
    )
    const parts = ['page', 'eventLinkTargetKind', 'eventLinkTargetDomain', 'eventLinkPosition']
    const links = await table({
      groupBy: parts.map((column) => ({ column })),
      where: [{ column: 'eventType', values: ['link_click'] }],
    })
    const home = { page: pages.get('home'), space }
    expect(links).toHaveLength(3)
    expect(links).toEqual(
      expect.arrayContaining([
        [home, 'url', link, 'footer', 1],
        [home, 'url', link, 'content', 1],
        [home, 'url', null, 'content', 1],
      ]),
    )
    expect(JSON.stringify(await rows())).not.toContain('ann@')
  })

  test('are counted on its own pages, once a minute, without data that identifies readers', async () => {
    const { client, sendEvent, table, flush, rows, space, pages, base, siteSpace } = await open({
      alone: true,
    })
    expect(
      await sendEvent(
        'view/set-up',
        { referrer: 'news.example.com' },
        { 'accept-language': 'fr-CA,fr;q=0.8' },
      ),
    ).toBe(204)
    expect(await sendEvent('view/set-up', {}, { 'user-agent': phone })).toBe(204)
    expect(await sendEvent('view/home', {})).toBe(204)
    expect(await sendEvent('feedback/home', { rating: 'good' })).toBe(200)
    expect(await rows()).toEqual([])
    await flush()
    expect(
      await table({ groupBy: [{ column: 'page' }], where: [{ column: 'eventType', values: ['page_view'] }] }),
    ).toEqual([
      [{ page: pages.get('set-up'), space }, 2],
      [{ page: pages.get('home'), space }, 1],
    ])
    expect(
      await table({
        groupBy: ['visitorLanguage', 'referrerDomain', 'visitorDevice', 'visitorBrowser', 'visitorOS'].map(
          (column) => ({ column }),
        ),
        where: [{ column: 'page', values: [{ page: pages.get('set-up'), space }] }],
        order: { by: { column: 'visitorDevice' }, direction: 'asc' },
      }),
    ).toEqual([
      ['fr', 'news.example.com', 'desktop', 'firefox', 'linux', 1],
      [null, '', 'mobile', 'safari', 'ios', 1],
    ])
    expect(
      await table({
        select: ['eventsCount', 'visitorsCount', 'sessionsCount', 'pageFeedbackRating'].map((column) => ({
          column,
        })),
      }),
    ).toEqual([[4, 2, 2, { ok: 0, good: 1, bad: 0 }]])
    expect(await table({ groupBy: [{ column: 'siteSpace' }] })).toEqual([[siteSpace, 4]])
    const written = JSON.stringify(await rows())
    expect(written).not.toMatch(/127\.0\.0\.1|Mozilla/)
    // The same reader later, and a different one the next day.
    client.advance(31 * 60_000)
    await sendEvent('view/home', {})
    client.advance(day)
    await sendEvent('view/home', {})
    await flush()
    expect(await table({ select: [{ column: 'visitorsCount' }, { column: 'sessionsCount' }] })).toEqual([
      [3, 4],
    ])
    expect(base).toContain('/@')
  })

  test('are counted by the country that a proxy sends, and by no other', async () => {
    const { sendEvent, table, flush, rows } = await open()
    for (const country of ['de', 'DE', 'XX', 'T1', 'Germany', ''])
      await sendEvent('view/home', {}, { 'x-country': country })
    await sendEvent('view/home', {}, { 'cf-ipcountry': 'FR' })
    await flush()
    expect(await table({ groupBy: [{ column: 'visitorGeoCountry' }] })).toEqual([
      [null, 5],
      ['DE', 2],
    ])
    const written = await rows()
    expect(new Set(written.map(({ country }) => country))).toEqual(new Set([null, 'DE']))
    expect(JSON.stringify(written)).not.toContain('Germany')
  })

  test('are counted by the claims that the owner names, and by no others', async () => {
    const { client, ann, acme, id, at, sendEvent, table, flush, rows } = await open()
    const site = `/orgs/${acme}/sites/${id}`
    await client.request(ann, 'PATCH', site, { visibility: 'visitor-auth' })
    const { privateKey } = (await client.request(ann, 'GET', `${site}/publishing/auth`)).body
    const claims = { plan: 'pro', mail: 'ann@example.com' }
    const cookie = `octavo-visitor-token=${makeVisitorToken(privateKey, claims)}`
    const plans = { groupBy: [{ column: 'visitorClaim', claim: 'plan' }] }
    expect(await sendEvent('view/home', {}, { cookie })).toBe(204)
    await flush()
    expect(await table(plans)).toEqual([['', 1]])
    await client.request(ann, 'PATCH', `${at}/settings`, { claims: ['plan'] })
    expect(await sendEvent('view/home', {}, { cookie })).toBe(204)
    await flush()
    expect(await table({ ...plans, order: { by: plans.groupBy[0], direction: 'asc' } })).toEqual([
      ['', 1],
      ['pro', 1],
    ])
    expect(await table({ groupBy: [{ column: 'visitorAuthenticated' }] })).toEqual([[true, 2]])
    expect(JSON.stringify(await rows())).not.toContain('example.com')
    // Without a token there is no access, and nothing is counted.
    expect(await sendEvent('view/home', {})).toBe(404)
  })

  test.each([[{ dnt: '1' }], [{ 'sec-gpc': '1' }]])(
    'are not counted with opt-out headers: %j',
    async (no) => {
      const { client, base, sendEvent, flush, rows } = await open()
      const all = async (headers: Record<string, string>) => {
        expect(await sendEvent('view/home', {}, headers)).toBe(204)
        expect(await sendEvent('feedback/home', { rating: 'good' }, headers)).toBe(200)
        const found = await client.read(`${base}~octavo/search?q=set`, { 'user-agent': firefox, ...headers })
        expect(found.status).toBe(200)
        await flush()
      }
      await all(no)
      expect(await rows()).toEqual([])
      await all({})
      expect(await rows()).toHaveLength(3)
    },
  )

  test('are not counted with opt-out headers, for bots, and where the site counts nothing', async () => {
    const { client, ann, acme, id, sendEvent, table, flush, ask, event } = await open()
    await sendEvent('view/home', {}, { dnt: '1' })
    await sendEvent('view/home', {}, { 'sec-gpc': '1' })
    await sendEvent('view/home', {}, { 'user-agent': 'Googlebot/2.1' })
    await flush()
    expect(await table({})).toEqual([[0]])
    const at = `/orgs/${acme}/sites/${id}/customization`
    const { body } = await client.request(ann, 'GET', at)
    await client.request(ann, 'PUT', at, { ...body, insights: { trackingCookie: false } })
    expect((await ask('events', { events: [event('page_view')] })).status).toBe(204)
    await client.request(ann, 'PUT', at, body)
    await client.request(ann, 'POST', `/orgs/${acme}/sites/${id}/unpublish`)
    expect((await ask('events', { events: [event('page_view')] })).status).toBe(204)
    await flush()
    expect(await table({})).toEqual([[0]])
    await client.request(ann, 'POST', `/orgs/${acme}/sites/${id}/publish`)
    await ask('events', { events: [event('page_view')] })
    await flush()
    expect(await table({})).toEqual([[1]])
  })

  test('searches are counted once they are typed, without personal data', async () => {
    const { client, base, table, flush } = await open()
    const search = async (q: string) =>
      expect(
        (await client.read(`${base}~octavo/search?q=${encodeURIComponent(q)}`, { 'user-agent': firefox }))
          .status,
      ).toBe(200)
    for (const q of ['s', 'set', 'Set  up', 'set up', 'install', 'ann@example.com']) await search(q)
    await flush()
    expect(
      await table({
        groupBy: [{ column: 'eventSearchQuery' }],
        order: { by: { column: 'eventSearchQuery' }, direction: 'asc' },
      }),
    ).toEqual([
      ['', 1],
      ['install', 1],
      ['set up', 1],
    ])
  })

  test('reads by programs are counted by the server, each time', async () => {
    const { client, ann, acme, id, base, space, siteSpace, table, flush, rows } = await open()
    const update = '{% update date="2026-01-01" %}\nNew.\n{% endupdate %}'
    const markdown = `# News\n\n{% updates format="full" %}\n${update}\n{% endupdates %}\n`
    const news = { operation: 'insert_page', ref: 'news', slug: 'news', document: { markdown } }
    await client.change(ann, space, [news])
    const claude = { 'user-agent': 'Claude-User/1.0' }
    const read = async (path: string, headers: Record<string, string> = claude, method?: 'HEAD') =>
      (await client.read(base + path, headers, method)).status
    const send = (payload: string, headers: Record<string, string> = claude) =>
      client.server.inject({
        method: 'POST',
        url: `${base}~octavo/mcp`,
        headers: {
          host: 'octavo.test',
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
        payload,
      })
    const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    for (const path of ['llms.txt', 'llms.txt', 'llms-full.txt', 'news/rss.xml', 'news/rss.xml'])
      expect([path, await read(path)]).toEqual([path, 200])
    expect((await send(list)).statusCode).toBe(200)
    // Other paths, missing pages, invalid messages, and HEAD requests.
    for (const path of ['news', 'news.md', 'robots.txt', 'sitemap.xml']) expect(await read(path)).toBe(200)
    expect(await read('home/rss.xml')).toBe(404)
    expect(await read('llms.txt', claude, 'HEAD')).toBe(200)
    expect((await send('no message')).statusCode).toBe(400)
    // Opt-out headers, or no user agent.
    for (const no of [{ dnt: '1' }, { 'sec-gpc': '1' }, { 'user-agent': '' }]) {
      expect(await read('llms.txt', { ...claude, ...no })).toBe(200)
      expect((await send(list, { ...claude, ...no })).statusCode).toBe(200)
    }
    await flush()
    const groupBy = ['eventType', 'visitorBot', 'displayContext', 'siteSpace'].map((column) => ({ column }))
    const order = { by: { column: 'eventType' }, direction: 'asc' }
    expect(await table({ groupBy, order })).toEqual([
      ['llms_request', 'anthropic', 'site', siteSpace, 3],
      ['mcp_request', 'anthropic', 'mcp', siteSpace, 1],
      ['rss_request', 'anthropic', 'site', siteSpace, 2],
    ])
    const at = `/orgs/${acme}/sites/${id}/customization`
    const { body } = await client.request(ann, 'GET', at)
    await client.request(ann, 'PUT', at, { ...body, insights: { trackingCookie: false } })
    const before = await rows()
    expect([await read('llms.txt'), (await send(list)).statusCode]).toEqual([200, 200])
    await flush()
    expect(await rows()).toEqual(before)
  })

  test('are reported by renderers, with the token that they read the site with', async () => {
    const { client, ann, acme, id, at, table, flush, event, rows, space, pages } = await open({ alone: true })
    const { urls } = (await client.request(ann, 'GET', `/orgs/${acme}/sites/${id}`)).body
    const { apiToken } = (await client.request(null, 'POST', '/urls/published', { url: urls.published })).body
    const reader = { id: ann.id, token: apiToken }
    const events = [
      event('page_view'),
      event('page_view', {}, { visitorId: 'else' }),
      event('search_type_query', { query: 'Keys' }),
      event('ask_question', { query: 'How?' }),
      event('page_post_feedback', { feedback: { rating: 'bad' } }),
      event('ask_rate_response', { rating: -1, query: 'How?', responseId: 'one' }),
      event('link_click', {
        link: { target: { kind: 'url', url: 'https://shop.example.com/?who=ann' }, position: 'header' },
      }),
      event('api_client_request', { operation: { method: 'GET', path: '/pets' } }),
    ]
    const answer = await client.request(reader, 'POST', `${at}/events`, { events })
    expect([answer.status, answer.text]).toEqual([204, ''])
    await flush()
    expect(await table({ groupBy: [{ column: 'eventType' }] })).toHaveLength(7)
    expect(
      await table({
        select: ['visitorsCount', 'pageFeedbackRating', 'askResponseRating'].map((column) => ({ column })),
      }),
    ).toEqual([[2, { ok: 0, good: 0, bad: 1 }, { positive: 0, negative: 1 }]])
    expect(
      await table({
        groupBy: ['eventLinkTargetKind', 'eventLinkTargetDomain', 'eventLinkPosition'].map((column) => ({
          column,
        })),
        where: [{ column: 'eventType', values: ['link_click'] }],
      }),
    ).toEqual([['url', 'shop.example.com', 'header', 1]])
    expect(
      await table({
        groupBy: [{ column: 'eventAPIOperationMethod' }, { column: 'eventAPIOperationPath' }],
        where: [{ column: 'eventType', values: ['api_client_request'] }],
      }),
    ).toEqual([['get', '/pets', 1]])
    expect(await table({ groupBy: [{ column: 'referrerDomain' }, { column: 'visitorLanguage' }] })).toEqual([
      ['example.com', 'de', 8],
    ])
    expect(JSON.stringify(await rows())).not.toMatch(/\bann\d*\b|somebody|never stored|Mozilla/)
    // Forbidden for readers.
    expect(
      (await client.request(reader, 'POST', `${at}/events/aggregate`, { range: 'last7Days' })).status,
    ).toBe(403)
    const bob = await client.person('bob')
    await client.join(acme, bob, 'review')
    expect((await client.request(bob, 'POST', `${at}/events/aggregate`, { range: 'last7Days' })).status).toBe(
      403,
    )
    expect((await client.request(bob, 'PATCH', `${at}/settings`, { days: 1 })).status).toBe(403)
    // A token of somebody else counts as none: the site is open.
    expect(
      (await client.request(await client.person('eve'), 'POST', `${at}/events`, { events: [] })).status,
    ).toBe(204)
    // Views of a page that is there are in the list of pages, too.
    const { body } = await client.request(ann, 'GET', `${at}/pages?from=2026-01-01&to=2026-01-01`)
    expect(body.items).toEqual([expect.objectContaining({ space, page: pages.get('set-up'), views: 2 })])
  })

  test.each([
    [{ query: undefined }, 'search_type_query', 'events[0].query'],
    [{ timestamp: '2025-12-01T00:00:00Z' }, 'page_view', 'events[0].timestamp'],
    [{ timestamp: '2027-12-01T00:00:00Z' }, 'page_view', 'events[0].timestamp'],
    [{ location: { siteSpace: 'elsewhere' } }, 'page_view', 'location.siteSpace'],
    [{ location: { space: 'elsewhere' } }, 'page_view', 'location.space'],
    [{ location: { siteSection: 'elsewhere' } }, 'page_view', 'location.siteSection'],
    [{}, 'no_such_type', 'type'],
  ])('is refused where it says too little or something else: %j', async (more, type, member) => {
    const { ask, event } = await open()
    const plain = event(type)
    const { location = {}, ...rest } = more as { location?: object }
    const wrong = { ...plain, ...rest, location: { ...plain.location, ...location } }
    const answer = await ask('events', { events: [wrong] })
    expect(answer.status).toBe(400)
    expect(answer.text).toContain(member)
  })

  test.each([
    [{ range: { from: '2026-02-01T00:00:00Z', to: '2026-01-01T00:00:00Z' } }, 'range'],
    [{ range: { from: '2024-02-01T00:00:00Z', to: '2026-01-01T00:00:00Z' } }, 'range'],
    [{ groupBy: [{ column: 'visitorClaim' }] }, 'claim'],
    [{ where: [{ column: 'eventType', operator: 'lessThan', values: ['page_view'] }] }, 'where[0].operator'],
    [{ where: [{ column: 'datetime', operator: 'lessThan', values: [] }] }, 'where[0].values'],
    [{ where: [{ column: 'datetime', values: ['noon'] }] }, 'where[0].values'],
    [{ where: [{ column: 'page', values: ['home'] }] }, 'where[0].values'],
    [{ where: [{ column: 'eventsCount', values: ['many'] }] }, 'where[0].values'],
    [{ where: [{ column: 'visitorOS', values: [{}] }] }, 'where[0].values'],
    [{ order: { by: { column: 'page' }, direction: 'asc' } }, 'order.by'],
    [{ select: [{ column: 'nothing' }] }, 'select'],
    [{ select: [{ column: 'url' }] }, 'the member "select[0].column" names "url": pages are counted'],
    [{ groupBy: [{ column: 'page' }, { column: 'utmSource' }] }, '"groupBy[1].column" names "utmSource": of'],
    [
      { where: [{ column: 'referrer', values: [] }] },
      '"where[0].column" names "referrer": hosts are counted',
    ],
    [{ where: [{ column: 'pageFeedbackRating', values: [] }] }, 'filter by "eventPageFeedbackRating"'],
    [
      { order: { by: { column: 'siteShareKey' }, direction: 'asc' } },
      '"order.by.column" names "siteShareKey"',
    ],
  ])('are not aggregated by invalid queries: %j', async (query, member) => {
    const { ask } = await open()
    const answer = await ask('events/aggregate', { range: 'last7Days', ...query })
    expect(answer.status).toBe(400)
    expect(answer.body.error.message).toContain(member)
  })

  test('are aggregated by each column that clients know, or refused with its name', async () => {
    const { ask } = await open()
    const known = (name: 'Column' | 'Values'): string[] =>
      clientSchemas[`SiteInsightsQueryEvents${name}`].oneOf.flatMap(
        (one: { $ref?: string }) => namedSchema(one).properties.column.enum,
      )
    const [columns, filters] = [known('Column'), known('Values')]
    expect(columns.length).toBeGreaterThan(40)
    const claimed = (column: string) => ({ column, ...(column === 'visitorClaim' && { claim: 'plan' }) })
    for (const column of columns) {
      const answer = await ask('events/aggregate', { range: 'last7Days', select: [claimed(column)] })
      const isSupported = !unsupportedColumns.has(column)
      expect([column, answer.status]).toEqual([column, isSupported ? 200 : 400])
      if (!isSupported) expect(answer.body.error.message).toContain(`names "${column}": `)
    }
    for (const column of filters) {
      const where = [{ ...claimed(column), values: [] }]
      const answer = await ask('events/aggregate', { range: 'last7Days', where })
      expect([column, answer.status]).toEqual([column, unsupportedFilters.has(column) ? 400 : 200])
    }
  })

  test('are aggregated by time, by claims that the site names, and with comparisons', async () => {
    const { client, ann, at, ask, event, table, flush } = await open({ alone: true })
    const settings = { object: 'site-insights-settings', days: 400, claims: [] }
    expect((await client.request(ann, 'GET', `${at}/settings`)).body).toEqual(settings)
    const claims = { plan: 'pro', secret: 'ann@example.com' }
    await ask('events', { events: [event('page_view', {}, { visitorAuthClaims: claims })] })
    const settingsAnswer = await client.request(ann, 'PATCH', `${at}/settings`, { claims: ['plan'] })
    expect(settingsAnswer.body).toEqual({ ...settings, claims: ['plan'] })
    const reported = ['pro', 'pro', 'free'].map((plan, index) =>
      event('page_view', {}, { visitorId: plan + index, visitorAuthClaims: { ...claims, plan } }),
    )
    await ask('events', { events: reported })
    client.advance(2 * 60 * 60_000)
    await ask('events', { events: [event('search_open')] })
    await flush()
    expect(
      await table({
        groupBy: [{ column: 'visitorClaim', claim: 'plan' }, { column: 'visitorAuthenticated' }],
      }),
    ).toEqual([
      ['pro', true, 2],
      ['', null, 1],
      ['', true, 1],
      ['free', true, 1],
    ])
    expect(await table({ groupBy: [{ column: 'datetime', interval: 'hour' }] })).toEqual([
      ['2026-01-01T00:00:00.000Z', 4],
      ['2026-01-01T02:00:00.000Z', 1],
    ])
    for (const [interval, start] of [
      ['day', '2026-01-01'],
      ['week', '2025-12-29'],
      ['month', '2026-01-01'],
    ])
      expect(await table({ groupBy: [{ column: 'datetime', interval }] })).toEqual([
        [`${start}T00:00:00.000Z`, 5],
      ])
    expect(await table({ groupBy: [{ column: 'dayOfWeek' }, { column: 'hourOfDay' }] })).toEqual([
      [4, 0, 4],
      [4, 2, 1],
    ])
    const hours = { groupBy: [{ column: 'datetime' }] }
    expect(
      await table({ ...hours, where: [{ column: 'eventsCount', operator: 'greaterThan', values: [1] }] }),
    ).toHaveLength(1)
    const noon = { column: 'datetime', operator: 'greaterThanOrEqual', values: ['2026-01-01T01:00:00Z'] }
    expect(await table({ ...hours, where: [noon] })).toEqual([['2026-01-01T02:00:00.000Z', 1]])
    expect(
      await table({ where: [{ column: 'eventType', operator: 'notIn', values: ['page_view'] }] }),
    ).toEqual([[1]])
    expect(await table({ ...hours, limit: 1 })).toHaveLength(1)
  })

  test('a flood of events is a bounded number of rows, without losing counts', async () => {
    const { client, database, ask, event, table, flush, rows } = await open({ alone: true })
    let reported = 0
    for (let turn = 0; turn < 3; turn++) {
      for (let call = 0; call < 20; call++) {
        const events = Array.from({ length: 100 }, (_, index) =>
          event(
            'search_open_result',
            { query: `word ${turn} ${call} ${index}` },
            { visitorId: `${turn} ${call} ${index}` },
          ),
        )
        expect((await ask('events', { events })).status).toBe(204)
        reported += events.length
      }
      await flush()
    }
    expect(await table({})).toEqual([[reported]])
    expect((await rows()).length).toBeLessThanOrEqual(maxRowsPerDay + 2)
    client.advance(40 * day)
    await applyRetention(database, client.now(), new AbortController().signal)
    const folded = await rows()
    expect(folded.length).toBeLessThanOrEqual(maxRowsPerOldDay + 2)
    expect(new Set(folded.map(({ hours }) => hours))).toEqual(new Set([24]))
    expect(await table({ range: 'last3Months' })).toEqual([[reported]])
  })

  test('that could not be written are counted later, and only once', async () => {
    const { database, ask, event, flush, rows } = await open({ alone: true })
    await database.write((tx) => sql`alter table site_events rename to site_events_away`.execute(tx))
    for (let minute = 0; minute < 2; minute += 1) {
      await ask('events', { events: [event('page_view')] })
      await expect(flush()).rejects.toThrow('site_events')
    }
    await database.write((tx) => sql`alter table site_events_away rename to site_events`.execute(tx))
    await flush()
    await flush()
    expect((await rows()).reduce((sum, { events }) => sum + events, 0)).toBe(2)
  })

  test('are stored for the retention of the site, and removed with it', async () => {
    const { client, database, ann, acme, id, at, ask, event, flush, rows } = await open({ alone: true })
    await ask('events', { events: [event('page_view')] })
    await flush()
    await client.request(ann, 'PATCH', `${at}/settings`, { days: 2 })
    const { signal } = new AbortController()
    client.advance(2 * day)
    await applyRetention(database, client.now(), signal)
    expect(await rows()).toHaveLength(1)
    client.advance(day)
    await applyRetention(database, client.now(), signal)
    expect(await rows()).toEqual([])
    await ask('events', { events: [event('page_view')] })
    await flush()
    expect(await rows()).toHaveLength(1)
    await ask('events', { events: [event('page_view')] })
    expect((await client.request(ann, 'DELETE', `/orgs/${acme}/sites/${id}`)).status).toBe(205)
    await flush()
    expect(await rows()).toEqual([])
  })
})

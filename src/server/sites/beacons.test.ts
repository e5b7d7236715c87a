/** Beacons of readers: feedback and page views sent by pages, as the site's administrators see them. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { describeSqlite } from '../../../tests/engines.js'
import { openSiteClient } from '../../../tests/site-client.js'
import { plainCustomization } from '../../../tests/customization/samples.js'
import { createPageViews } from '../../resources/insights/page-views.js'

const sameOriginHeaders = { 'sec-fetch-site': 'same-origin', 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64)' }

describeSqlite('beacons of a page', (engine) => {
  async function open(settings: object = { feedback: { enabled: true } }) {
    const database = await engine.open()
    const client = await openSiteClient(database)
    const ann = await client.person('ann')
    const acme = await client.organization(ann)
    const { id: space, pages } = await client.space(ann, acme, 'Guide', [
      { slug: 'home', markdown: '# Home\n' },
      { slug: 'set-up', markdown: '# Set up\n' },
    ])
    const { id, base } = await client.publish(ann, acme, { title: 'Docs', spaces: [space] })
    const at = `/orgs/${acme}/sites/${id}`
    const set = await client.request(ann, 'PUT', `${at}/customization`, {
      ...plainCustomization,
      ...settings,
    })
    expect(set.status, set.text).toBe(200)
    const list = async (path: string) => (await client.request(ann, 'GET', `${at}/insights/${path}`)).body
    const sendBeacon = async (
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
          ...sameOriginHeaders,
          ...headers,
        },
        payload: new URLSearchParams(form).toString(),
      })
      return { status: answer.statusCode, text: answer.body, headers: answer.headers }
    }
    return { client, database, ann, acme, id, at, space, pages, base, list, sendBeacon }
  }

  test('feedback is requested at the end of a page, stored once for each reader, and listed', async () => {
    const { client, base, list, sendBeacon, space, pages } = await open()
    const { text } = await client.read(`${base}set-up`)
    expect(text).toContain('Was this page helpful?')
    const action = /<form class="feedback" method="post" action="([^"]+)"/.exec(text)?.[1]
    expect(action).toBe(`${base}~octavo/feedback/set-up`)

    const rated = await sendBeacon('feedback/set-up', { rating: 'bad' })
    expect(rated.status).toBe(200)
    expect(rated.headers['set-cookie']).toBeUndefined()
    expect(rated.text).toMatch(/<input type="hidden" name="rating" value="bad">/)
    const answer = await sendBeacon('feedback/set-up', { rating: 'ok', comment: '  Say <b>why</b>. ' })
    expect(answer.text).toMatch(/<p class="feedback" role="status"/)
    await sendBeacon('feedback/set-up', { rating: 'good' }, { 'user-agent': 'Another' })
    await sendBeacon('feedback/home', { rating: 'good' })

    const page = pages.get('set-up')
    const { items, count } = await list('feedback')
    expect(count).toBe(3)
    expect(items.map((one: { id: string }) => one.id)).toHaveLength(
      new Set(items.map((one: { id: string }) => one.id)).size,
    )
    expect(items).toContainEqual({
      object: 'page-feedback',
      id: expect.any(String),
      createdAt: expect.any(String),
      space,
      page,
      rating: 'ok',
      comment: 'Say <b>why</b>.',
    })
    expect((await list('feedback?rating=good')).count).toBe(2)
    expect((await list('feedback?commented=true')).count).toBe(1)
    const figures = (await list('pages')).items
    expect(figures).toContainEqual({
      object: 'page-insights',
      space,
      page,
      views: 0,
      feedback: { good: 1, ok: 1, bad: 0 },
    })
  })

  test('feedback is refused from other origins, for missing pages, and where it is disabled', async () => {
    const { sendBeacon, list, client, ann, at } = await open()
    expect(
      (await sendBeacon('feedback/set-up', { rating: 'good' }, { 'sec-fetch-site': 'cross-site' })).status,
    ).toBe(403)
    expect((await sendBeacon('feedback/nowhere', { rating: 'good' })).status).toBe(404)
    expect((await sendBeacon('feedback/set-up', { rating: 'great' })).status).toBe(400)
    expect((await sendBeacon('feedback/set-up', { rating: 'good', comment: 'x'.repeat(9_000) })).status).toBe(
      413,
    )
    await client.request(ann, 'PATCH', at, { visibility: 'visitor-auth' })
    expect((await sendBeacon('feedback/set-up', { rating: 'good' })).status).toBe(404)
    await client.request(ann, 'PATCH', at, { visibility: 'public' })
    await client.request(ann, 'POST', `${at}/unpublish`)
    expect((await sendBeacon('feedback/set-up', { rating: 'good' })).status).toBe(404)
    expect((await list('feedback')).count).toBe(0)
    const silent = await open({ feedback: { enabled: false } })
    expect((await silent.sendBeacon('feedback/set-up', { rating: 'good' })).status).toBe(404)
    expect((await silent.client.read(`${silent.base}set-up`)).text).not.toContain('helpful')
  })

  test('feedback is limited by IP address, and truncated where it is long', async () => {
    const { sendBeacon, list } = await open()
    await sendBeacon('feedback/set-up', { rating: 'bad', comment: 'ü'.repeat(600) })
    expect((await list('feedback')).items[0].comment).toBe('ü'.repeat(512))
    const statuses = new Set<number>()
    for (let count = 0; count < 31; count++)
      statuses.add((await sendBeacon('feedback/home', { rating: 'ok' })).status)
    expect([...statuses]).toEqual([200, 429])
  })

  test('views are counted by day, without bots and without pages that only one reader could request', async () => {
    const { client, database, acme, base, sendBeacon, list, space, pages } = await open()
    expect((await client.read(`${base}set-up`)).text).toContain(`data-view="${base}~octavo/view/set-up"`)
    for (const headers of [{}, {}, { 'user-agent': 'Another' }, { 'user-agent': 'Somebot/1.0' }])
      expect((await sendBeacon('view/set-up', {}, headers)).status).toBe(204)
    for (let count = 0; count < 100; count++) await sendBeacon('view/home', {}, { 'user-agent': 'Greedy' })
    expect((await sendBeacon('view/nowhere', {})).status).toBe(404)
    expect((await sendBeacon('view/home', {}, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await list('pages')).count).toBe(0)
    // Counted views are written before the process ends.
    await client.server.close()
    const written = await database.read
      .selectFrom('page_views')
      .select(['page_id', 'space_id', 'views'])
      .where('organization_id', '=', acme)
      .orderBy('views')
      .execute()
    expect(written).toEqual([
      { page_id: pages.get('set-up'), space_id: space, views: 3 },
      { page_id: pages.get('home'), space_id: space, views: 60 },
    ])
  })

  test('views that could not be written are counted later, and only once', async () => {
    const { database, acme, id, space, pages } = await open()
    const now = Date.UTC(2030, 0, 2)
    const views = createPageViews(database)
    const read = {
      organizationId: acme,
      siteId: id as never,
      spaceId: space as never,
      pageId: pages.get('home') as never,
    }
    const written = async () =>
      (
        await database.read
          .selectFrom('page_views')
          .select('views')
          .where('organization_id', '=', acme)
          .execute()
      ).map(({ views }) => views)
    await database.write((tx) => sql`alter table page_views rename to page_views_away`.execute(tx))
    for (let minute = 0; minute < 2; minute += 1) {
      views.count(read, now)
      await expect(views.flush(now)).rejects.toThrow('page_views')
    }
    await database.write((tx) => sql`alter table page_views_away rename to page_views`.execute(tx))
    expect(await written()).toEqual([])
    await views.flush(now)
    await views.flush(now)
    expect(await written()).toEqual([2])
  })

  test('views of a deleted site are dropped, and those of others are stored', async () => {
    const { database, client, acme, id, space, pages, ann, at, list } = await open()
    const day = 24 * 60 * 60 * 1000
    let now = Date.UTC(2030, 0, 2)
    const views = createPageViews(database)
    const read = {
      organizationId: acme,
      siteId: id as never,
      spaceId: space as never,
      pageId: pages.get('home') as never,
    }
    views.count({ ...read, siteId: 'gone' as never }, now)
    views.count(read, now)
    await views.flush(now)
    views.count(read, now)
    now += day
    views.count(read, now)
    await views.flush(now)
    const days = async () =>
      (
        await database.read
          .selectFrom('page_views')
          .select(['day', 'views'])
          .where('organization_id', '=', acme)
          .orderBy('day')
          .execute()
      ).map(({ views }) => views)
    expect(await days()).toEqual([2, 1])
    expect((await list('pages?from=2030-01-02&to=2030-01-02')).items[0].views).toBe(2)
    expect((await list('pages?from=2030-01-01&to=2030-02-01')).items[0].views).toBe(3)
    for (const wrong of ['from=2030-02-01&to=2030-01-01', 'from=2030-13-01', 'from=2028-01-01&to=2030-01-01'])
      expect((await client.request(ann, 'GET', `${at}/insights/pages?${wrong}`)).status, wrong).toBe(400)
    now += 401 * day
    views.count(read, now)
    await views.flush(now)
    expect(await days()).toEqual([1])
    expect((await client.request(ann, 'DELETE', at)).status).toBe(205)
    expect(await days()).toEqual([])
  })
})

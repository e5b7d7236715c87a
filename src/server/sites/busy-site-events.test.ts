/** Aggregation of events on sites with many events: its cost for the caller, and for concurrent requests. */
import type { KyselyPlugin } from 'kysely'
import { expect, test } from 'vitest'
import { describeSqlite } from '../../../tests/engines.js'
import { openSiteClient } from '../../../tests/site-client.js'
import { chunks } from '../../core/group.js'
import type { SiteId } from '../../core/ids.js'
import { aggregation } from '../../resources/insights/aggregate.js'
import { maxRowsPerDay, maxRowsPerOldDay } from '../../resources/insights/event-store.js'
import { type EventRow, withKey, noDimensions } from '../../resources/insights/rollup.js'
import { runQueued, maxWaitingPerOrganization } from '../../resources/insights/query-queue.js'

/** The 1st of January 2026, in days since 1970. */
const today = 20_454
const aYear = { from: '2025-01-01T00:00:00Z', to: '2026-01-01T00:00:00Z' }
const { signal } = new AbortController()

describeSqlite('events of a busy site', (engine) => {
  async function open() {
    const database = await engine.open()
    const client = await openSiteClient(database)
    const ann = await client.person('ann')
    const acme = await client.organization(ann)
    const { id: space } = await client.space(ann, acme, 'Guide', [{ slug: 'home', markdown: '# Home\n' }])
    const { id } = await client.publish(ann, acme, { title: 'Docs', spaces: [space] })
    const site = { organization_id: acme, id: id as SiteId }
    /** Inserts this many kinds of events of a day, each counted twice. */
    const insertEvents = async (day: number, hours: 1 | 24, count: number) => {
      const rows: EventRow[] = Array.from({ length: count }, (_, index) =>
        withKey({
          organization_id: acme,
          site_id: site.id,
          hours,
          hour: day * 24 + (index % (24 / hours)),
          type: 'search_type_query',
          ...noDimensions,
          context: 'site',
          detail: JSON.stringify({ query: `word ${index}` }),
          events: 2,
          visitors: 0,
          sessions: 0,
        }),
      )
      await database.write(async (tx) => {
        for (const part of chunks(rows, 500)) await tx.insertInto('site_events').values(part).execute()
      })
    }
    return { client, database, ann, site, insertEvents }
  }

  test('are read in steps of as many rows as a day may have, each row once', async () => {
    const { database, site, insertEvents } = await open()
    // Two days have more rows than one may have, and so have seven old ones.
    for (let day = 1; day <= 2; day++) await insertEvents(today - day, 1, 1.55 * maxRowsPerDay)
    for (let day = 40; day < 47; day++) await insertEvents(today - day, 24, 2.6 * maxRowsPerOldDay)
    const results: number[] = []
    const counting: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        results.push(result.rows.length)
        return result
      },
    }
    const db = database.read.withPlugin(counting)
    const groupBy = [{ column: 'datetime' }, { column: 'eventSearchQuery' }] as const
    const answer = aggregation({ range: aYear, groupBy: [...groupBy], limit: 10 }, 0)
    const { columns } = await answer({ db, site, signal })
    expect(columns.map(({ values }) => values.length)).toEqual([10, 10, 10])
    const rows = 2 * 1.55 * maxRowsPerDay + 7 * 2.6 * maxRowsPerOldDay
    // The first statement finds the first day with hourly rows.
    expect(results[0]).toBe(1)
    expect(results.slice(1).reduce((sum, count) => sum + count)).toBe(rows)
    expect(Math.max(...results)).toBeLessThanOrEqual(3 * maxRowsPerDay)
    expect(results.length).toBeLessThan(365 / 5)
    const all = await aggregation({ range: aYear }, 0)({ db: database.read, site, signal })
    expect(all.columns).toEqual([{ column: 'eventsCount', values: [2 * rows] }])
  })

  test('are refused where an aggregation is too large, with a hint for a smaller one', async () => {
    const { database, site, insertEvents } = await open()
    await insertEvents(today - 1, 1, 100)
    const query = { range: aYear, groupBy: [{ column: 'eventSearchQuery' as const }] }
    const ask = (limits: { values: number; characters: number }) =>
      aggregation(query, 0, limits)({ db: database.read, site, signal })
    const values = { values: 100, characters: 100_000 }
    expect((await ask(values)).columns[1]!.values).toHaveLength(100)
    await expect(ask({ ...values, values: 99 })).rejects.toThrow('too many values: a shorter range')
    await expect(ask({ ...values, characters: 20_000 })).rejects.toThrow('too many groups: a shorter range')
    const abortedSignal = AbortSignal.abort()
    await expect(aggregation(query, 0)({ db: database.read, site, signal: abortedSignal })).rejects.toThrow(
      'left',
    )
  })

  test('are aggregated one request at a time in an organization, without blocking others', async () => {
    const { client, ann, site } = await open()
    const path = `/orgs/${site.organization_id}/sites/${site.id}/insights/events/aggregate`
    const ask = () => client.request(ann, 'POST', path, { range: 'last7Days' })
    let release = () => {}
    const blocked = new Promise<void>((resolve) => (release = resolve))
    let inside = 0
    const work = async () => {
      inside++
      await blocked
    }
    const asking = Array.from({ length: 1 + maxWaitingPerOrganization }, () =>
      runQueued(site.organization_id, signal, work),
    )
    const refused = await ask()
    expect(inside).toBe(1)
    expect([refused.status, refused.text]).toEqual([429, expect.stringContaining('ask again in a moment')])
    const bob = await client.person('bob')
    const other = await client.organization(bob)
    expect(await runQueued(other, signal, async () => 'answered')).toBe('answered')
    release()
    await Promise.all(asking)
    expect(inside).toBe(1 + maxWaitingPerOrganization)
    expect((await ask()).status).toBe(200)
  })
})

/** What a crowded site costs those who ask what its readers do, and everybody else meanwhile. */
import type { KyselyPlugin } from 'kysely'
import { expect, test } from 'vitest'
import { describeSqlite } from '../../../tests/engines.js'
import { openSiteDoor } from '../../../tests/sites.js'
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

describeSqlite('what readers of a crowded site do', (engine) => {
  async function open() {
    const database = await engine.open()
    const client = await openSiteDoor(database)
    const ann = await client.person('ann')
    const acme = await client.organization(ann)
    const { id: space } = await client.space(ann, acme, 'Guide', [{ slug: 'home', markdown: '# Home\n' }])
    const { id } = await client.publish(ann, acme, { title: 'Docs', spaces: [space] })
    const site = { organization_id: acme, id: id as SiteId }
    /** Writes so many kinds of events of a day, each of which happened twice. */
    const crowd = async (day: number, hours: 1 | 24, count: number) => {
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
    return { door: client, database, ann, site, crowd }
  }

  test('is read in steps of as many rows as a day may have, each row once', async () => {
    const { database, site, crowd } = await open()
    // Two days are more rows than one may have, and so are seven old ones.
    for (let day = 1; day <= 2; day++) await crowd(today - day, 1, 1.55 * maxRowsPerDay)
    for (let day = 40; day < 47; day++) await crowd(today - day, 24, 2.6 * maxRowsPerOldDay)
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
    // The first statement finds the first day whose hours are told apart.
    expect(results[0]).toBe(1)
    expect(results.slice(1).reduce((sum, count) => sum + count)).toBe(rows)
    expect(Math.max(...results)).toBeLessThanOrEqual(3 * maxRowsPerDay)
    expect(results.length).toBeLessThan(365 / 5)
    const all = await aggregation({ range: aYear }, 0)({ db: database.read, site, signal })
    expect(all.columns).toEqual([{ column: 'eventsCount', values: [2 * rows] }])
  })

  test('is refused where it takes too much, with what would take less', async () => {
    const { database, site, crowd } = await open()
    await crowd(today - 1, 1, 100)
    const asked = { range: aYear, groupBy: [{ column: 'eventSearchQuery' as const }] }
    const ask = (most: { values: number; characters: number }) =>
      aggregation(asked, 0, most)({ db: database.read, site, signal })
    const values = { values: 100, characters: 100_000 }
    expect((await ask(values)).columns[1]!.values).toHaveLength(100)
    await expect(ask({ ...values, values: 99 })).rejects.toThrow('too many values: a shorter range')
    await expect(ask({ ...values, characters: 20_000 })).rejects.toThrow('too many groups: a shorter range')
    const gone = AbortSignal.abort()
    await expect(aggregation(asked, 0)({ db: database.read, site, signal: gone })).rejects.toThrow('left')
  })

  test('is answered once at a time in an organization, and others are not kept waiting', async () => {
    const { door: client, ann, site } = await open()
    const path = `/orgs/${site.organization_id}/sites/${site.id}/insights/events/aggregate`
    const ask = () => client.ask(ann, 'POST', path, { range: 'last7Days' })
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    let inside = 0
    const work = async () => {
      inside++
      await held
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

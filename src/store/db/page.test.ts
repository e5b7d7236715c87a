import { beforeAll, describe, expect, it } from 'vitest'
import { sql } from 'kysely'
import { describeLayouts } from '../../../tests/engines.js'
import { ApiError } from '../../contract/errors.js'
import type { UserId } from '../../core/ids.js'
import type { Database } from './database.js'
import { listPage, maxCounted } from './page.js'
import type { OrderColumn } from './page.js'

const byName: OrderColumn = { column: 'users.display_name', type: 'text', direction: 'asc' }
const byAge: OrderColumn = { column: 'users.created_at', type: 'integer', direction: 'asc' }
const orders: Record<string, readonly OrderColumn[]> = {
  'by id alone': [],
  'ascending, with ties': [byAge],
  'descending, with ties': [{ ...byAge, direction: 'desc' }],
  'by two columns': [byName, byAge],
  'by two columns, one descending': [{ ...byName, direction: 'desc' }, byAge],
  'by an expression': [{ column: sql`coalesce(users.email, '')`, type: 'text', direction: 'asc' }, byAge],
}

describeLayouts('a list', ({ open }) => {
  let database: Database

  async function insertUser(id: string, age: number, name: string) {
    const row = { photo_url: null, password_hash: null, updated_at: 0 }
    const email = age % 2 ? `${id}@example.org` : null
    await database.write((tx) =>
      tx
        .insertInto('users')
        .values({ ...row, id: id as UserId, display_name: name, email, created_at: age })
        .execute(),
    )
  }

  const list = (order: readonly OrderColumn[], limit: number, page?: string) =>
    listPage(database.read, database.read.selectFrom('users').select(['id', 'display_name']), {
      order,
      id: 'users.id',
      limit,
      page,
    })

  async function walk(order: readonly OrderColumn[], limit: number): Promise<string[]> {
    const ids: string[] = []
    for (let page: string | undefined, first = true; first || page !== undefined; first = false) {
      const answer = await list(order, limit, page)
      expect(answer.count).toBe(23)
      expect(answer.items.length).toBeLessThanOrEqual(limit)
      ids.push(...answer.items.map(({ id }) => id))
      page = answer.next?.page
    }
    return ids
  }

  beforeAll(async () => {
    database = await open()
    for (let at = 0; at < 23; at += 1) {
      await insertUser(`user${String((at * 7) % 23).padStart(2, '0')}`, at % 4, ['x', 'Y', 'é'][at % 3]!)
    }
  })

  for (const [name, order] of Object.entries(orders)) {
    it(`gives each item once, in one order whatever the limit: ${name}`, async () => {
      const whole = await walk(order, 1000)
      expect(new Set(whole).size).toBe(23)
      for (const limit of [1, 5, 22, 23]) expect(await walk(order, limit)).toEqual(whole)
    })
  }

  it('contains the selected columns and none of the cursor', async () => {
    const { items } = await list([byAge], 1)
    expect(Object.keys(items[0]!)).toEqual(['id', 'display_name'])
  })

  it('returns only the count for limit 0', async () => {
    expect(await list([byAge], 0)).toEqual({ items: [], count: 23 })
  })

  it('counts up to a bound, and returns no count beyond it', async () => {
    const numbers = (most: number) =>
      sql<{ id: string }>`(
        with recursive numbers (id) as (select 1 union all select id + 1 from numbers where id < ${sql.lit(most)})
        select cast(id as text) as id from numbers
      )`.as('numbers')
    const first = (most: number, limit: number) =>
      listPage(database.read, database.read.selectFrom(numbers(most)).select('id'), {
        order: [],
        id: 'numbers.id',
        limit,
      })
    expect((await first(maxCounted, 2)).count).toBe(maxCounted)
    for (const limit of [0, 2]) expect(await first(maxCounted + 1, limit)).not.toHaveProperty('count')
  })

  it('continues after the last item, though items were added and removed', async () => {
    const order: OrderColumn[] = [byAge]
    const first = await list(order, 10)
    const cut = first.items.at(-1)!.id
    const rest = (await list(order, 100, first.next!.page)).items.map(({ id }) => id)
    await insertUser('before', -1, 'x')
    await insertUser('behind', 9, 'x')
    await database.write((tx) => tx.deleteFrom('users').where('id', '=', cut).execute())
    const after = (await list(order, 100, first.next!.page)).items.map(({ id }) => id)
    expect(after).toEqual([...rest, 'behind'])
  })

  describe('refuses a cursor', () => {
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    it.each([
      '',
      'x',
      '😀',
      encode(null),
      encode({}),
      encode([]),
      encode(['x', 1, 'user01']),
      encode([1, 'a', 2]),
      encode(['1', 'user01']),
      encode([1, 'user\0']),
      encode([1.5, 'user01']),
    ])('that nobody gave: %j', async (page) => {
      const error = await list([byAge], 5, page).catch((problem: unknown) => problem)
      expect(error).toBeInstanceOf(ApiError)
      expect((error as ApiError).errorName).toBe('invalid_page_cursor')
    })
  })
})

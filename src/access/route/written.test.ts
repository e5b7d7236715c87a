import { expect, test } from 'vitest'
import { WrittenItems, writeLarge } from './written.js'

const items = [{ a: 1 }, { b: [null, '"'] }]

test.each([
  { count: 2, items, next: { page: 'x' } },
  { items },
  { items: [], count: 0 },
  { pages: [], items: undefined },
  { items: null },
])('a large reply reads as if it had been written at once: %j', async (reply) => {
  const given = reply.items
  const written = Array.isArray(given) ? await WrittenItems.write<unknown>(given) : given
  expect(JSON.parse(writeLarge({ ...reply, items: written }))).toEqual(JSON.parse(JSON.stringify(reply)))
})

test('written items are sent by large replies alone', async () => {
  const written = await WrittenItems.write(items)
  expect(() => JSON.stringify({ items: written })).toThrow('declared large')
})

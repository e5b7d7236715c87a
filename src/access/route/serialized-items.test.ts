import { expect, test } from 'vitest'
import { SerializedItems, stringifyLarge } from './serialized-items.js'

const items = [{ a: 1 }, { b: [null, '"'] }]

test.each([
  { count: 2, items, next: { page: 'x' } },
  { items },
  { items: [], count: 0 },
  { pages: [], items: undefined },
  { items: null },
])('a large reply reads as if it had been written at once: %j', async (reply) => {
  const source = reply.items
  const written = Array.isArray(source) ? await SerializedItems.write<unknown>(source) : source
  expect(JSON.parse(stringifyLarge({ ...reply, items: written }))).toEqual(JSON.parse(JSON.stringify(reply)))
})

test('serialized items can only be sent by large replies', async () => {
  const written = await SerializedItems.write(items)
  expect(() => JSON.stringify({ items: written })).toThrow('declared large')
})

import { expect, test } from 'vitest'
import { serializeError, deserializeError } from './serialized-error.js'
import { DatabaseDamaged, DatabaseUnavailable, StorageFull } from './unavailable.js'

const carried = (error: unknown) => deserializeError(structuredClone(serializeError(error)))

test('an error keeps its class and message between threads', () => {
  for (const Kind of [DatabaseDamaged, DatabaseUnavailable, StorageFull]) {
    const error = new Kind(new Error('the reason'))
    expect(carried(error)).toBeInstanceOf(Kind)
    expect(carried(error).message).toBe(error.message)
  }
})

test('a bug keeps its message and stack', () => {
  const mistake = new TypeError('x is not a function')
  expect(carried(mistake)).toMatchObject({ message: mistake.message, stack: mistake.stack })
  expect(carried('thrown').message).toBe('thrown')
})

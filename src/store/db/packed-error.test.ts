import { expect, test } from 'vitest'
import { packError, unpackError } from './packed-error.js'
import { DatabaseDamaged, DatabaseUnavailable, StorageFull } from './unavailable.js'

const carried = (error: unknown) => unpackError(structuredClone(packError(error)))

test('an error comes out of a thread as what it was, and says the same', () => {
  for (const Kind of [DatabaseDamaged, DatabaseUnavailable, StorageFull]) {
    const error = new Kind(new Error('the reason'))
    expect(carried(error)).toBeInstanceOf(Kind)
    expect(carried(error).message).toBe(error.message)
  }
})

test('a mistake of the program keeps its words and where it was made', () => {
  const mistake = new TypeError('x is not a function')
  expect(carried(mistake)).toMatchObject({ message: mistake.message, stack: mistake.stack })
  expect(carried('thrown').message).toBe('thrown')
})

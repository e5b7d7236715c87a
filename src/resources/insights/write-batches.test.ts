import { expect, test } from 'vitest'
import { OutcomeUnknown } from '../../store/db/unavailable.js'
import { writeBatches } from './write-batches.js'

test.each([
  ['is requeued after those that were not tried', new Error('no room'), ['c', 'b']],
  ['is not requeued when it may have been written', new OutcomeUnknown(new Error('lost')), ['c']],
])('a failed batch %s', async (_, failure, expected) => {
  const written: string[] = []
  const requeued: string[] = []
  const write = async (batch: string) => {
    if (batch === 'b') throw failure
    written.push(batch)
  }
  const all = writeBatches(['a', 'b', 'c'], write, (batch) => requeued.push(batch))
  await expect(all).rejects.toBe(failure)
  expect([written, requeued]).toEqual([['a'], expected])
})

import { expect, test } from 'vitest'
import { OutcomeUnknown } from '../../store/db/unavailable.js'
import { writeEach } from './write-each.js'

test.each([
  ['is kept behind those that were not tried', new Error('no room'), ['c', 'b']],
  ['is not kept where it may have been written', new OutcomeUnknown(new Error('lost')), ['c']],
])('a part that fails %s', async (_, failure, left) => {
  const written: string[] = []
  const kept: string[] = []
  const write = async (part: string) => {
    if (part === 'b') throw failure
    written.push(part)
  }
  const all = writeEach(['a', 'b', 'c'], write, (part) => kept.push(part))
  await expect(all).rejects.toBe(failure)
  expect([written, kept]).toEqual([['a'], left])
})

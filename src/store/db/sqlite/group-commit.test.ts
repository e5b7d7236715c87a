import { expect, test } from 'vitest'
import { createGroupCommit } from './group-commit.js'

/** A log whose syncs the test completes. */
function pausedLog() {
  const syncs: (() => void)[] = []
  const log = createGroupCommit(() => new Promise((resolve) => syncs.push(resolve)))
  const acknowledged: string[] = []
  return {
    syncs,
    acknowledged,
    commit(name: string) {
      log.noteCommit()
      void log.untilDurable().then(() => acknowledged.push(name))
    },
    read: (name: string) => void log.untilDurable().then(() => acknowledged.push(name)),
  }
}

const settle = () => new Promise((resolve) => setImmediate(resolve))

test('a commit is acknowledged after a sync that began after it', async () => {
  const { commit, acknowledged, syncs } = pausedLog()
  commit('first')
  commit('during the first sync')
  await settle()
  expect([syncs.length, acknowledged]).toEqual([1, []])
  syncs[0]!()
  await settle()
  expect([syncs.length, acknowledged]).toEqual([2, ['first']])
  commit('during the second sync')
  syncs[1]!()
  await settle()
  expect([syncs.length, acknowledged]).toEqual([3, ['first', 'during the first sync']])
  syncs[2]!()
  await settle()
  expect(acknowledged).toEqual(['first', 'during the first sync', 'during the second sync'])
})

test('commits during one sync share the next one', async () => {
  const { commit, acknowledged, syncs } = pausedLog()
  for (let number = 0; number < 50; number++) commit(`${number}`)
  await settle()
  syncs[0]!()
  await settle()
  syncs[1]!()
  await settle()
  expect([syncs.length, acknowledged.length]).toEqual([2, 50])
})

test('a writer that changed nothing waits for commits that it may have seen, and for none when all are on disk', async () => {
  const { commit, read, acknowledged, syncs } = pausedLog()
  commit('commit')
  read('reader of it')
  await settle()
  expect(acknowledged).toEqual([])
  syncs[0]!()
  await settle()
  syncs[1]?.()
  await settle()
  expect(acknowledged).toEqual(['commit', 'reader of it'])
  const before = syncs.length
  read('reader of nothing new')
  await settle()
  expect([syncs.length, acknowledged.at(-1)]).toEqual([before, 'reader of nothing new'])
})

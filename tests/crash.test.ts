/** Crash safety: kills one of two writing processes, twice; `npm run crash` runs more kills and other faults. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createLedger } from '../dev/crash/ledger.js'
import { runCrashes } from '../dev/crash/rounds.js'

const folders: string[] = []
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))))

test('servers killed during imports and merges lose no acknowledged write, and see the writes of each other', async () => {
  const data = await mkdtemp(join(tmpdir(), 'octavo-crash-'))
  folders.push(data)
  const lines: string[] = []
  const outcome = await runCrashes({ data, rounds: 2, seed: 1, report: (line) => lines.push(line) })
  expect(outcome.losses).toEqual([])
  expect(lines).toHaveLength(2)
  // Else nothing was proved.
  expect(outcome.acknowledgements).toBeGreaterThan(5)
  expect(outcome.readings).toBeGreaterThan(0)
  expect(outcome.faults).toEqual({ kill: 2 })
})

describe('the ledger', () => {
  test('knows which texts may be read during concurrent writes', () => {
    const ledger = createLedger()
    const entry = ledger.begin('page', '/place', 'a')
    ledger.acknowledge(entry)
    const before = { acknowledged: entry.acknowledged, pending: entry.pending }
    ledger.begin('page', '/place', 'b')
    expect(ledger.compare(entry, before, 'a')).toBeUndefined()
    expect(ledger.compare(entry, before, 'b')).toBeUndefined()
    expect(ledger.compare(entry, before, undefined)).toContain('acknowledged "a", then read nothing')
    ledger.acknowledge(entry)
    const later = { acknowledged: entry.acknowledged, pending: entry.pending }
    // Acknowledged before the read began: the earlier text must no longer be read.
    expect(ledger.compare(entry, later, 'a')).toContain('acknowledged "b", then read "a"')
  })

  test.each<[string, { acknowledged?: string; pending?: string; found?: string }, boolean]>([
    ['the acknowledged write is there', { acknowledged: 'a', found: 'a' }, true],
    ['the pending write is there already', { acknowledged: 'a', pending: 'b', found: 'b' }, true],
    ['the pending write did not happen', { acknowledged: 'a', pending: 'b', found: 'a' }, true],
    ['nothing was acknowledged, nothing is there', { pending: 'a' }, true],
    ['the acknowledged write is lost', { acknowledged: 'a' }, false],
    ['the acknowledged write is lost during another write', { acknowledged: 'a', pending: 'b' }, false],
    ['something else is there', { acknowledged: 'a', pending: 'b', found: 'c' }, false],
  ])('%s', (_, { acknowledged, pending, found }, isValid) => {
    const ledger = createLedger()
    if (acknowledged !== undefined) ledger.acknowledge(ledger.begin('page', '/place', acknowledged))
    if (pending !== undefined) ledger.begin('page', '/place', pending)
    const loss = ledger.settle(ledger.entries.get('page')!, found)
    expect(loss === undefined).toBe(isValid)
    expect(ledger.entries.get('page')?.acknowledged).toBe(found)
  })
})

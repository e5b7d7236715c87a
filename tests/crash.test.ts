/** A few kills in the middle of writing; `npm run crash` makes twenty. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createLedger } from '../dev/crash/ledger.js'
import { runCrashes } from '../dev/crash/rounds.js'

const folders: string[] = []
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))))

test(
  'a server that is killed while it imports and merges keeps what it acknowledged',
  { timeout: 120_000 },
  async () => {
    const data = await mkdtemp(join(tmpdir(), 'octavo-crash-'))
    folders.push(data)
    const lines: string[] = []
    const outcome = await runCrashes({ data, rounds: 3, seed: 1, report: (line) => lines.push(line) })
    expect(outcome.losses).toEqual([])
    expect(lines).toHaveLength(3)
    // Else nothing was proved.
    expect(outcome.acknowledgements).toBeGreaterThan(10)
  },
)

describe('the ledger', () => {
  test.each<[string, { acknowledged?: string; asked?: string; found?: string }, boolean]>([
    ['what was acknowledged is there', { acknowledged: 'a', found: 'a' }, true],
    ['what was asked for is there already', { acknowledged: 'a', asked: 'b', found: 'b' }, true],
    ['what was asked for did not happen', { acknowledged: 'a', asked: 'b', found: 'a' }, true],
    ['nothing was acknowledged, nothing is there', { asked: 'a' }, true],
    ['what was acknowledged is gone', { acknowledged: 'a' }, false],
    ['what was acknowledged is gone while more was asked for', { acknowledged: 'a', asked: 'b' }, false],
    ['something else is there', { acknowledged: 'a', asked: 'b', found: 'c' }, false],
  ])('%s', (_, { acknowledged, asked, found }, isKept) => {
    const ledger = createLedger()
    if (acknowledged !== undefined) ledger.acknowledge(ledger.ask('page', '/place', acknowledged))
    if (asked !== undefined) ledger.ask('page', '/place', asked)
    const loss = ledger.settle(ledger.entries.get('page')!, found)
    expect(loss === undefined).toBe(isKept)
    expect(ledger.entries.get('page')?.acknowledged).toBe(found)
  })
})

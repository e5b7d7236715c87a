import { mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { describeEngines } from '../../../tests/engines.js'
import type { Database } from '../../store/db/database.js'
import { loadSecret, secretFile } from './secret.js'

describeEngines('the signing secret', ({ open, openAgain }) => {
  let first: Database
  let second: Database
  const machine = async (secret?: string) => {
    const data = await mkdtemp(join(tmpdir(), 'octavo-secret-'))
    if (secret !== undefined) await writeFile(join(data, secretFile), secret)
    return { data }
  }

  beforeEach(async () => {
    first = await open()
    second = await openAgain()
  })

  it('is one for all machines, whichever comes first', async () => {
    const [here, there] = [await machine(), await machine()]
    const [one, other] = await Promise.all([loadSecret(here, first), loadSecret(there, second)])
    expect(one).toBe(other)
    expect(one.length).toBeGreaterThan(40)
    expect(await loadSecret(here, second)).toBe(one)
    expect(await readdir(here.data)).toEqual([])
  })

  it('is the one of the file that an older version wrote, which then goes', async () => {
    const old = await machine('the secret of an older version')
    const other = await machine('the secret of another machine')
    expect(await loadSecret(old, first)).toBe('the secret of an older version')
    expect(await loadSecret(other, second)).toBe('the secret of an older version')
    expect([await readdir(old.data), await readdir(other.data)]).toEqual([[], [secretFile]])
  })

  it('is the one of the settings, where they name one', async () => {
    const { data } = await machine()
    expect(await loadSecret({ data, secret: 'set by the operator' }, first)).toBe('set by the operator')
    expect(await loadSecret(await machine(), second)).not.toBe('set by the operator')
  })
})

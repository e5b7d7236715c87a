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

  it('is the same for all machines', async () => {
    const [one, two] = [await machine(), await machine()]
    const [secret, otherSecret] = await Promise.all([loadSecret(one, first), loadSecret(two, second)])
    expect(secret).toBe(otherSecret)
    expect(secret.length).toBeGreaterThan(40)
    expect(await loadSecret(one, second)).toBe(secret)
    expect(await readdir(one.data)).toEqual([])
  })

  it('is taken from the file of an older version, which is then removed', async () => {
    const old = await machine('the secret of an older version')
    const other = await machine('the secret of another machine')
    expect(await loadSecret(old, first)).toBe('the secret of an older version')
    expect(await loadSecret(other, second)).toBe('the secret of an older version')
    expect([await readdir(old.data), await readdir(other.data)]).toEqual([[], [secretFile]])
  })

  it('is the one of the settings, where they contain one', async () => {
    const { data } = await machine()
    expect(await loadSecret({ data, secret: 'set by the operator' }, first)).toBe('set by the operator')
    expect(await loadSecret(await machine(), second)).not.toBe('set by the operator')
  })
})

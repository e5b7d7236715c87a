import { expect, it } from 'vitest'
import { hashPassword, isPassword, requireFitPassword } from './passwords.js'

it('stores argon2id with a salt of its own, at the cost that was chosen', async () => {
  const [one, two] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')])
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(one).not.toBe(two)
})

it('accepts the right password, however it was typed, and no other', async () => {
  const stored = await hashPassword('Zür1ch am See')
  expect(await isPassword(stored, 'Zür1ch am See'.normalize('NFD'))).toBe(true)
  expect(await isPassword(stored, 'Zür1ch am see')).toBe(false)
  expect(await isPassword(stored, '')).toBe(false)
})

it('takes as long for an unknown account, and always refuses', async () => {
  await isPassword(null, 'warm up')
  const stored = await hashPassword('something else')
  const known = await leastWork(() => isPassword(stored, 'wrong'))
  const unknown = await leastWork(() => isPassword(undefined, 'the password of nobody'))
  expect(unknown).toBeGreaterThan(known / 4)
})

it.each([
  ['correct horse', null],
  ['kürzer🔑🔑🔑🔑', null],
  ['short', 'at least 10 characters'],
  ['abcdefgh'.repeat(32), null],
  ['x'.repeat(257), 'more than 256 characters'],
  ['aaaabbbbcccc', 'too few characters'],
  ['Ada@octavo.test1', 'holds your e-mail address'],
])('judges %s', (password, problem) => {
  const validate = () => requireFitPassword(password, 'ada@octavo.test')
  if (problem === null) expect(validate).not.toThrow()
  else expect(validate).toThrow(problem)
})

/** Least CPU microseconds for a refused password: other work of the process can only add to them. */
async function leastWork(answer: () => Promise<boolean>): Promise<number> {
  let least = Infinity
  for (let time = 0; time < 5; time++) {
    const start = process.cpuUsage()
    expect(await answer()).toBe(false)
    const { user, system } = process.cpuUsage(start)
    least = Math.min(least, user + system)
  }
  return least
}

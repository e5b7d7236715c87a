import { expect, it } from 'vitest'
import { hashPassword, isPassword, requireFitPassword } from './passwords.js'

it('stores argon2id with a salt of its own, at the cost that was chosen', async () => {
  const [one, two] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')])
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(one).not.toBe(two)
})

it('knows the right password, however it was typed, and no other', async () => {
  const stored = await hashPassword('Zür1ch am See')
  expect(await isPassword(stored, 'Zür1ch am See'.normalize('NFD'))).toBe(true)
  expect(await isPassword(stored, 'Zür1ch am see')).toBe(false)
  expect(await isPassword(stored, '')).toBe(false)
})

it('works as long for nobody, and never says yes', async () => {
  await isPassword(null, 'warm up')
  const stored = await hashPassword('something else')
  const somebody = await measured(() => isPassword(stored, 'wrong'))
  const nobody = await measured(() => isPassword(undefined, 'the password of nobody'))
  expect(nobody.answer).toBe(false)
  expect(nobody.work).toBeGreaterThan(somebody.work / 4)
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
  const judge = () => requireFitPassword(password, 'ada@octavo.test')
  if (problem === null) expect(judge).not.toThrow()
  else expect(judge).toThrow(problem)
})

/** Microseconds of the processor, which other work on the machine does not change. */
async function measured<Answer>(work: () => Promise<Answer>) {
  const start = process.cpuUsage()
  const answer = await work()
  const { user, system } = process.cpuUsage(start)
  return { answer, work: user + system }
}

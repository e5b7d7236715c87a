import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('../', import.meta.url)
const page = readFileSync(new URL('docs/security.md', root), 'utf8')
const promises = [...page.matchAll(/^\* (.+)\\\n  \*Code:\* (.+)\\\n  \*Tests:\* (.+)$/gm)].map(
  ([, promise, keeper, proof]) => ({ promise: promise!, keeper: keeper!, proof: proof! }),
)

test('every promise names existing code and an existing test', () => {
  expect(promises.length).toBeGreaterThan(25)
  const faults = promises.flatMap(({ promise, keeper, proof }) => {
    const paths = [...`${keeper} ${proof}`.matchAll(/`((?:src|tests)\/[^`]+)`/g)].map(([, path]) => path!)
    const missing = paths.filter((path) => !existsSync(new URL(path, root)))
    const isProven = /`(?:src|tests)\/[^`]+\.test\.ts`/.test(proof)
    return [
      ...missing.map((path) => `${path} of "${promise}" is not there`),
      ...(isProven ? [] : [`"${promise}" has no test`]),
    ]
  })
  expect(faults).toEqual([])
})

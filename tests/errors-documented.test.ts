import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { errorCatalogue } from '../src/contract/errors.js'

const page = readFileSync(new URL('../docs/errors.md', import.meta.url), 'utf8')
const rows = [...page.matchAll(/^\| `(\w+)` \| (\d+) \| (.+) \|$/gm)].map(([, name, status, sentence]) => ({
  name,
  status: Number(status),
  sentence,
}))

test('docs/errors.md lists every error with its status and sentence, and no other', () => {
  const known = Object.entries(errorCatalogue).map(([name, { status, message }]) => ({
    name,
    status,
    sentence: message,
  }))
  const sorted = (list: readonly { name: string | undefined }[]) =>
    list.toSorted((a, b) => (a.name! < b.name! ? -1 : 1))
  expect(sorted(rows)).toEqual(sorted(known))
})

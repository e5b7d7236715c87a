import { readFileSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { routes } from '../src/server/api/api.js'

const root = new URL('../', import.meta.url)
const files = readdirSync(new URL('docs', root), { recursive: true, encoding: 'utf8' })
const pages = ['README.md', ...files.filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)]
/** Paths as documentation writes them, with any parameter names. */
const operations = routes.map(({ endpoint }) => `${endpoint.method} ${endpoint.path.replace(/:\w+/g, '{}')}`)

test('operations that the documentation names in passing are there', () => {
  const named = pages.flatMap((page) =>
    readFileSync(new URL(page, root), 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        [...line.matchAll(/`(GET|POST|PUT|PATCH|DELETE) (…?)(?:\/v1)?(\/[^\s`?]*)/g)].map(
          ([, method, skipped, path]) => ({
            place: `${page}:${index + 1}`,
            name: `${method} ${skipped}${path!.replace(/\{[^}]+\}/g, '{}')}`,
          }),
        ),
      ),
  )
  expect(named.length).toBeGreaterThan(20)
  const missing = named.filter(({ name }) => {
    const [before, after] = name.split('…')
    return !operations.some((one) =>
      after === undefined ? one === name : one.startsWith(before!) && one.endsWith(after),
    )
  })
  expect(missing.map(({ place, name }) => `${place} names ${name}`)).toEqual([])
})

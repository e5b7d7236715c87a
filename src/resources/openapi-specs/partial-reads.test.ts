/** Random access to a specification: few reads of its file, few rounds, and the complete result. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeEngines } from '../../../tests/engines.js'
import { objectOf } from '../../core/openapi/values.js'
import type { Specification } from '../../core/openapi/specification.js'
import { createCaches } from '../../store/cache/caches.js'
import type { Services } from '../../access/route/scope.js'
import { openDirectory } from '../../store/files/directory.js'
import { openVersionText, readPartially } from './partial-reads.js'

const links = 24

/** Schemas that each reference the next, each larger than the gap between two of them in the file. */
const specification = {
  openapi: '3.1.0',
  components: {
    schemas: Object.fromEntries(
      Array.from({ length: links }, (_, at) => [
        `S${at}`,
        {
          description: `Größe ${at} `.repeat(1_200),
          ...(at + 1 < links && { properties: { next: { $ref: `#/components/schemas/S${at + 1}` } } }),
        },
      ]),
    ),
  },
}

/** Returns the number of schemas in the chain of references from the first. */
function walk(found: Specification): number {
  let ref: unknown = '#/components/schemas/S0'
  let steps = 0
  while (typeof ref === 'string') {
    const schema = objectOf(found.at(ref.slice(1)))
    if (typeof schema['description'] !== 'string') break
    expect(schema['description'].startsWith(`Größe ${steps} `)).toBe(true)
    steps += 1
    ref = objectOf(objectOf(schema['properties'])['next'])['$ref']
  }
  return steps
}

describeEngines('a specification in parts', (engine) => {
  let folder: string
  let files: Services['files']
  let caches: Services['caches']
  let opened = 0

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'octavo-parts-'))
    const directory = await openDirectory(folder)
    const open: Services['files']['open'] = (...range) => {
      opened += 1
      return directory.open(...range)
    }
    files = { ...directory, open }
    caches = createCaches(await engine.open(), 50_000_000)
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('is read in cached blocks, and prefetches references', async () => {
    const bytes = Buffer.from(JSON.stringify(specification))
    const { hash } = await files.put(bytes)
    const text = async () => (await openVersionText({ files, caches }, hash))!
    let rounds = 0
    const count = (found: Specification) => {
      rounds += 1
      return walk(found)
    }
    const first = await text()
    opened = 0
    expect(await readPartially(first, count)).toBe(links)
    expect(bytes.length).toBeGreaterThan(300_000)
    expect(opened).toBeLessThanOrEqual(Math.ceil(bytes.length / (128 * 1024)))
    // Each round reads one requested link, and prefetches the next.
    expect(rounds).toBe(links / 2 + 1)

    opened = 0
    expect(await readPartially(await text(), count)).toBe(links)
    expect(opened).toBe(0)
  })
})

/** Hostile specifications: each blocks only its worker thread, ends with its error code, and the next one is read. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Person } from '../../../tests/test-client.js'
import { describeSqlite } from '../../../tests/engines.js'
import { processSpecs, specText } from '../../../tests/openapi-specs.js'
import { type SiteClient, openSiteClient } from '../../../tests/site-client.js'
import { buildThread } from '../../../tests/thread-program.js'
import {
  type SpecificationReader,
  createThreadedSpecificationReader,
} from '../../store/specifications/reader.js'

const head = '"openapi":"3.1.0","info":{"title":"Harm","version":"1"}'
const yamlHead = 'openapi: 3.1.0\ninfo: { title: Harm, version: "1" }\n'
const ten = (name: string) => Array.from({ length: 10 }, () => `*${name}`).join(', ')
const levels = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j']

interface Bounds {
  readonly deadline?: number
  readonly memory?: number
}

const harmful: readonly (readonly [name: string, text: () => string, problem: RegExp, bounds: Bounds])[] = [
  [
    'more memory than it may have',
    () => yamlHead + Array.from({ length: 500_000 }, (_, at) => `x-${at}: []\n`).join(''),
    /too large/,
    { memory: 48 },
  ],
  ['more values than it may have', () => `{${head},"x":[${'[],'.repeat(6_100_000)}0]}`, /more values/, {}],
  [
    'more time than it may have',
    () => yamlHead + Array.from({ length: 1_500_000 }, (_, at) => `x-${at}: v\n`).join(''),
    /too large/,
    { deadline: 1_500 },
  ],
  [
    'aliases that name each other',
    () =>
      `${yamlHead}x-a: &a [1, 2, 3, 4, 5, 6, 7, 8, 9]\n${levels
        .slice(1)
        .map((name, at) => `x-${name}: &${name} [${ten(levels[at]!)}]\n`)
        .join('')}`,
    /more values/,
    {},
  ],
  ['an alias that holds itself', () => `${yamlHead}x-a: &a [*a]\n`, /nested deeper/, {}],
  ['brackets in one another', () => `{${head},"x":${'['.repeat(200_000)}`, /nested deeper/, {}],
  ['YAML in one another', () => `${yamlHead}x: ${'['.repeat(200_000)}`, /neither JSON nor YAML|deep/, {}],
]

describeSqlite('specifications that mean harm', (engine) => {
  let api: SiteClient
  let ann: Person
  let specsPath: string
  let folder: string
  let program: URL
  let reader: SpecificationReader

  beforeAll(async () => {
    const thread = join(import.meta.dirname, '../../store/specifications/worker.ts')
    ;({ program, folder } = await buildThread(thread))
    const specifications: SpecificationReader = {
      read: (task) => reader.read(task),
      close: () => reader.close(),
    }
    api = await openSiteClient(await engine.open(), undefined, { specifications })
    ann = await api.person('ann')
    specsPath = `/orgs/${await api.organization(ann)}/openapi`
  })
  afterEach(() => reader.close())
  afterAll(() => rm(folder, { recursive: true }))

  async function put(slug: string, text: string): Promise<any> {
    const response = await api.request(ann, 'PUT', `${specsPath}/${slug}`, { source: { text } })
    expect(response.status, response.text.slice(0, 500)).toBeLessThan(300)
    await processSpecs(api)
    return (await api.request(ann, 'GET', `${specsPath}/${slug}`)).body
  }

  test.each(harmful)('have %s, and leave the previous version in place', async (_, text, problem, bounds) => {
    reader = createThreadedSpecificationReader(program, bounds)
    const { lastVersion } = await put('harm', specText('Before'))
    expect(lastVersion).toBeDefined()
    const spec = await put('harm', text())
    expect(spec).toMatchObject({
      processingState: 'complete',
      lastProcessErrorCode: 'PARSE_ERROR',
      lastVersion,
    })
    expect(spec.lastProcessedErrors[0].message).toMatch(problem)
    const next = await put('harm', specText(`After ${problem.source}`))
    expect(next.lastVersion).not.toBe(lastVersion)
    expect(next).not.toHaveProperty('lastProcessErrorCode')
  })

  test('may have circular references', async () => {
    reader = createThreadedSpecificationReader(program)
    const Pet = { $ref: '#/components/schemas/Dog' }
    const Dog = { allOf: [{ $ref: '#/components/schemas/Pet' }, { $ref: '#/components/schemas/Dog' }] }
    const spec = await put('circles', specText('Circles', { components: { schemas: { Pet, Dog } } }))
    expect(spec).not.toHaveProperty('lastProcessErrorCode')
    const path = `${specsPath}/circles/versions/latest/content`
    const { filesystem } = (await api.request(ann, 'GET', path)).body
    expect(filesystem[0].specification.components.schemas).toEqual({ Pet, Dog })
  })
})

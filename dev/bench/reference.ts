/**
 * API reference rendering: the first view of an operation, from the stored specification to HTML, for every operation
 * of the largest specifications in a folder, which are too large for the repository. Measured in processor time, so
 * that other load does not count.
 */
import { mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { inlineReferences } from '../../src/core/openapi/inline.js'
import { parseDocument, requireSpecification } from '../../src/core/openapi/parse.js'
import type { NamedBlock } from '../../src/core/document/openapi.js'
import { warmUpBlocks } from '../../src/site/blocks/warm-up.js'
import { createPageFragments } from '../../src/site/blocks/fragments.js'
import { renderDocument } from '../../src/site/blocks/render.js'
import { contextOf, documentOf } from '../../src/site/blocks/testing.js'
import { blockKey, readSpecificationViews } from '../../src/site/pages/specifications.js'
import { openDirectory } from '../../src/store/files/directory.js'
import { type Figure, median, percentile } from './figure.js'

const largest = 10
const methods = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace', 'query']

/** Figures of the ten largest specifications of a folder, of each at most so many operations, evenly spread. */
export async function measureReference(folder: string, most: number): Promise<Figure[]> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => /\.(?:json|ya?ml)$/.test(name))
  const files = await Promise.all(
    names.map(async (name) => ({ path: join(folder, name), size: (await stat(join(folder, name))).size })),
  )
  const chosen = files.toSorted((one, other) => other.size - one.size).slice(0, largest)
  const data = await mkdtemp(join(tmpdir(), 'octavo-bench-'))
  warmUpBlocks()
  try {
    const figures: Figure[] = []
    for (const { path } of chosen) figures.push(...(await measureOne(path, data, most)))
    return figures
  } finally {
    await rm(data, { recursive: true, force: true })
  }
}

async function measureOne(path: string, data: string, most: number): Promise<Figure[]> {
  const name = basename(path)
  const root = requireSpecification(parseDocument(await readFile(path, 'utf8')).value)
  const inlined = inlineReferences({
    root,
    address: undefined,
    others: new Map(),
    addressOf: () => undefined,
  })
  if (!('specification' in inlined)) throw new Error(`${name} refers to other files`)
  const operations = Object.entries((root['paths'] ?? {}) as Record<string, object>).flatMap(([path, item]) =>
    methods.filter((method) => method in item).map((method) => ({ path, method })),
  )
  const files = await openDirectory(data)
  const { hash, size } = await files.put(Buffer.from(JSON.stringify(inlined.specification)))
  const cached = new Map<string, unknown>()
  const caches = {
    find: (kind: { prefix: string }, key: string) => cached.get(kind.prefix + key),
    keep: (kind: { prefix: string }, key: string, value: unknown) => cached.set(kind.prefix + key, value),
  }
  const services = { files, caches } as unknown as Parameters<typeof readSpecificationViews>[0]
  const versions = [{ slug: 'measured', address: null, visibility: 'private' as const, hash, size }]
  const sources = { versions, file: () => undefined, download: async () => undefined }

  const view = async ({ path, method }: (typeof operations)[number]) => {
    const block: NamedBlock = { type: 'openapi-operation', spec: 'measured', path, method }
    const views = await readSpecificationViews(services, sources, [block])
    const known = views.get(blockKey(block))
    const context = contextOf({ specification: () => known, fragments: createPageFragments() })
    const operationBlock = { ...block, span: { start: 0, end: 0 }, blocks: [] }
    const markup = renderDocument(documentOf(operationBlock), context).toString()
    return { isFound: known?.operation !== undefined, markup }
  }

  const [first] = operations
  const opening = await processorTime(() => view(first!))
  const step = Math.max(1, Math.floor(operations.length / most))
  const measured = operations.filter((_, index) => index % step === 0)
  const [times, sizes]: [number[], number[]] = [[], []]
  let missing = 0
  for (const operation of measured) {
    const { result, milliseconds } = await processorTime(() => view(operation))
    times.push(milliseconds)
    sizes.push(result.markup.length / 1_000)
    if (!result.isFound) missing += 1
  }
  const of = `${measured.length} of ${operations.length} operations of ${name}`
  return [
    {
      name: `${name}: the very first operation`,
      value: opening.milliseconds,
      unit: 'ms',
      target: atMost(1_000),
    },
    { name: `${of}, p95`, value: percentile(times, 0.95), unit: 'ms', target: atMost(100) },
    { name: `${name}: the slowest`, value: Math.max(...times), unit: 'ms', target: atMost(1_000) },
    { name: `${name}: median of the markup`, value: median(sizes), unit: 'kB' },
    { name: `${name}: not told`, value: missing, unit: 'operations' },
  ]
}

const atMost = (limit: number) => ({ of: 'value', kind: 'at most', limit }) as const

async function processorTime<Result>(work: () => Promise<Result>) {
  const before = process.cpuUsage()
  const result = await work()
  const { user, system } = process.cpuUsage(before)
  return { result, milliseconds: (user + system) / 1_000 }
}

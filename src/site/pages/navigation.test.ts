/** The navigation tree for rows of any length: its nodes, and the number of reads. */
import { describe, expect, test } from 'vitest'
import type { PageId } from '../../core/ids.js'
import { memoryObjects } from '../../core/merkle/testing.js'
import type { Step } from '../../core/merkle/types.js'
import { ancestors, findPage } from '../../core/pages/read.js'
import { drawnSnapshot } from '../../core/pages/testing.js'
import type { PageRecord } from '../../core/pages/types.js'
import { noCache } from '../../store/cache/kinds.js'
import type { NavigationNode } from '../layout/view.js'
import type { VisibleContent } from './content.js'
import { readNavigation } from './navigation.js'

/** A space with `count` pages in one row, the last of them with two subpages. */
function rowOf(count: number, namespace = noCache) {
  const memory = memoryObjects()
  const names = Array.from({ length: count }, (_, index) => `page${index}`)
  const drawing = names.map((name) => `${name}=${name}.md\n`).join('')
  const snapshot = drawnSnapshot(`${drawing}  below=below.md\n  beside=beside.md\n`, memory)
  const run = async <Result>(step: Step<Result>) => memory.run(step)
  const visible = {
    site: { isAdaptive: false },
    linker: { page: ({ id }: { id: string }) => `/${id}`, branch: ({ id }: { id: string }) => `/tree/${id}` },
    content: { revision: { snapshot }, run },
    rows: namespace(),
    parts: namespace(),
  } as unknown as VisibleContent
  return {
    async read(id: string) {
      const page = await run(findPage(snapshot, id as PageId))
      const above = await run(ancestors(snapshot, page!))
      memory.resetCounts()
      const nodes = await readNavigation(visible, [...above, page!])
      return { nodes, reads: memory.counts.reads }
    },
  }
}

const label = (node: NavigationNode | undefined) =>
  node?.kind === 'gap' ? `${node.count} behind ${node.href}` : node?.title

describe('a row of siblings', () => {
  const few = rowOf(500)

  test.each([
    ['page0', 'page0', 'page59', '440 behind /page60'],
    ['page30', 'page0', 'page59', '440 behind /page60'],
    ['page31', '1 behind /page0', 'page60', '439 behind /page61'],
    ['page250', '220 behind /page219', 'page279', '220 behind /page280'],
    ['page469', '439 behind /page438', 'page498', '1 behind /page499'],
    ['page499', '440 behind /page439', 'page498', 'page499'],
    ['below', '440 behind /page439', 'page498', 'page499'],
  ])('around %s begins with %s and ends with %s, %s', async (id, first, last, end) => {
    const { nodes } = await few.read(id)
    expect([nodes[0], ...nodes.slice(-2)].map(label)).toEqual([first, last, end])
    const current = nodes.flatMap((node) => ('children' in node ? [node, ...node.children!] : [node]))
    expect(current.filter((node) => 'current' in node).map(label)).toEqual([id])
    expect(nodes.filter(({ kind }) => kind === 'page')).toHaveLength(60)
  })

  test('is read only within the window: a row sixteen times as long takes less than three times the reads', async () => {
    const many = rowOf(8_000)
    for (const id of ['page0', 'page250', 'below']) {
      const [short, long] = [await few.read(id), await many.read(id)]
      expect(short.reads).toBeGreaterThan(20)
      expect(long.reads, id).toBeLessThan(3 * short.reads)
    }
  })

  test('is read once for neighbouring pages', async () => {
    const cached = rowOf(500, () => new Map<string, never>())
    const first = await cached.read('page250')
    const sibling = await cached.read('page251')
    expect(sibling.reads).toBeLessThan(first.reads / 2)
    expect(sibling.nodes).toEqual((await few.read('page251')).nodes)
    expect((await cached.read('page40')).nodes).toEqual((await few.read('page40')).nodes)
  })

  test('is read once for all subpages of one of its pages, except for the rank of that page', async () => {
    const cached = rowOf(500, () => new Map<string, never>())
    await cached.read('below')
    const { nodes, reads } = await cached.read('beside')
    expect(nodes).toEqual((await few.read('beside')).nodes)
    // As many as the Merkle tree has levels.
    expect(reads).toBeLessThanOrEqual(5)
  })
})

test('links to parts of pages lead there in a large tree', async () => {
  const memory = memoryObjects()
  const drawing = 'a.md\nin=-> a.md#part\nout=-> https://example.com\ngone=-> gone.md'
  const snapshot = drawnSnapshot(drawing, memory)
  const visible = {
    site: { isAdaptive: false },
    linker: {
      page: (page: PageRecord, part = '') => (page.type === 'link' ? page.url : `/${page.id}#${part}`),
    },
    content: { revision: { snapshot }, run: async <Result>(step: Step<Result>) => memory.run(step) },
    rows: noCache(),
    parts: noCache(),
  } as unknown as VisibleContent
  const nodes = await readNavigation(visible, [])
  expect(nodes.map((node) => 'href' in node && [node.kind, node.href])).toEqual([
    ['page', '/a#'],
    ['page', '/a#part'],
    ['link', 'https://example.com'],
    ['link', 'gone.md'],
  ])
})

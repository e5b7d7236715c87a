/** Previous and next page follow the reading order of the space. */
import { describe, expect, test } from 'vitest'
import type { PageId } from '../../core/ids.js'
import { apply } from '../../core/merkle/map.js'
import { memoryObjects } from '../../core/merkle/testing.js'
import type { Step } from '../../core/merkle/types.js'
import { type PageNode, ancestors, findPage, pageTree } from '../../core/pages/read.js'
import { drawnSnapshot } from '../../core/pages/testing.js'
import { noCache } from '../../store/cache/kinds.js'
import type { VisibleContent } from './content.js'
import { readNavigation } from './navigation.js'
import { readNeighbours } from './neighbours.js'

/** A space from its drawing, with these pages hidden. */
function spaceOf(drawing: string, hidden: readonly string[] = [], namespace = noCache) {
  const memory = memoryObjects()
  const drawn = drawnSnapshot(drawing, memory)
  const run = async <Result>(step: Step<Result>) => memory.run(step)
  const pages = hidden.reduce((root, id) => {
    const page = memory.run(findPage(drawn, id as PageId))!
    return memory.run(apply(root, [[id, { ...page, hidden: true }]], memory))
  }, drawn.pages)
  const snapshot = { ...drawn, pages }
  const visible = {
    site: { isAdaptive: false },
    linker: { page: ({ id }: { id: string }) => `/${id}`, branch: ({ id }: { id: string }) => `/tree/${id}` },
    content: { revision: { snapshot }, run },
    rows: namespace(),
    parts: namespace(),
  } as unknown as VisibleContent
  const inOrder = (nodes: readonly PageNode[]): string[] =>
    nodes.flatMap(({ page, children }) => {
      if (hidden.includes(page.id)) return []
      return [...(page.type === 'document' ? [page.id as string] : []), ...inOrder(children)]
    })
  return {
    /** The documents that are listed, in reading order. */
    listed: inOrder(memory.run(pageTree(snapshot))),
    async around(id: string) {
      const page = (await run(findPage(snapshot, id as PageId)))!
      const above = await run(ancestors(snapshot, page))
      await readNavigation(visible, [...above, page])
      memory.resetCounts()
      const { previous, next } = await readNeighbours(visible, page, above)
      return { previous: previous?.id, next: next?.id, reads: memory.counts.reads }
    },
  }
}

const branches = `
  first.md
    inside.md
      deep.md
    beside.md
  -> https://example.com
  ## Group
    one.md
    two.md
      below.md
    ## Empty
  ## Other
    -> https://example.org
    three.md
  last.md
`
const row = Array.from({ length: 300 }, (_, index) => `page${index}=page${index}.md\n`).join('')

describe('the pages before and after', () => {
  test.each([
    ['in branches', branches, []],
    ['where some are hidden', branches, ['inside', 'two', 'three']],
    ['where a whole branch is hidden', branches, ['first', 'group', 'last']],
    ['in a long row', `${row}  below=below.md\nend.md\n`, ['page0', 'page41', 'page42', 'page298']],
  ])('%s are those of the reading order', async (_, drawing, hidden) => {
    const { listed, around } = spaceOf(drawing, hidden)
    const found = await Promise.all(listed.map(around))
    expect(found.map(({ previous }) => previous)).toEqual([undefined, ...listed.slice(0, -1)])
    expect(found.map(({ next }) => next)).toEqual([...listed.slice(1), undefined])
  })

  test('come from the cached row of the page: only its own rank is read', async () => {
    const { around } = spaceOf(row, [], () => new Map<string, never>())
    await around('page150')
    const { previous, next, reads } = await around('page151')
    expect([previous, next]).toEqual(['page150', 'page152'])
    // One path through the map of the order.
    expect(reads).toBeLessThanOrEqual(3)
  })
})

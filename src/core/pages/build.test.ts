import { expect, test } from 'vitest'
import type { PageId } from '../ids.js'
import { memoryObjects } from '../merkle/testing.js'
import type { MapNode } from '../merkle/types.js'
import { spread } from '../order/position.js'
import { type SnapshotPlan, buildSnapshot, buildSnapshotInSteps } from './build.js'
import { pathsOfFile } from './page-paths.js'
import { describeDrawing, describeAndPut } from './testing.js'
import { defaultConfig } from '../config.js'

const count = 2_000

test('building a large snapshot pauses often, loads nothing, and equals the synchronous build', () => {
  const memory = memoryObjects()
  let nodes = 0
  const counting = {
    ...memory,
    putNode(node: MapNode) {
      nodes += 1
      return memory.putNode(node)
    },
  }
  const positions = spread(count)
  const described = describeAndPut('# Page\n\nSee [it](page-1.md).\n', describeDrawing, memory)
  const plan: SnapshotPlan = {
    config: defaultConfig,
    files: [],
    texts: [],
    descriptions: new Map([[described.hash, described.description]]),
    pages: positions.map((position, index) => ({
      id: `p${index}` as PageId,
      parent: null,
      position,
      type: 'document',
      title: `Page ${index}`,
      createdAt: 0,
      updatedAt: 0,
      ...pathsOfFile(`page-${index}.md`, defaultConfig),
      text: described.hash,
      size: described.size,
    })),
  }
  const step = buildSnapshotInSteps(plan, counting)
  let most = 0
  let before = 0
  for (;;) {
    const state = step.next([])
    most = Math.max(most, nodes - before)
    before = nodes
    if (state.done) {
      expect(state.value).toEqual(buildSnapshot(plan, memory))
      break
    }
    expect(state.value).toEqual({ nodes: [] })
  }
  expect(nodes).toBeGreaterThan(count / 4)
  expect(most).toBeLessThan(64)
})

/** Changes of the page tree are applied to the tree as the API does, and taken back. */
import { expect, test } from 'vitest'
import type { Change } from '../../contract/changes.js'
import { type PageNode, pageNodeOf } from '../space/page-node.js'
import { batchesOf, movePages } from './page-changes.js'

type Shape = { readonly [id: string]: Shape }

const treeOf = (shape: Shape): PageNode[] =>
  Object.entries(shape).map(([id, below]) => ({
    ...pageNodeOf({ id, title: id, type: 'document' }),
    children: treeOf(below),
  }))

interface Mutable {
  readonly id: string
  readonly children: Mutable[]
}

/** Applies moves one after another; positions count the siblings without the page that moves. */
function apply(nodes: readonly PageNode[], changes: readonly Change[]): Shape {
  const copy = (node: PageNode): Mutable => ({ id: node.id, children: node.children.map(copy) })
  const top: Mutable = { id: '', children: nodes.map(copy) }
  const find = (id: string, from: Mutable): { parent: Mutable; node: Mutable } | undefined => {
    for (const node of from.children) {
      if (node.id === id) return { parent: from, node }
      const below = find(id, node)
      if (below !== undefined) return below
    }
    return undefined
  }
  for (const change of changes) {
    if (change.operation !== 'update_page') throw new Error(change.operation)
    const { parent, node } = find(change.page, top)!
    parent.children.splice(parent.children.indexOf(node), 1)
    const into = change.into === null ? top : find(change.into!, top)!.node
    if (change.at! > into.children.length) throw new Error(`No position ${change.at}`)
    into.children.splice(change.at!, 0, node)
  }
  return shapeOf(top.children)
}
const shapeOf = (nodes: readonly Mutable[]): Shape =>
  Object.fromEntries(nodes.map(({ id, children }) => [id, shapeOf(children)]))
/** Objects compare without the order of their members. */
const print = (shape: Shape): string =>
  Object.entries(shape)
    .map(([id, below]) => (Object.keys(below).length === 0 ? id : `${id}(${print(below)})`))
    .join(' ')

const tree = treeOf({ a: {}, b: { c: {}, d: { e: {} }, f: {} }, g: {} })

test.each([
  ['one up', ['g'], 'a', 'before', 'g a b(c d(e) f)'],
  ['one down among its siblings', ['c'], 'd', 'after', 'a b(d(e) c f) g'],
  ['one into a page', ['a'], 'd', 'into', 'b(c d(e a) f) g'],
  ['one out of its parent', ['c'], 'b', 'after', 'a b(d(e) f) c g'],
  ['to the end of the top level', ['a'], undefined, 'into', 'b(c d(e) f) g a'],
  ['several, in the order of the tree', ['g', 'c', 'a'], 'f', 'before', 'b(d(e) a c g f)'],
  ['several siblings up', ['c', 'f'], 'd', 'before', 'a b(c f d(e)) g'],
  ['several siblings down', ['c', 'd'], 'f', 'after', 'a b(f c d(e)) g'],
  ['a page below a selected one along with it', ['d', 'e'], 'a', 'before', 'd(e) a b(c f) g'],
] as const)('moves %s, and back', (_, ids, target, place, expected) => {
  const { changes, undo } = movePages(tree, { ids, target, place })!
  const moved = apply(tree, changes)
  expect(print(moved)).toBe(expected)
  expect(print(apply(treeOf(moved), undo))).toBe(print(apply(tree, [])))
})

test.each([
  ['into itself', ['b'], 'b', 'into'],
  ['below itself', ['b'], 'e', 'after'],
  ['to where it is', ['a'], 'b', 'before'],
  ['to where they are', ['a', 'b'], 'g', 'before'],
] as const)('does not move a page %s', (_, ids, target, place) => {
  expect(movePages(tree, { ids, target, place })).toBeUndefined()
})

test('sends at most fifty changes at once', () => {
  const changes = Array.from({ length: 101 }, (_, at): Change => ({
    operation: 'delete_page',
    page: String(at),
  }))
  expect(batchesOf(changes).map(({ length }) => length)).toEqual([50, 50, 1])
  expect(batchesOf([])).toEqual([])
})

import { expect, test } from 'vitest'
import { type TreeNode, ancestorsOf, filterTree, rowsBetween, topmostOf, visibleRows } from './rows.js'

const node = (id: string, ...children: readonly TreeNode[]): TreeNode => ({
  id,
  title: `Page ${id}`,
  children,
})
const tree = [node('a', node('b', node('c')), node('d')), node('é')]

test('shows the children of expanded nodes, with their place among siblings', () => {
  const rows = visibleRows(tree, new Set(['a', 'c']))
  expect(rows.map(({ node, depth, position, siblings }) => [node.id, depth, position, siblings])).toEqual([
    ['a', 0, 1, 2],
    ['b', 1, 1, 2],
    ['d', 1, 2, 2],
    ['é', 0, 2, 2],
  ])
  expect(rows.map(({ isExpanded }) => isExpanded)).toEqual([true, false, false, false])
})

test('keeps what matches and its ancestors, whatever the case and the accents', () => {
  expect(filterTree(tree, 'PAGE C')).toEqual([node('a', node('b', node('c')))])
  expect(filterTree(tree, 'page e')).toEqual([node('é')])
  expect(filterTree(tree, '  ')).toBe(tree)
})

test('finds the way to a node', () => {
  expect(ancestorsOf(tree, 'c')).toEqual(['a', 'b'])
  expect(ancestorsOf(tree, 'a')).toEqual([])
  expect(ancestorsOf(tree, 'x')).toBeUndefined()
})

test('selects rows from one to another in either direction', () => {
  const rows = visibleRows(tree, new Set(['a']))
  expect(rowsBetween(rows, 1, 3)).toEqual(['b', 'd', 'é'])
  expect(rowsBetween(rows, 2, 0)).toEqual(['a', 'b', 'd'])
})

test('takes pages below a selected page along with it', () => {
  const ids = (...selected: readonly string[]) => topmostOf(tree, new Set(selected)).map(({ id }) => id)
  expect(ids('c', 'é', 'a')).toEqual(['a', 'é'])
  expect(ids('d', 'c')).toEqual(['c', 'd'])
  expect(ids('x')).toEqual([])
})

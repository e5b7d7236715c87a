/** Batch changes of the page tree: moves of several pages, and the changes that take them back. Pure. */
import type { Change } from '../../contract/changes.js'
import type { PageNode } from '../space/page-node.js'
import type { TreeMove } from '../tree/drag-rows.js'
import { topmostOf } from '../tree/rows.js'

/** Where a page is: the ids of the pages on its level, itself included. */
interface Level {
  readonly parent: string | undefined
  readonly siblings: readonly string[]
}

/** Returns the level of each page, and those of the pages that have none below them yet. */
function levelsOf(nodes: readonly PageNode[]) {
  const children = new Map<string | undefined, readonly string[]>()
  const parents = new Map<string, string | undefined>()
  const add = (siblings: readonly PageNode[], parent: string | undefined) => {
    children.set(
      parent,
      siblings.map(({ id }) => id),
    )
    for (const { id, children: below } of siblings) {
      parents.set(id, parent)
      add(below, id)
    }
  }
  add(nodes, undefined)
  return { children, parents }
}

export interface PageMove {
  readonly changes: readonly Change[]
  /** Takes the move back. */
  readonly undo: readonly Change[]
}

/**
 * Returns the changes that move pages, with those below them, before, after or into another one; `target` undefined is the
 * end of the top level. Pages keep their order among themselves. Undefined when a page would be below itself, or where
 * nothing would change.
 */
export function movePages(
  nodes: readonly PageNode[],
  { ids, target, place }: Omit<TreeMove, 'target'> & { readonly target: string | undefined },
): PageMove | undefined {
  const moved = topmostOf(nodes, new Set(ids))
  const { children, parents } = levelsOf(nodes)
  for (let at = target; at !== undefined; at = parents.get(at))
    if (moved.some(({ id }) => id === at)) return undefined
  const level: Level =
    target === undefined || place === 'into'
      ? { parent: target, siblings: children.get(target) ?? [] }
      : { parent: parents.get(target), siblings: children.get(parents.get(target))! }
  const rest = level.siblings.filter((id) => !moved.some((node) => node.id === id))
  const start =
    target === undefined || place === 'into'
      ? rest.length
      : rest.indexOf(target) + (place === 'after' ? 1 : 0)
  const order = [...rest.slice(0, start), ...moved.map(({ id }) => id), ...rest.slice(start)]
  if (order.length === level.siblings.length && order.every((id, at) => id === level.siblings[at]))
    return undefined

  const changes: Change[] = []
  /** Siblings while the changes are made one after another. */
  const placed = [...level.siblings]
  for (const [count, { id }] of moved.entries()) {
    const from = placed.indexOf(id)
    if (from >= 0) placed.splice(from, 1)
    const before = count === 0 ? undefined : moved[count - 1]!.id
    const next = rest[start]
    const at =
      before !== undefined
        ? placed.indexOf(before) + 1
        : next === undefined
          ? placed.length
          : placed.indexOf(next)
    placed.splice(at, 0, id)
    changes.push({ operation: 'update_page', page: id, into: level.parent ?? null, at })
  }
  // In the order of their levels, so that those before a page are back before it is.
  const undo = moved.map(({ id }): Change => {
    const parent = parents.get(id)
    return { operation: 'update_page', page: id, into: parent ?? null, at: children.get(parent)!.indexOf(id) }
  })
  return { changes, undo }
}

/** Cuts changes into batches that the API takes. */
export function batchesOf(changes: readonly Change[]): readonly (readonly Change[])[] {
  const batches: (readonly Change[])[] = []
  for (let at = 0; at < changes.length; at += batchSize) batches.push(changes.slice(at, at + batchSize))
  return batches
}

const batchSize = 50

/**
 * References between objects: the roots of a snapshot, and what a node names.
 *
 * In a leaf every string that looks like a hash counts, since texts and uploaded files look alike.
 */
import type { Hash } from '../../core/ids.js'
import type { Json, MapNode } from '../../core/merkle/types.js'
import type { Snapshot } from '../../core/pages/types.js'

/** Returns the roots of a snapshot's maps. */
export function rootsOf({ pages, order, paths, files, names, links }: Snapshot): Hash[] {
  const roots: (Hash | null)[] = [pages, order, paths, files, names, links]
  return roots.filter((root) => root !== null)
}

export interface ReferenceVisitor {
  /** Called with each node below an inner node. */
  node(hash: Hash): void
  /** Called with each string of a leaf that may be a hash. */
  leaf(hash: Hash): void
}

export function visitReferences({ level, entries }: MapNode, visitor: ReferenceVisitor): void {
  for (const [, value] of entries) {
    if (level === 0) visitHashes(value as Json, visitor)
    else visitor.node(value as Hash)
  }
}

function visitHashes(value: Json | undefined, visitor: ReferenceVisitor): void {
  if (typeof value === 'string') {
    if (/^[\w-]{43}$/.test(value)) visitor.leaf(value as Hash)
  } else if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) visitHashes(inner, visitor)
  }
}

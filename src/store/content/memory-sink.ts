/** In-memory objects that are never stored: for computed content, which depends on more than the stored content. */
import type { Hash } from '../../core/ids.js'
import type { MapNode, Sink } from '../../core/merkle/types.js'
import { encodeNode, encodeText, hashOf } from './encoding.js'
import type { PendingObjects } from './objects.js'

export interface MemorySink extends Sink, PendingObjects {
  /** Approximate bytes of memory. */
  weight(): number
}

export function createMemorySink(): MemorySink {
  const nodes = new Map<Hash, MapNode>()
  const texts = new Map<Hash, string>()
  let bytes = 0
  return {
    putNode(node) {
      const encoded = encodeNode(node)
      const hash = hashOf(encoded)
      if (!nodes.has(hash)) bytes += 200 + encoded.length * 2
      nodes.set(hash, node)
      return hash
    },
    putText(text) {
      const hash = hashOf(encodeText(text))
      if (!texts.has(hash)) bytes += 200 + text.length * 2
      texts.set(hash, text)
      return hash
    },
    findNode: (hash) => nodes.get(hash),
    findText: (hash) => texts.get(hash),
    weight: () => bytes,
  }
}

/**
 * Objects as bytes, and the names that follow from the bytes.
 *
 * The encoding is part of every name, hence fixed for ever: a text is its UTF-8, a node is canonical JSON
 * (keys sorted, nothing optional) of its level and its entries.
 */
import { createHash } from 'node:crypto'
import type { Hash } from '../../core/ids.js'
import type { Json, MapNode } from '../../core/merkle/types.js'

/** Answers the SHA-256 of the bytes, base64url, 43 characters. */
export function hashOf(bytes: Uint8Array): Hash {
  return createHash('sha256').update(bytes).digest('base64url') as Hash
}

export function encodeNode(node: MapNode): Uint8Array {
  return Buffer.from(canonicalJson([node.level, node.entries]))
}

export function decodeNode(bytes: Uint8Array): MapNode {
  const [level, entries] = JSON.parse(decodeText(bytes)) as [0, never]
  return { level, entries }
}

export function encodeText(text: string): Uint8Array {
  return Buffer.from(text)
}

/** Keeps a byte-order mark, which `TextDecoder` would drop; bytes that are no UTF-8 become U+FFFD. */
export function decodeText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
}

function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member!)}`).join(',')}}`
}

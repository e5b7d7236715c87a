/**
 * Serialization and content hashes of objects.
 *
 * The encoding determines every hash, so it can never change: a text is its UTF-8, a node is canonical JSON (keys sorted,
 * nothing optional) of its level and its entries.
 */
import { hash } from 'node:crypto'
import type { Hash } from '../../core/ids.js'
import type { Json, MapNode } from '../../core/merkle/types.js'

/** Returns the SHA-256 of the bytes, base64url, 43 characters. */
export function hashOf(bytes: Uint8Array): Hash {
  return hash('sha256', bytes, 'base64url') as Hash
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

/** Retains a byte-order mark, which `TextDecoder` would drop; invalid UTF-8 becomes U+FFFD. */
export function decodeText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
}

/** Plain loops for speed: an edit encodes each node on its path in a few maps, a merge of ten pages ten times that. */
function canonicalJson(value: Json): string {
  // Most of a node is as it was read: in its stored order.
  if (isSorted(value)) return JSON.stringify(value)
  let text = ''
  if (Array.isArray(value)) {
    for (const item of value) text += (text === '' ? '' : ',') + canonicalJson(item)
    return `[${text}]`
  }
  const members = value as Readonly<Record<string, Json | undefined>>
  for (const key of Object.keys(members).toSorted()) {
    const member = members[key]
    if (member !== undefined)
      text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(member)}`
  }
  return `{${text}}`
}

/** Whether the keys of all mappings in a value are in order. */
function isSorted(value: Json | undefined): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) {
    for (const item of value) if (!isSorted(item)) return false
    return true
  }
  const members = value as Readonly<Record<string, Json | undefined>>
  let last = ''
  // Plain values, without inherited members.
  for (const key in members) {
    if (key < last || !isSorted(members[key])) return false
    last = key
  }
  return true
}

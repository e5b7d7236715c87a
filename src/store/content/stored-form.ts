/**
 * Stored form of objects: as they are, compressed, or as the difference from an earlier text of the page.
 *
 * Hashes are those of the objects themselves, so the form is free to change: a row says by `encoding` how its bytes are
 * packed, and by `base` from which object they are a delta. Objects that were stored before are packed as `none`.
 *
 * Deflate at level 6, measured on 1,900 Markdown files in bytes and in microseconds to pack and to unpack: of 1,000 bytes
 * 451, 30, 11; of 5,000 388 for each 1,000, 87, 19; of 20,000 314, 397, 60; of 200,000 253, 5,900, 700. Brotli needs
 * quality 4 for the same size, and is slower but for the largest. Nodes are not packed: an edit writes and a read loads
 * several, and half their bytes are hashes.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Hash } from '../../core/ids.js'
import { applyDelta, encodeDelta } from './text-delta.js'

/** How the bytes of a row are packed. */
export const encodings = { none: 0, deflate: 1 } as const

export interface StoredForm {
  readonly bytes: Uint8Array
  readonly encoding: number
  /** The object of the same organization that `bytes` is a delta from; null when it is whole. */
  readonly base: Hash | null
}

/** Smaller ones are stored as they are: deflate saves less than a row costs. */
const minPackedLength = 200
/** Shorter texts are stored whole. */
const minDeltaTarget = 2_000
/** A longer delta than this part of its text is not worth the reads of its base. */
const maxDeltaPart = 1 / 16
/** Deltas between a text and one that is stored whole: each costs a lookup when the text is read and not cached. */
export const maxDeltas = 32

export function storeWhole(bytes: Uint8Array): StoredForm {
  return { ...pack(bytes), base: null }
}

/** Returns the text as a delta from a base, undefined where that is not worth it. */
export function storeDelta(bytes: Uint8Array, base: Hash, baseBytes: Uint8Array): StoredForm | undefined {
  if (bytes.length < minDeltaTarget) return undefined
  const maxLength = Math.floor(bytes.length * maxDeltaPart)
  const delta = encodeDelta(asBuffer(baseBytes), asBuffer(bytes), maxLength)
  return delta && { ...pack(delta), base }
}

/** Returns the object; throws when its bytes are damaged, which not every damage leads to: verify its hash. */
export function restore({ bytes, encoding }: StoredForm, base: Uint8Array | undefined): Uint8Array {
  const unpacked = unpack(bytes, encoding)
  return base === undefined ? unpacked : applyDelta(asBuffer(base), asBuffer(unpacked))
}

function pack(bytes: Uint8Array): Pick<StoredForm, 'bytes' | 'encoding'> {
  const asTheyAre = { bytes, encoding: encodings.none }
  if (bytes.length < minPackedLength) return asTheyAre
  const packed = deflateRawSync(bytes)
  return packed.length < bytes.length * 0.9 ? { bytes: packed, encoding: encodings.deflate } : asTheyAre
}

function unpack(bytes: Uint8Array, encoding: number): Uint8Array {
  switch (encoding) {
    case encodings.none:
      return bytes
    case encodings.deflate:
      return inflateRawSync(bytes)
    default:
      throw new RangeError(`Objects are not packed in the way ${encoding}`)
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/**
 * What a request says of the bytes that its sender has, and of those that it lacks: entity tags and ranges, read by
 * libraries. Every answer with a tag or with parts is judged here.
 */
import type { IncomingHttpHeaders } from 'node:http'
import fresh from 'fresh'
import parseRange from 'range-parser'

/** A part of some bytes; the end is not in it. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** Returns the strong entity tag of what is named by a hash. */
export function etagOf(hash: string): string {
  return `"${hash}"`
}

/** True when the sender has the bytes of this tag already, or a compressed form of them: the answer is 304. */
export function isKnown(headers: IncomingHttpHeaders, etag: string): boolean {
  return headers['if-none-match'] !== undefined && fresh(headers, { etag })
}

/**
 * Returns the part that is asked for; undefined for the whole, which also answers several parts at once, units
 * nobody knows, and whoever has a part of something else.
 */
export function readRange(
  headers: IncomingHttpHeaders,
  { etag, size }: { readonly etag: string; readonly size: number },
): ByteRange | 'unsatisfiable' | undefined {
  const { range, 'if-range': having = etag } = headers
  if (range === undefined || having !== etag || !range.startsWith('bytes=')) return undefined
  const parts = parseRange(size, range)
  // A suffix that is longer than the whole is the whole; the library takes it for nothing.
  if (parts === -1) return /^bytes=-0*[1-9]\d*$/.test(range) ? undefined : 'unsatisfiable'
  if (parts === -2 || parts.length !== 1) return undefined
  const { start, end } = parts[0]!
  return { start, end: end + 1 }
}

/**
 * Conditional and range requests: entity tags and byte ranges, parsed by libraries. Every response with an `ETag` or
 * with byte ranges is decided in this file.
 */
import type { IncomingHttpHeaders } from 'node:http'
import fresh from 'fresh'
import parseRange from 'range-parser'

/** A byte range; `end` is exclusive. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** Returns the strong entity tag of content that is identified by a hash. */
export function etagOf(hash: string): string {
  return `"${hash}"`
}

/**
 * True when the client has the content of this tag already, or a compressed form of it: the answer is 304. Without regard
 * to `Cache-Control: no-cache`, which is for caches on the way, and which `fetch` adds to requests with a tag of their own.
 */
export function isNotModified({ 'if-none-match': tags }: IncomingHttpHeaders, etag: string): boolean {
  return tags !== undefined && fresh({ 'if-none-match': tags }, { etag })
}

/**
 * Returns the tags of `If-Match`, without quotes; undefined without the header, and for `*`. Weak ones count as well:
 * proxies that compress make them so.
 */
export function readIfMatch({ 'if-match': header }: IncomingHttpHeaders): readonly string[] | undefined {
  if (header === undefined || header.trim() === '*') return undefined
  return [...header.matchAll(/"([^"]*)"/g)].map(([, tag]) => tag!)
}

/**
 * Returns the requested range; undefined for the whole content, which also answers multiple ranges, unknown units, and
 * an `If-Range` with another tag.
 */
export function readRange(
  headers: IncomingHttpHeaders,
  { etag, size }: { readonly etag: string; readonly size: number },
): ByteRange | 'unsatisfiable' | undefined {
  const { range, 'if-range': having = etag } = headers
  if (range === undefined || having !== etag || !range.startsWith('bytes=')) return undefined
  const parts = parseRange(size, range)
  // A suffix that is longer than the content means all of it; the library calls it unsatisfiable.
  if (parts === -1) return /^bytes=-0*[1-9]\d*$/.test(range) ? undefined : 'unsatisfiable'
  if (parts === -2 || parts.length !== 1) return undefined
  const { start, end } = parts[0]!
  return { start, end: end + 1 }
}

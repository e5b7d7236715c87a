/**
 * Version content responses: streamed, because a version may be fifty megabytes. Small ones are cached in memory
 * instead, since renderers request them with each page.
 */
import { buffer } from 'node:stream/consumers'
import { StringDecoder } from 'node:string_decoder'
import { type RouteResponse, jsonResponse } from '../../access/route/responses.js'
import type { Services } from '../../access/route/scope.js'
import type { Hash } from '../../core/ids.js'
import { cacheKind } from '../../store/cache/kinds.js'
import type { VersionRow } from './store.js'

type Files = Services['files']

/** Maximum bytes of a cached JSON text. */
const maxCachedBytes = 500_000
const textKind = cacheKind<Uint8Array>('text of a specification', ({ length }) => length)

/** Returns the response with the JSON text of a version between two texts. */
export async function contentResponse(
  { files, caches }: Pick<Services, 'files' | 'caches'>,
  { hash, size }: VersionRow,
  [before, after]: readonly [string, string],
): Promise<RouteResponse> {
  if (size <= maxCachedBytes) {
    let text = caches.find(textKind, hash)
    if (text === undefined) caches.put(textKind, hash, (text = await buffer(await open(files, hash))))
    return jsonResponse(Buffer.concat([Buffer.from(before), text, Buffer.from(after)]))
  }
  async function* json(): AsyncGenerator<string | Uint8Array> {
    const bytes = await open(files, hash)
    yield before
    yield* bytes
    yield after
  }
  return jsonResponse(json())
}

/** Returns the response with the source text of a version, and its format. */
export function rawResponse(files: Files, { raw_hash: hash, format }: VersionRow): RouteResponse {
  async function* json(): AsyncGenerator<string> {
    const bytes = await open(files, hash)
    yield `{"format":"${format}","text":"`
    const decoder = new StringDecoder('utf8')
    for await (const chunk of bytes) yield quote(decoder.write(Buffer.from(chunk)))
    yield `${quote(decoder.end())}"}`
  }
  return jsonResponse(json())
}

const quote = (text: string): string => JSON.stringify(text).slice(1, -1)

async function open(files: Files, hash: Hash): Promise<AsyncIterable<Uint8Array>> {
  const bytes = await files.open(hash)
  if (bytes === undefined) throw new Error(`The bytes ${hash} are missing from the file storage`)
  return bytes as AsyncIterable<Uint8Array>
}

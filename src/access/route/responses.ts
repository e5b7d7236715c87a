/**
 * Replies other than a JSON object with the endpoint's status: one tagged union, sent by `send.ts`. Handlers make them
 * with the functions below; a class, so that no plain reply is mistaken for one.
 */
import type { Events, OrganizationEvents } from '../../contract/events.js'
import type { CacheKind } from '../../store/cache/kinds.js'
import { hashOf } from '../../store/content/encoding.js'
import { etagOf } from '../http/conditional-requests.js'
import type { WatchedStream } from '../../store/events/stream-watcher.js'
import type { Services } from './scope.js'

/** JSON bytes that are determined by the cache kind and the key; the key names a revision, or something else immutable. */
export interface CachedJson {
  readonly kind: 'cached-json'
  readonly json: Uint8Array
  readonly cacheKind: CacheKind<Uint8Array>
  readonly key: string
  /** Entity tag of the response. */
  readonly etag?: string
  /**
   * True for a response that a browser may store and revalidate: 304 where it has this tag already, and compressed. Only
   * for content without signatures and secrets: the length of a compressed response tells about it.
   */
  readonly isConditional?: true
}

export type ResponseContent =
  /** 204, whatever the endpoint's success status is; nothing is logged. */
  | { readonly kind: 'nothing-removed' }
  /** From a write that changed nothing, or that continues one whose audit entry stands for it; nothing is logged. */
  | { readonly kind: 'unchanged'; readonly reply: object }
  /** 201 with `Location`, from an upsert. */
  | { readonly kind: 'created'; readonly reply: object }
  /** 202 for work that continues after it; its audit entry is written at its end. */
  | { readonly kind: 'accepted'; readonly location: string; readonly reply: object }
  | { readonly kind: 'json'; readonly json: AsyncIterable<string | Uint8Array> | Uint8Array }
  | CachedJson
  /** An HTML document for a frame of the product's own pages. */
  | { readonly kind: 'framed-page'; readonly html: string }
  /** A file, of the endpoint's content type. */
  | { readonly kind: 'download'; readonly name: string; readonly bytes: AsyncIterable<Uint8Array> }
  /** JSON, or a stream of server-sent events when the client accepts one. */
  | { readonly kind: 'events'; readonly feed: WatchedStream; readonly events: Events | OrganizationEvents }

export class RouteResponse<Content extends ResponseContent = ResponseContent> {
  constructor(readonly content: Content) {}
}

/** Reply of a removal when there was nothing to remove. */
export const nothingRemoved = new RouteResponse({ kind: 'nothing-removed' })

/** Reply of a write when there was nothing to change. */
export const unchanged = (reply: object) => new RouteResponse({ kind: 'unchanged', reply })

/** Reply of a write that continues an earlier one of the same person, whose audit entry stands for both. */
export const continued = unchanged

/** Reply of an upsert that created the resource; `Location` is its `urls.location`. */
export const created = (reply: object) => new RouteResponse({ kind: 'created', reply })

/** Reply for work that continues; `location` is the URL of its status. */
export const accepted = (location: string, reply: object) =>
  new RouteResponse({ kind: 'accepted', location, reply })

/** JSON that may be too large for memory: streamed, or sent as bytes when it is small. */
export const jsonResponse = (json: AsyncIterable<string | Uint8Array> | Uint8Array) =>
  new RouteResponse({ kind: 'json', json })

export const framedPage = (html: string) => new RouteResponse({ kind: 'framed-page', html })

export const download = (name: string, bytes: AsyncIterable<Uint8Array>) =>
  new RouteResponse({ kind: 'download', name, bytes })

export const eventsResponse = (feed: WatchedStream, events: Events | OrganizationEvents) =>
  new RouteResponse({ kind: 'events', feed, events })

/** The same reply with an entity tag. */
export const withEtag = ({ content }: RouteResponse<CachedJson>, etag: string) =>
  new RouteResponse({ ...content, etag })

/** Returns the cached JSON, or makes and caches it, as a conditional response with a tag of its content. */
export async function conditionalJson(
  services: Pick<Services, 'caches'>,
  cacheKind: CacheKind<Uint8Array>,
  key: string,
  make: () => Promise<string>,
): Promise<RouteResponse<CachedJson>> {
  const { content } = await cachedJson(services, cacheKind, key, make)
  return new RouteResponse({ ...content, etag: `W/${etagOf(hashOf(content.json))}`, isConditional: true })
}

/** Returns the cached JSON, or makes and caches it. */
export async function cachedJson(
  { caches }: Pick<Services, 'caches'>,
  cacheKind: CacheKind<Uint8Array>,
  key: string,
  make: () => Promise<string>,
): Promise<RouteResponse<CachedJson>> {
  let json = caches.find(cacheKind, key)
  if (json === undefined) caches.put(cacheKind, key, (json = Buffer.from(await make())))
  return new RouteResponse({ kind: 'cached-json', json, cacheKind, key })
}

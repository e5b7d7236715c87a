/**
 * An endpoint as a value: one operation of the API, with the schemas of its parameters, body and reply.
 *
 * Validation, serialization, the OpenAPI document, the typed client and the conformance tests are derived from these
 * values; nothing about an operation is written a second time.
 */
import Type, { type Static, type TSchema } from 'typebox'
import type { TagName } from './tags.js'

/**
 * Of RFC 7240: `wait` is for how many seconds the reply may wait for unfinished work, `respond-async` asks for 202 instead
 * of waiting. With both, 202 follows when the time is over.
 */
export type Preference = 'wait' | 'respond-async'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The parameter names in a path such as `/spaces/:spaceId/content`. */
export type ParamsOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamsOf<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

export interface Endpoint<
  M extends Method = Method,
  Params extends string = string,
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
  Reply extends TSchema = TSchema,
  Reads extends boolean = boolean,
> {
  readonly operationId: string
  readonly method: M
  /** Below `/v1`; parameters are written `:name`. */
  readonly path: string
  readonly params: readonly Params[]
  /** Title of the operation, as an act: "Create a redirect". */
  readonly summary: string
  /** One or two sentences, in Markdown. */
  readonly description: string
  readonly tag: TagName
  readonly query: Query
  readonly body: Body
  /** False when a request may come without any body. */
  readonly bodyRequired: boolean
  readonly reply: Reply
  /** Status of success; 204 and 205 carry no body. */
  readonly success: 200 | 201 | 204 | 205
  /** Schema of a 202 reply, for work that continues after the reply; absent for synchronous operations. */
  readonly accepted: TSchema | undefined
  /**
   * Path below `/v1` of the created resource, for `Location`, where the reply contains no URL; parameters are written
   * `:name` and come from the path of the request and the reply.
   */
  readonly location: string | undefined
  /** True for operations that also answer callers without a token. */
  readonly anonymous: boolean
  /** True for operations that pages of any origin may call (CORS), without cookies. */
  readonly crossOrigin: boolean
  /** True for operations that renderers of published sites may call with a content token. */
  readonly readers: boolean
  /** True for operations without side effects: every GET, and queries sent in a body. */
  readonly reads: Reads
  /** True when the body is bytes or a multipart form instead of JSON. */
  readonly upload: boolean
  /** Content type of a reply that is bytes instead of JSON. */
  readonly bytes: string | undefined
  /** True for an upsert, which answers 201 when it created the resource. */
  readonly mayCreate: boolean
  /** Limit of the body in bytes, where it is larger than usual. */
  readonly bodyBytes: number | undefined
  /** What the operation does with the header `Prefer`. */
  readonly preferences: readonly Preference[]
  /** True for reads of content, whose `ETag` names the revision; for writes of content, which take it as `If-Match`. */
  readonly revisionTag: boolean
  /** True for large recursive replies: serialized with `JSON.stringify`, not by the schema. */
  readonly large: boolean
}

interface Declaration<
  Query extends TSchema,
  Body extends TSchema,
  Reply extends TSchema,
  Reads extends boolean,
> {
  summary: string
  description: string
  tag: TagName
  query?: Query
  body?: Body
  /** Defaults to true when `body` is present. */
  bodyRequired?: boolean
  reply?: Reply
  success?: 200 | 201 | 204 | 205
  accepted?: TSchema
  location?: string
  anonymous?: boolean
  crossOrigin?: boolean
  readers?: boolean
  /** Defaults to true for GET. */
  reads?: Reads
  upload?: boolean
  bytes?: string
  mayCreate?: boolean
  bodyBytes?: number
  preferences?: readonly Preference[]
  revisionTag?: boolean
  large?: boolean
}

export const NoSchema = Type.Unsafe<undefined>({})

/** Declares one operation. The path is a literal, so that its parameters are known to the compiler. */
export function endpoint<
  const M extends Method,
  const Path extends string,
  Query extends TSchema = typeof NoSchema,
  Body extends TSchema = typeof NoSchema,
  Reply extends TSchema = typeof NoSchema,
  const Reads extends boolean = M extends 'GET' ? true : false,
>(
  operationId: string,
  method: M,
  path: Path,
  declaration: Declaration<Query, Body, Reply, Reads>,
): Endpoint<M, ParamsOf<Path>, Query, Body, Reply, Reads> {
  return endpointAt(basePathOf(''), operationId, method, path, declaration)
}

/** A common prefix of paths, for endpoints that exist below several resources. */
export interface BasePath<Params extends string> {
  readonly path: string
  readonly params: readonly Params[]
}

export function basePathOf<const Path extends string>(path: Path): BasePath<ParamsOf<Path>> {
  const names = [...path.matchAll(/:(\w+)/g)].map((match) => match[1])
  return { path, params: names as ParamsOf<Path>[] }
}

/** Declares one operation by its path below a base path. */
export function endpointAt<
  Params extends string,
  const M extends Method,
  const Path extends string,
  Query extends TSchema = typeof NoSchema,
  Body extends TSchema = typeof NoSchema,
  Reply extends TSchema = typeof NoSchema,
  const Reads extends boolean = M extends 'GET' ? true : false,
>(
  place: BasePath<Params>,
  operationId: string,
  method: M,
  path: Path,
  declaration: Declaration<Query, Body, Reply, Reads>,
): Endpoint<M, Params | ParamsOf<Path>, Query, Body, Reply, Reads> {
  return {
    operationId,
    method,
    path: place.path + path,
    params: [...place.params, ...basePathOf(path).params],
    summary: declaration.summary,
    description: declaration.description,
    tag: declaration.tag,
    query: declaration.query ?? (NoSchema as unknown as Query),
    body: declaration.body ?? (NoSchema as unknown as Body),
    bodyRequired: declaration.bodyRequired ?? declaration.body !== undefined,
    reply: declaration.reply ?? (NoSchema as unknown as Reply),
    success: declaration.success ?? 200,
    accepted: declaration.accepted,
    location: declaration.location,
    anonymous: declaration.anonymous ?? false,
    crossOrigin: declaration.crossOrigin ?? false,
    readers: declaration.readers ?? false,
    reads: declaration.reads ?? ((method === 'GET') as Reads),
    upload: declaration.upload ?? false,
    bytes: declaration.bytes,
    mayCreate: declaration.mayCreate ?? false,
    bodyBytes: declaration.bodyBytes,
    preferences: declaration.preferences ?? [],
    revisionTag: declaration.revisionTag ?? false,
    large: declaration.large ?? false,
  }
}

export type ParamOf<E extends Endpoint> = E['params'][number]
export type QueryOf<E extends Endpoint> = Static<E['query']>
export type BodyOf<E extends Endpoint> = Static<E['body']>
export type ReplyOf<E extends Endpoint> = Static<E['reply']>

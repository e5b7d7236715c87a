/**
 * An endpoint as a value: one operation of the API, with every shape that crosses the wire.
 *
 * Validation, serialisation, the OpenAPI document, typed clients and the conformance tests are all
 * made from these values; nothing about an operation is written a second time.
 */
import Type, { type Static, type TSchema } from 'typebox'

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
> {
  readonly operationId: string
  readonly method: M
  /** Below `/v1`; parameters are written `:name`. */
  readonly path: string
  readonly params: readonly Params[]
  readonly summary: string
  /** The noun whose chapter of the reference this belongs to. */
  readonly tag: string
  readonly query: Query
  readonly body: Body
  /** False when a request may come without any body. */
  readonly bodyRequired: boolean
  readonly reply: Reply
  /** Status of success; 204 and 205 carry no body. */
  readonly success: 200 | 201 | 204 | 205
  /** What is answered with 202 where the work goes on after the answer; absent for operations that are done by then. */
  readonly accepted: TSchema | undefined
  /**
   * Path below `/v1` at which a created thing stands whose reply does not name its own URL; parameters are written
   * `:name` and come from the path of the request and the reply.
   */
  readonly location: string | undefined
  /** True for operations that answer callers without a token too. */
  readonly anonymous: boolean
  /** True for operations that renderers of published sites ask, with the token of a reader. */
  readonly readers: boolean
  /** True for what changes nothing: every GET, and what is asked in a body. */
  readonly reads: boolean
  /** True when the body is bytes or a multipart form instead of JSON. */
  readonly upload: boolean
  /** Content type of a reply that is bytes instead of JSON. */
  readonly bytes: string | undefined
  /** True for an operation that answers 201 where it made what it otherwise changes. */
  readonly mayCreate: boolean
  /** Bytes of a body, where more than usual are taken. */
  readonly bodyBytes: number | undefined
  /** True for large recursive replies: written by `JSON.stringify` of what `present` made, not by the shape. */
  readonly large: boolean
}

interface Declaration<Query extends TSchema, Body extends TSchema, Reply extends TSchema> {
  summary: string
  tag: string
  query?: Query
  body?: Body
  /** Defaults to true when `body` is given. */
  bodyRequired?: boolean
  reply?: Reply
  success?: 200 | 201 | 204 | 205
  accepted?: TSchema
  location?: string
  anonymous?: boolean
  readers?: boolean
  reads?: boolean
  upload?: boolean
  bytes?: string
  mayCreate?: boolean
  bodyBytes?: number
  large?: boolean
}

export const Nothing = Type.Unsafe<undefined>({})

/** Declares one operation. The path is a literal, so that its parameters are known to the compiler. */
export function endpoint<
  const M extends Method,
  const Path extends string,
  Query extends TSchema = typeof Nothing,
  Body extends TSchema = typeof Nothing,
  Reply extends TSchema = typeof Nothing,
>(
  operationId: string,
  method: M,
  path: Path,
  declaration: Declaration<Query, Body, Reply>,
): Endpoint<M, ParamsOf<Path>, Query, Body, Reply> {
  return endpointBelow(placeOf(''), operationId, method, path, declaration)
}

/** The beginning of some paths: where a table of operations is mounted that stands at more than one place. */
export interface Place<Params extends string> {
  readonly path: string
  readonly params: readonly Params[]
}

export function placeOf<const Path extends string>(path: Path): Place<ParamsOf<Path>> {
  const names = [...path.matchAll(/:(\w+)/g)].map((match) => match[1])
  return { path, params: names as ParamsOf<Path>[] }
}

/** Declares one operation of a table, by its path below the place where the table is mounted. */
export function endpointBelow<
  Params extends string,
  const M extends Method,
  const Path extends string,
  Query extends TSchema = typeof Nothing,
  Body extends TSchema = typeof Nothing,
  Reply extends TSchema = typeof Nothing,
>(
  place: Place<Params>,
  operationId: string,
  method: M,
  path: Path,
  declaration: Declaration<Query, Body, Reply>,
): Endpoint<M, Params | ParamsOf<Path>, Query, Body, Reply> {
  return {
    operationId,
    method,
    path: place.path + path,
    params: [...place.params, ...placeOf(path).params],
    summary: declaration.summary,
    tag: declaration.tag,
    query: declaration.query ?? (Nothing as unknown as Query),
    body: declaration.body ?? (Nothing as unknown as Body),
    bodyRequired: declaration.bodyRequired ?? declaration.body !== undefined,
    reply: declaration.reply ?? (Nothing as unknown as Reply),
    success: declaration.success ?? 200,
    accepted: declaration.accepted,
    location: declaration.location,
    anonymous: declaration.anonymous ?? false,
    readers: declaration.readers ?? false,
    reads: declaration.reads ?? method === 'GET',
    upload: declaration.upload ?? false,
    bytes: declaration.bytes,
    mayCreate: declaration.mayCreate ?? false,
    bodyBytes: declaration.bodyBytes,
    large: declaration.large ?? false,
  }
}

export type ParamOf<E extends Endpoint> = E['params'][number]
export type QueryOf<E extends Endpoint> = Static<E['query']>
export type BodyOf<E extends Endpoint> = Static<E['body']>
export type ReplyOf<E extends Endpoint> = Static<E['reply']>

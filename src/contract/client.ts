/**
 * HTTP client of the API, typed by the endpoint values: for browsers and Node, with nothing but `fetch`. It needs the
 * method and path of an endpoint and imports types for the rest, so that browser bundles contain no schemas.
 */
import type { BodyOf, Endpoint, ParamOf, QueryOf, ReplyOf } from './endpoint.js'
import type { ErrorDetail } from './errors.js'

export interface ClientOptions {
  /** URL of the installation without a trailing slash; empty in its own pages. */
  readonly baseUrl: string
  /** API token; without one, browsers send the session cookie. */
  readonly token?: string
  readonly fetch?: typeof fetch
}

interface CallOptions {
  readonly signal?: AbortSignal
  readonly headers?: Readonly<Record<string, string>>
  /** The file of an upload. */
  readonly form?: FormData
}

/** A paged list has a default limit. */
type QueryToSend<Query> = Query extends { limit: number }
  ? Omit<Query, 'limit'> & { readonly limit?: number }
  : Query

type Params<Name extends string> = [Name] extends [never]
  ? { readonly params?: never }
  : { readonly params: Readonly<Record<Name, string | number>> }
type Query<Value> = undefined extends Value
  ? { readonly query?: never }
  : object extends QueryToSend<Value>
    ? { readonly query?: QueryToSend<Value> }
    : { readonly query: QueryToSend<Value> }
type Body<Value> = undefined extends Value ? { readonly body?: never } : { readonly body: Value }

/** What an endpoint needs in a request; paths, queries and bodies are checked against the contract. */
export type ClientRequest<E extends Endpoint> = CallOptions &
  Params<ParamOf<E>> &
  Query<QueryOf<E>> &
  Body<BodyOf<E>>

type RequestArguments<E extends Endpoint> =
  object extends ClientRequest<E> ? [request?: ClientRequest<E>] : [request: ClientRequest<E>]

export interface ApiClient {
  /** Returns the JSON reply, undefined for an empty one. Throws `ApiRequestError`. */
  call<E extends Endpoint>(endpoint: E, ...request: RequestArguments<E>): Promise<ReplyOf<E>>
  /**
   * Returns the successful response unread: for files, event streams, and where status or headers matter, such as 202.
   * Throws `ApiRequestError`.
   */
  send<E extends Endpoint>(endpoint: E, ...request: RequestArguments<E>): Promise<Response>
}

/** A refused or failed request; an aborted one throws the reason of its signal instead. */
export class ApiRequestError extends Error {
  constructor(
    /** HTTP status; 0 when there was no response. */
    readonly status: number,
    /** The API's code; 0 when the response is not the API's, but a proxy's. */
    readonly code: number,
    message: string,
    readonly details: readonly ErrorDetail[] = [],
    /** Further members of the error, such as the versions of a conflict. */
    readonly more: Readonly<Record<string, unknown>> = {},
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.name = 'ApiRequestError'
  }
}

export function createApiClient(options: ClientOptions): ApiClient {
  const send = async (endpoint: Endpoint, request: LooseRequest = {}) => {
    const response = await exchange(options, endpoint, request)
    if (!response.ok) throw await errorOf(response)
    return response
  }
  return {
    send: (endpoint, ...[request]) => send(endpoint, request),
    async call<E extends Endpoint>(endpoint: E, ...[request]: RequestArguments<E>) {
      const response = await send(endpoint, request)
      // The reply has the shape of the contract: the server serializes by the same schema.
      return (await readJson(response)) as ReplyOf<E>
    },
  }
}

/** A request whose types were checked by `call` and `send`. */
interface LooseRequest extends CallOptions {
  readonly params?: Readonly<Record<string, string | number>> | undefined
  readonly query?: unknown
  readonly body?: unknown
}

async function exchange(
  { baseUrl, token, fetch: send = fetch }: ClientOptions,
  { method, path }: Pick<Endpoint, 'method' | 'path'>,
  { params, query, body, form, headers, signal }: LooseRequest,
): Promise<Response> {
  const url = `${baseUrl}/v1${fillPath(path, params)}${queryString(query)}`
  const content = form ?? (body === undefined ? undefined : JSON.stringify(body))
  try {
    return await send(url, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(typeof content === 'string' && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(content !== undefined && { body: content }),
      ...(signal !== undefined && { signal }),
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ApiRequestError(0, 0, 'The server cannot be reached.', [], {}, { cause: error })
  }
}

function fillPath(path: string, params: LooseRequest['params']): string {
  return path.replace(/:(\w+)/g, (_, name: string) => {
    const value = String(params?.[name] ?? '')
    // URL parsers remove these segments, so that the request would go to another path.
    if (/^\.{0,2}$/.test(value)) throw new RangeError(`The path parameter "${name}" cannot be "${value}"`)
    return encodeURIComponent(value)
  })
}

function queryString(query: unknown): string {
  const pairs = Object.entries(query ?? {}).flatMap(([name, value]) =>
    [value].flat().flatMap((one) => (one === undefined ? [] : [[name, String(one)]])),
  )
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`
}

async function readJson(response: Response): Promise<unknown> {
  const text = await response.text()
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ApiRequestError(response.status, 0, 'The reply is not JSON.', [], {}, { cause: error })
  }
}

async function errorOf(response: Response): Promise<ApiRequestError> {
  const { status } = response
  const reply = (await readJson(response).catch(() => undefined)) as
    | { readonly error?: { code: number; message: string; details?: readonly ErrorDetail[] } }
    | undefined
  if (reply?.error === undefined)
    return new ApiRequestError(status, 0, `The request failed with status ${status}.`)
  const { code, message, details, ...more } = reply.error
  return new ApiRequestError(status, code, message, details, more)
}

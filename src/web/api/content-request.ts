/** Requests to content: each operation of the content of a space has a twin for that of a change request. */
import type { ClientRequest } from '../../contract/client.js'
import type { Endpoint, ParamOf } from '../../contract/endpoint.js'
import type { ContentSource } from './queries.js'

/** The parameters besides those of the source. */
type OtherParams<E extends Endpoint> = Exclude<ParamOf<E>, 'spaceId'>
type ContentRequest<E extends Endpoint> = Omit<ClientRequest<E>, 'params'> &
  ([OtherParams<E>] extends [never]
    ? { readonly params?: never }
    : { readonly params: Readonly<Record<OtherParams<E>, string | number>> })

/** Returns what `api.call` and `api.send` take: the operation that the source needs, and the request with its parameters. */
export function contentRequest<E extends Endpoint>(
  { space: spaceId, change: changeRequestId }: ContentSource,
  ofSpace: E,
  ofChangeRequest: Endpoint & Pick<E, 'method' | 'query' | 'body' | 'reply'>,
  { params, ...request }: ContentRequest<E>,
): [endpoint: E, request: ClientRequest<E>] {
  const endpoint = changeRequestId === undefined ? ofSpace : ofChangeRequest
  const all = { spaceId, ...(changeRequestId !== undefined && { changeRequestId }), ...params }
  // Both have the same query, body and reply.
  return [endpoint as E, { ...request, params: all } as unknown as ClientRequest<E>]
}

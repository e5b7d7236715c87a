/**
 * Cursor pagination: the cursor of a list, prefixed with a checksum of the operation, its path parameters and its
 * filters. `route()` seals and opens all cursors, so a cursor is refused by every other list, and no list can forget
 * that. The checksum catches mistakes, not attacks: a forged cursor reveals nothing that the list does not show anyway.
 */
import { createHash } from 'node:crypto'
import type { Endpoint } from '../../contract/endpoint.js'
import { ApiError } from '../../contract/errors.js'

type Values = Readonly<Record<string, unknown>>

/** The cursors of one request. */
interface SealedCursors<Query> {
  /**
   * The query with the list's own, unsealed cursor; reading it throws `invalid_page_cursor` for one of another list.
   */
  readonly query: Query
  /** Returns the reply of the list with its cursor sealed. */
  seal<Reply>(reply: Reply): Reply
}

const sealLength = 10

/** Returns the function that opens and seals the cursors of an operation; it does nothing for one that is no list. */
export function cursorsOf({ operationId, params, query: shape }: Endpoint) {
  const members = 'properties' in shape ? Object.keys(shape.properties as object) : []
  // "page" alone may name a page of the content.
  const isList = members.includes('page') && members.includes('limit')
  const filters = members.filter((name) => name !== 'page' && name !== 'limit').toSorted()

  return <Query>(pathParams: Readonly<Record<string, string>>, query: Query): SealedCursors<Query> => {
    if (!isList) return { query, seal: (reply) => reply }
    const values = query as Values
    const binding = JSON.stringify([
      operationId,
      params.map((name) => pathParams[name]),
      filters.map((name) => values[name] ?? null),
    ])
    return {
      query: values['page'] === undefined ? query : { ...query, page: open(binding, String(values['page'])) },
      seal(reply) {
        const { next } = reply as { next?: { page: string } }
        return next === undefined
          ? reply
          : { ...reply, next: { page: sealOf(binding, next.page) + next.page } }
      },
    }
  }
}

function open(binding: string, page: string): string {
  const cursor = page.slice(sealLength)
  if (page.slice(0, sealLength) !== sealOf(binding, cursor)) throw new ApiError('invalid_page_cursor')
  return cursor
}

function sealOf(binding: string, cursor: string): string {
  return createHash('sha256')
    .update(JSON.stringify([binding, cursor]))
    .digest('base64url')
    .slice(0, sealLength)
}

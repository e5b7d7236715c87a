/**
 * Cursors of lists, as they cross the wire: what the list gave, behind a seal of the operation, its place and its
 * filters. `route()` seals and opens them all, so a cursor is refused where it was not given, and no list can forget
 * that. The seal catches mistakes, not attacks: a forged cursor shows nothing that the list does not show anyway.
 */
import { createHash } from 'node:crypto'
import type { Endpoint } from '../../contract/endpoint.js'
import { ApiError } from '../../contract/errors.js'

type Values = Readonly<Record<string, unknown>>

/** The cursors of one list, as somebody asks for it. */
interface Cursors<Query> {
  /** The query as the list wants it, with its own cursor; throws `invalid_page_cursor` for one of another list. */
  readonly query: Query
  /** Returns the reply of the list with its cursor sealed. */
  seal<Reply>(reply: Reply): Reply
}

const sealLength = 10

/** Returns what opens and seals the cursors of an operation; for one that is no list, nothing is done. */
export function cursorsOf({ operationId, params, query: shape }: Endpoint) {
  const members = 'properties' in shape ? Object.keys(shape.properties as object) : []
  // A "page" alone may name one of the content.
  const isList = members.includes('page') && members.includes('limit')
  const filters = members.filter((name) => name !== 'page' && name !== 'limit').toSorted()

  return <Query>(place: Readonly<Record<string, string>>, query: Query): Cursors<Query> => {
    if (!isList) return { query, seal: (reply) => reply }
    const given = query as Values
    const binding = JSON.stringify([
      operationId,
      params.map((name) => place[name]),
      filters.map((name) => given[name] ?? null),
    ])
    return {
      query: given['page'] === undefined ? query : { ...query, page: open(binding, String(given['page'])) },
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

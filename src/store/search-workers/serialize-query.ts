/**
 * Serialization of search queries for worker threads. The visibility rule is a function that builds an SQL expression: it
 * is called before, and sent as its syntax tree of plain values.
 */
import { ExpressionWrapper, type OperationNode, type SqlBool, expressionBuilder } from 'kysely'
import type { Tables } from '../db/tables.js'
import type { SectionScope } from '../search/engine.js'
import type { SearchQuery } from './execute-search.js'

type ListedSpaces = Extract<SectionScope, { readonly spaceIds: unknown }>
type SpacesByRule = Pick<SectionScope, 'organizationId'> & { readonly rule: OperationNode }

export type SerializedQuery = Omit<SearchQuery, 'scope'> & { readonly scope: ListedSpaces | SpacesByRule }

export function serializeQuery(query: SearchQuery): SerializedQuery {
  const { scope } = query
  if ('spaceIds' in scope) return { ...query, scope }
  const { organizationId, isInScope } = scope
  const rule = isInScope(expressionBuilder<Tables, 'spaces'>()).toOperationNode()
  return { ...query, scope: { organizationId, rule } }
}

export function deserializeQuery(serialized: SerializedQuery): SearchQuery {
  const { scope } = serialized
  if ('spaceIds' in scope) return { ...serialized, scope }
  const { organizationId, rule } = scope
  const isInScope = () => new ExpressionWrapper<Tables, 'spaces', SqlBool>(rule)
  return { ...serialized, scope: { organizationId, isInScope } }
}

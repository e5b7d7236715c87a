/**
 * A question on its way into a thread. The rule of who may find what is a function that makes an expression of SQL:
 * it is made before the question leaves, and travels as its tree of plain values.
 */
import { ExpressionWrapper, type OperationNode, type SqlBool, expressionBuilder } from 'kysely'
import type { Tables } from '../db/tables.js'
import type { SectionScope } from '../search/engine.js'
import type { SearchQuery } from './execute-search.js'

type ByName = Extract<SectionScope, { readonly spaceIds: unknown }>
type ByRule = Pick<SectionScope, 'organizationId'> & { readonly rule: OperationNode }

export type SerializedQuery = Omit<SearchQuery, 'scope'> & { readonly scope: ByName | ByRule }

export function serializeQuery(question: SearchQuery): SerializedQuery {
  const { scope } = question
  if ('spaceIds' in scope) return { ...question, scope }
  const { organizationId, isInScope } = scope
  const rule = isInScope(expressionBuilder<Tables, 'spaces'>()).toOperationNode()
  return { ...question, scope: { organizationId, rule } }
}

export function deserializeQuery(packed: SerializedQuery): SearchQuery {
  const { scope } = packed
  if ('spaceIds' in scope) return { ...packed, scope }
  const { organizationId, rule } = scope
  const isInScope = () => new ExpressionWrapper<Tables, 'spaces', SqlBool>(rule)
  return { ...packed, scope: { organizationId, isInScope } }
}

/**
 * A question on its way into a thread. The rule of who may find what is a function that makes an expression of SQL:
 * it is made before the question leaves, and travels as its tree of plain values.
 */
import { ExpressionWrapper, type OperationNode, type SqlBool, expressionBuilder } from 'kysely'
import type { Tables } from '../db/tables.js'
import type { Searched } from '../search/engine.js'
import type { SearchQuestion } from './question.js'

type ByName = Extract<Searched, { readonly spaceIds: unknown }>
type ByRule = Pick<Searched, 'organizationId'> & { readonly rule: OperationNode }

export type PackedQuestion = Omit<SearchQuestion, 'searched'> & { readonly searched: ByName | ByRule }

export function packQuestion(question: SearchQuestion): PackedQuestion {
  const { searched } = question
  if ('spaceIds' in searched) return { ...question, searched }
  const { organizationId, isSearched } = searched
  const rule = isSearched(expressionBuilder<Tables, 'spaces'>()).toOperationNode()
  return { ...question, searched: { organizationId, rule } }
}

export function unpackQuestion(packed: PackedQuestion): SearchQuestion {
  const { searched } = packed
  if ('spaceIds' in searched) return { ...packed, searched }
  const { organizationId, rule } = searched
  const isSearched = () => new ExpressionWrapper<Tables, 'spaces', SqlBool>(rule)
  return { ...packed, searched: { organizationId, isSearched } }
}

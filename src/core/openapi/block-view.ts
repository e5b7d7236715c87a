/** View of an API block: the part of its specification that it embeds. */
import { type Budget, type Limits, pageLimits } from '../budget.js'
import { isCutSchema, readOperation, readSchemas } from './operation.js'
import type { NamedBlock } from './block-words.js'
import type { Specification } from './specification.js'
import type { SpecificationView } from './view.js'

/** Budget of all blocks of a page: each may use half of the rest. */
export const viewLimits: Limits = { ...pageLimits, steps: 800_000 }

/** Returns the view of a block; one without members where the specification has nothing of these names. */
export function viewOfBlock(
  specification: Specification,
  { type, path, method, name, schemas = [] }: NamedBlock,
  budget: Budget,
): SpecificationView {
  if (type === 'openapi-schemas') return { schemas: readSchemas(specification, schemas, budget) }
  const kind = type === 'openapi-webhook' ? 'webhook' : 'operation'
  const names = { kind, path: (kind === 'webhook' ? name : path) ?? '', method: method ?? 'post' } as const
  const operation = readOperation(specification, names, budget)
  return operation === undefined ? {} : { operation }
}

/** Returns whether a view omits a part of what its block names. */
export function isCutView({ operation, schemas = [] }: SpecificationView): boolean {
  return operation?.isCut === true || schemas.some(isCutSchema)
}

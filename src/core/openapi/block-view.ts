/** View of an API block: the part of its specification that it embeds. */
import type { NamedBlock } from '../document/openapi.js'
import { type Budget, type Limits, pageLimits } from '../budget.js'
import {
  type OperationName,
  hasOperation,
  hasSchema,
  isCutSchema,
  readOperation,
  readSchemas,
} from './operation.js'
import type { Specification } from './specification.js'
import type { MissingPart, SpecificationView } from './view.js'

/** Budget of all blocks of a page: each may use half of the rest. */
export const viewLimits: Limits = { ...pageLimits, steps: 800_000 }

/** Returns the view of a block; one without members where its author hides the operation. */
export function viewOfBlock(
  specification: Specification,
  block: NamedBlock,
  budget: Budget,
): SpecificationView {
  const missing = findMissingPart(specification, block)
  if (block.type === 'openapi-schemas') {
    const schemas = readSchemas(specification, block.schemas ?? [], budget)
    return { schemas, ...(missing && { missing }) }
  }
  if (missing !== undefined) return { missing }
  const operation = readOperation(specification, operationName(block), budget)
  return operation === undefined ? {} : { operation }
}

/** Returns what the specification does not have of what a block names; a block that names nothing misses nothing. */
export function findMissingPart(specification: Specification, block: NamedBlock): MissingPart | undefined {
  if (block.type === 'openapi-schemas') {
    const names = (block.schemas ?? []).filter((name) => !hasSchema(specification, name))
    return names.length === 0 ? undefined : { kind: 'schema', names }
  }
  const name = operationName(block)
  if (name.path === '' || hasOperation(specification, name)) return undefined
  return { kind: name.kind, names: [`${name.method.toUpperCase()} ${name.path}`] }
}

function operationName({ type, path, method = 'post', name }: NamedBlock): OperationName {
  const kind = type === 'openapi-webhook' ? 'webhook' : 'operation'
  return { kind, path: (kind === 'webhook' ? name : path) ?? '', method }
}

/** Returns whether a view omits a part of what its block names. */
export function isCutView({ operation, schemas = [] }: SpecificationView): boolean {
  return operation?.isCut === true || schemas.some(isCutSchema)
}

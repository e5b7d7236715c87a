/** Validation and storage format of visitor schemas. Older stored ones may be outside of the dialect that is accepted now. */
import { ApiError } from '../../contract/errors.js'
import { limits } from '../../contract/limits.js'
import { findFormProblem } from '../../core/conditions/visitor-schema-form.js'
import { type VisitorSchema, readVisitorSchema } from '../../core/conditions/visitor-schema.js'
import type { JsonObject } from '../../core/json-schema/json.js'

/** Returns the stored text of a schema; throws 400, naming the wrong member, for an invalid one. */
export function serializeVisitorSchema(source: JsonObject): string {
  const text = JSON.stringify(source)
  if (text.length > limits.visitorSchemaLength)
    throw refuse([], `is longer than ${limits.visitorSchemaLength} characters`)
  const form = findFormProblem(source)
  if (form !== undefined) throw refuse(form.path, form.problem)
  const read = readVisitorSchema(source)
  if ('problem' in read) throw refuse(read.path, read.problem)
  return text
}

function refuse(path: readonly string[], problem: string): ApiError {
  const member = ['jsonSchema', ...path].join('.')
  return new ApiError('invalid_request', { problem: `The member "${member}" ${problem}.` })
}

/** Returns the schema of a stored text. */
export function parseVisitorSchema(text: string): VisitorSchema {
  const read = readVisitorSchema(JSON.parse(text) as JsonObject)
  if ('problem' in read) throw new Error(`A stored visitor schema is invalid: ${read.problem}`)
  return read
}

/** A visitor schema as it comes in, and as it is kept. */
import { ApiError } from '../../contract/errors.js'
import { limits } from '../../contract/limits.js'
import { type VisitorSchema, readVisitorSchema } from '../../core/conditions/visitor-schema.js'
import type { JsonObject } from '../../core/json-schema/json.js'

/** Returns the text that is kept of a schema; throws 400, naming what is wrong, for one that cannot be used. */
export function requireVisitorSchema(source: JsonObject): string {
  const text = JSON.stringify(source)
  if (text.length > limits.visitorSchemaLength)
    throw refuse([], `is longer than ${limits.visitorSchemaLength} characters`)
  const read = readVisitorSchema(source)
  if ('problem' in read) throw refuse(read.path, read.problem)
  return text
}

function refuse(path: readonly string[], problem: string): ApiError {
  const member = ['jsonSchema', ...path].join('.')
  return new ApiError('invalid_request', { problem: `The member "${member}" ${problem}.` })
}

/** Returns the schema of a text that was kept. */
export function openVisitorSchema(text: string): VisitorSchema {
  const read = readVisitorSchema(JSON.parse(text) as JsonObject)
  if ('problem' in read) throw new Error(`A visitor schema that was kept is none: ${read.problem}`)
  return read
}

/** Whether what somebody sends has the shape that the contract gives it, and what is said of it when it has not. */
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import fastJsonStringify from 'fast-json-stringify'
import { ApiError, type ErrorDetail } from '../../contract/errors.js'

/**
 * Checkers and writers are made when a request first needs them, and kept as long as their shape: shapes are constants,
 * and making those of all operations takes a third of a second.
 */
const checks = {
  body: new WeakMap<object, ValidateFunction>(),
  text: new WeakMap<object, ValidateFunction>(),
}
const writers = new WeakMap<object, (value: unknown) => string>()

const makers = { body: lazily(createBodyMaker), text: lazily(createTextMaker) }

/** Throws 400 for a value that could not be the body of a request, as its operation would; fills in what has a default. */
export function requireShape(shape: object, value: unknown): void {
  const validate = checkOf(shape, 'body')
  if (!validate(value)) throw shapeError(validate.errors ?? [], 'body')
}

/** Bodies are taken as they are; `text`, members of a query, arrives as text and is turned into what the shape says. */
export function checkOf(shape: object, form: 'body' | 'text'): ValidateFunction {
  return keptIn(checks[form], shape, () => makers[form]().compile(shape))
}

/** Writes values of a shape as JSON, and nothing that the shape does not name. */
export function writerOf(shape: object): (value: unknown) => string {
  return keptIn(writers, shape, () => fastJsonStringify(shape))
}

function createTextMaker(): Ajv {
  return withFormats(new Ajv({ allErrors: false, strict: false, useDefaults: true, coerceTypes: 'array' }))
}

function createBodyMaker(): Ajv {
  return withFormats(new Ajv({ allErrors: false, strict: false, useDefaults: true, discriminator: true }))
}

function withFormats(ajv: Ajv): Ajv {
  addFormats.default(ajv)
  const isUri = addFormats.default.get('uri') as (text: string) => boolean
  const time = addFormats.default.get('date-time') as { readonly validate: (text: string) => boolean }
  // The grammars allow hosts that no program can ask and seconds that no clock has here: what is let in is read as
  // those do who work with it.
  ajv.addFormat('uri', (text: string) => isUri(text) && URL.canParse(text))
  ajv.addFormat('date-time', (text: string) => time.validate(text) && !Number.isNaN(Date.parse(text)))
  return ajv
}

function lazily<Value>(make: () => Value): () => Value {
  let made: Value | undefined
  return () => (made ??= make())
}

function keptIn<Value>(kept: WeakMap<object, Value>, key: object, make: () => Value): Value {
  let value = kept.get(key)
  if (value === undefined) kept.set(key, (value = make()))
  return value
}

/** What the parts of a request are called, by what the server calls them. */
export const partNames: Record<string, string> = {
  querystring: 'query',
  params: 'path',
  body: 'body',
  headers: 'headers',
}

/** Returns the error that names the first member that is wrong, and tells of all of them. */
export function shapeError(errors: readonly ErrorObject[], httpPart: string): ApiError {
  const part = partNames[httpPart] ?? httpPart
  const details = errors.map((error): ErrorDetail => ({ path: pathOf(error, part), message: allowed(error) }))
  const [first] = details
  if (first === undefined)
    return new ApiError('invalid_request', { problem: `The ${part} has a wrong shape.` })
  const problem =
    first.path === part ? `The ${part} ${first.message}.` : `The member "${first.path}" ${first.message}.`
  return new ApiError('invalid_request', { problem }, details)
}

/** `/changes/0/title` in the body becomes `body.changes[0].title`. */
function pathOf(error: ErrorObject, part: string): string {
  let path = part
  for (const step of error.instancePath.split('/').slice(1)) {
    path += /^\d+$/.test(step) ? `[${step}]` : `.${step.replaceAll('~1', '/').replaceAll('~0', '~')}`
  }
  const missing = (error.params as { missingProperty?: string }).missingProperty
  return missing === undefined ? path : `${path}.${missing}`
}

function allowed(error: ErrorObject): string {
  const params = error.params as Record<string, unknown>
  switch (error.keyword) {
    case 'required':
      return 'is missing'
    case 'enum':
      return `must be one of ${(params['allowedValues'] as unknown[]).map((value) => JSON.stringify(value)).join(', ')}`
    case 'discriminator':
      return `must have a known "${String(params['tag'])}"`
    case 'type':
      return `must be ${[params['type']].flat().join(' or ')}`
    case 'minLength':
      return `must have at least ${String(params['limit'])} characters`
    case 'maxLength':
      return `must have at most ${String(params['limit'])} characters`
    case 'format':
      return `must be a valid ${String(params['format'])}`
    case 'pattern':
      return `must match ${String(params['pattern'])}`
    default:
      return error.message ?? 'is not allowed'
  }
}

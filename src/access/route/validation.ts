/** Validation of requests against the schemas of the contract, with readable errors, and serialization of replies. */
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import fastJsonStringify from 'fast-json-stringify'
import { ApiError, type ErrorDetail } from '../../contract/errors.js'

/**
 * Validators and serializers are compiled when a request first needs them, and cached as long as their schema: schemas
 * are constants, and compiling those of all operations takes a third of a second.
 */
const checks = {
  body: new WeakMap<object, ValidateFunction>(),
  text: new WeakMap<object, ValidateFunction>(),
}
const writers = new WeakMap<object, (value: unknown) => string>()

const makers = { body: lazily(createBodyMaker), text: lazily(createTextMaker) }

/** Throws 400 for a value that does not match the schema, as for the body of a request; fills in defaults. */
export function requireShape(shape: object, value: unknown): void {
  const validate = validatorOf(shape, 'body')
  if (!validate(value)) throw shapeError(validate.errors ?? [], 'body')
}

/**
 * Returns the validator of a schema. Bodies are checked as they are; `text`, the members of a query, is coerced to the
 * types of the schema.
 */
export function validatorOf(shape: object, form: 'body' | 'text'): ValidateFunction {
  return getOrCreate(checks[form], shape, () => makers[form]().compile(shape))
}

/** Returns a function that writes values as JSON, with only the members that the schema names. */
export function serializerOf(shape: object): (value: unknown) => string {
  return getOrCreate(writers, shape, () => fastJsonStringify(shape))
}

function createTextMaker(): Ajv {
  return withFormats(
    new Ajv({ allErrors: false, strict: false, useDefaults: true, coerceTypes: 'array', verbose: true }),
  )
}

function createBodyMaker(): Ajv {
  return withFormats(
    new Ajv({ allErrors: false, strict: false, useDefaults: true, discriminator: true, verbose: true }),
  )
}

function withFormats(ajv: Ajv): Ajv {
  addFormats.default(ajv)
  const isUri = addFormats.default.get('uri') as (text: string) => boolean
  const time = addFormats.default.get('date-time') as { readonly validate: (text: string) => boolean }
  // The formats of the library allow hosts and seconds that the URL and date parsers reject, so those parsers check
  // them as well.
  ajv.addFormat('uri', (text: string) => isUri(text) && URL.canParse(text))
  ajv.addFormat('date-time', (text: string) => time.validate(text) && !Number.isNaN(Date.parse(text)))
  return ajv
}

function lazily<Value>(make: () => Value): () => Value {
  let made: Value | undefined
  return () => (made ??= make())
}

function getOrCreate<Value>(cache: WeakMap<object, Value>, key: object, make: () => Value): Value {
  let value = cache.get(key)
  if (value === undefined) cache.set(key, (value = make()))
  return value
}

/** Names of the parts of a request in error messages, by Fastify's names. */
export const partNames: Record<string, string> = {
  querystring: 'query',
  params: 'path',
  body: 'body',
  headers: 'headers',
}

/** Returns a 400 whose message names the first invalid member, and whose details list all of them. */
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
  const params = error.params as { readonly missingProperty?: string; readonly additionalProperty?: string }
  const member = params.missingProperty ?? params.additionalProperty
  return member === undefined ? path : `${path}.${member.slice(0, 100)}`
}

function allowed(error: ErrorObject): string {
  const params = error.params as Record<string, unknown>
  switch (error.keyword) {
    case 'required':
      return 'is missing'
    case 'additionalProperties': {
      const known = Object.keys((error.parentSchema as { properties?: object } | undefined)?.properties ?? {})
      return known.length === 0 ? 'is unknown' : `is unknown: allowed are ${known.join(', ')}`
    }
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

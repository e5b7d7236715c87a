/**
 * JSON request bodies. A large one is decoded and parsed in a worker thread: parsed in this thread, ten megabytes of text
 * block every other request for 20 to 70 milliseconds; the structured clone of the value takes 5 to 17. Only for a body of
 * nothing but keys and small values does it take as long as parsing.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from '../../contract/errors.js'
import { limits } from '../../contract/limits.js'
import { type JsonLimits, type ParsedJson, parseBoundedJson } from '../../core/bounded-json.js'

/** Parses the bytes of a body in another thread. */
export type ParseLargeJson = (body: Uint8Array, limits: JsonLimits) => Promise<ParsedJson>

/** Bodies up to this size are parsed in this thread, in about a millisecond. */
const inPlaceBytes = 256 * 1024
const bodyLimits: JsonLimits = { values: limits.jsonValues, depth: limits.jsonDepth }

/** Replaces Fastify's parser of JSON bodies. Clients send the JSON content type with every operation, also without a body. */
export function addJsonParser(server: FastifyInstance, parseLarge: ParseLargeJson | undefined): void {
  server.removeContentTypeParser('application/json')
  server.addContentTypeParser<Buffer>(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      if (body.length === 0) return undefined
      const parsed =
        parseLarge === undefined || body.length <= inPlaceBytes
          ? parseBoundedJson(body.toString(), bodyLimits)
          : await parseLarge(body, bodyLimits)
      if (parsed.refusal !== undefined) throw refusalError(parsed.refusal)
      // Validation would take it for a missing body.
      if (parsed.value === null && request.routeOptions.schema?.body !== undefined)
        throw new ApiError('invalid_request', { problem: 'The body must be object.' })
      return parsed.value
    },
  )
}

function refusalError(refusal: 'invalid' | keyof JsonLimits): ApiError {
  if (refusal === 'invalid')
    return new ApiError('invalid_json', { problem: 'it cannot be parsed, or names a prototype' })
  const problem =
    refusal === 'values'
      ? `it holds more than ${bodyLimits.values} values`
      : `it is nested deeper than ${bodyLimits.depth} levels`
  return new ApiError('invalid_request', { problem: `The body is refused before it is read: ${problem}.` })
}

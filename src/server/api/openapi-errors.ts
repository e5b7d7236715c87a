/** Errors of operations in the OpenAPI document: the statuses that an operation may be answered with, by name. */
import { NoSchema, type Endpoint } from '../../contract/endpoint.js'

const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }
const retryAfter = {
  'Retry-After': { description: 'Seconds after which to repeat the request.', schema: { type: 'integer' } },
}

/** Responses of the document, which operations refer to. */
export const errorResponses = {
  BadRequest: {
    description: 'Bad request: the message names the invalid part, and what is allowed.',
    content,
  },
  Unauthorized: {
    description: 'Unauthorized: the access token is missing, unknown, expired or revoked.',
    content,
  },
  Forbidden: { description: 'Forbidden: your role, or your token, does not allow this.', content },
  NotFound: { description: 'Not found: it does not exist, or is not visible to you.', content },
  Conflict: {
    description: 'Conflict: the current state does not allow this, or changed at the same moment.',
    content,
  },
  PreconditionFailed: {
    description:
      'Precondition failed: it cannot be moved to another organization, or `If-Match` names no revision.',
    content,
  },
  ContentTooLarge: { description: 'Content too large: the body exceeds a limit.', content },
  UnsupportedMediaType: {
    description: 'Unsupported media type: the message names the content types that are accepted.',
    content,
  },
  TooManyRequests: {
    description: 'Too many requests: a rate limit, or a limit of concurrent work.',
    headers: retryAfter,
    content,
  },
  ServiceUnavailable: {
    description: 'Service unavailable: the server is busy, or the database cannot be reached.',
    headers: retryAfter,
    content,
  },
  Error: { description: 'Any other error.', content },
} as const

const refer = (name: keyof typeof errorResponses) => ({ $ref: `#/components/responses/${name}` })

/** Returns the error responses of an operation by status. */
export function errorsOf(endpoint: Endpoint): Record<string, object> {
  const { params, path, reads, body, upload, revisionTag } = endpoint
  const hasBody = body !== NoSchema || upload
  return {
    400: refer('BadRequest'),
    401: refer('Unauthorized'),
    403: refer('Forbidden'),
    ...(params.length > 0 && { 404: refer('NotFound') }),
    ...(!reads && { 409: refer('Conflict') }),
    ...((path.endsWith('/transfer') || (revisionTag && !reads)) && { 412: refer('PreconditionFailed') }),
    ...(hasBody && { 413: refer('ContentTooLarge'), 415: refer('UnsupportedMediaType') }),
    429: refer('TooManyRequests'),
    503: refer('ServiceUnavailable'),
    default: refer('Error'),
  }
}

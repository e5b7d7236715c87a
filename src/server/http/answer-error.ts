/** Error handler: the one place where an error becomes a response. What the caller did not cause is logged, not sent. */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { jsonTypes } from '../../access/http/body-types.js'
import { TooManyAttempts } from '../../access/signin/rate-limit.js'
import { ApiError } from '../../contract/errors.js'
import { limits } from '../../contract/limits.js'
import { ContentDamaged } from '../../store/content/content-damaged.js'
import {
  DatabaseDamaged,
  DatabaseUnavailable,
  OutcomeUnknown,
  StorageFull,
} from '../../store/db/unavailable.js'
import { isDiskFull, operatorMessage } from '../operator-message.js'
import { noStore } from './headers.js'
import type { OutageLog } from './outage-log.js'

/** Reported by the answer alone: under load a log line for each would add to the load, and a stop is no failure. */
const unloggedErrors: ReadonlySet<string> = new Set(['search_busy', 'import_interrupted', 'pdf_failed'])
/** Seconds after which a client may ask again while the database is away. */
const retryAfter = 2

export function answerError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  outages?: OutageLog,
): FastifyReply {
  const answer = toApiError(error, request)
  if (answer.errorName === 'database_unavailable') outages?.report(request.log, error as Error, true)
  else if (answer.errorName === 'storage_full' && outages !== undefined)
    outages.reportFullDisk(request.log, operatorMessage(error) ?? answer.message)
  else if (answer.status >= 500 && !unloggedErrors.has(answer.errorName)) {
    const reason = operatorMessage(error)
    const cause = reason === undefined ? { err: error } : { reason }
    request.log.error({ ...cause, requestId: request.id }, 'request failed')
  }
  const { status, message, details, more } = answer
  // A stream that was refused half-way cannot be read to its end: the connection is not used again.
  if (status === 413) reply.header('connection', 'close')
  if (['busy', 'search_busy', 'insights_busy'].includes(answer.errorName)) reply.header('retry-after', 1)
  if (answer.errorName === 'imports_busy' || answer.errorName === 'pdfs_busy') reply.header('retry-after', 10)
  if (answer instanceof TooManyAttempts) reply.headers(answer.headers)
  // Not when the outcome is unknown: clients that retry by themselves would do it twice.
  if (answer.errorName === 'database_unavailable') reply.header('retry-after', retryAfter)
  return reply
    .code(status)
    .headers(noStore)
    .removeHeader('etag')
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify({ error: { code: status, message, ...(details && { details }), ...more } }))
}

function toApiError(error: unknown, request: FastifyRequest): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof DatabaseUnavailable)
    return new ApiError('database_unavailable', { seconds: retryAfter })
  if (error instanceof OutcomeUnknown) return new ApiError('outcome_unknown')
  if (error instanceof ContentDamaged || error instanceof DatabaseDamaged)
    return new ApiError('content_damaged')
  if (error instanceof StorageFull || isDiskFull(error)) return new ApiError('storage_full')
  const { code, statusCode, message } = error as FastifyError
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new ApiError('body_too_large', { limit: `${request.routeOptions.bodyLimit / 1_000_000} MB` })
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new ApiError('unsupported_content_type', {
        received: request.headers['content-type'] ?? 'none',
        allowed: (request.routeOptions.config.bodyTypes ?? jsonTypes).join(', '),
      })
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new ApiError('invalid_request', {
        problem: 'The body is not as long as its Content-Length says.',
      })
    case 'FST_ERR_BAD_URL':
      return new ApiError('invalid_request', { problem: 'The address is not percent-encoded UTF-8.' })
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return addressPartTooLong()
    case 'FST_PARTS_LIMIT':
    case 'FST_FIELDS_LIMIT':
    case 'FST_FILES_LIMIT':
      return new ApiError('form_too_large', {
        problem: `it holds more than one file and ${limits.formFields} fields`,
      })
    case 'FST_REQ_FILE_TOO_LARGE':
      return new ApiError('body_too_large', { limit: '100 MB' })
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new ApiError('invalid_request', { problem: message })
  }
  return new ApiError('internal', { requestId: request.id })
}

const addressPartTooLong = () =>
  new ApiError('invalid_request', {
    problem: `A part of the address is longer than ${limits.addressPart} bytes.`,
  })

/** Answers requests for which there is no route; a part of the address that is too long for a parameter is why there is none. */
export function answerUnknownRoute(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const path = request.url.split('?')[0]!
  const isTooLong = path.split('/').some((part) => part.length > limits.addressPart)
  const error = isTooLong
    ? addressPartTooLong()
    : new ApiError('route_not_found', { method: request.method, path })
  return answerError(error, request, reply)
}

/** Response checks: statuses and shapes must be those of the contract, without data of another organization. */
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { NoSchema, type Endpoint } from '../../src/contract/endpoint.js'
import { errorCatalogue } from '../../src/contract/errors.js'
import type { FuzzRequest } from './make-request.js'

export interface FuzzResponse {
  readonly status: number
  readonly contentType: string
  /** Headers and body. */
  readonly text: string
  readonly body: string
  readonly milliseconds: number
}

const ajv = new Ajv({ strict: false, logger: false })
addFormats.default(ajv)
const refusals = new Set<number>(Object.values(errorCatalogue).map(({ status }) => status))
refusals.delete(500)

/** Milliseconds within which every response comes, on an idle machine. */
export const longest = 1000

/** Returns the faults of the response, one line each. Slow responses are reported separately. */
export function findFaults(
  endpoint: Endpoint,
  request: FuzzRequest,
  answer: FuzzResponse,
  mark: string,
): string[] {
  const { status, body, contentType, text } = answer
  const faults: string[] = []
  if (request.actor !== 'B.admin' && text.includes(mark)) faults.push('tells of another organization')
  if (status >= 200 && status < 300) {
    const wanted = [
      endpoint.success,
      204,
      ...(endpoint.mayCreate ? [201] : []),
      ...(endpoint.accepted ? [202] : []),
    ]
    const isOther = request.method !== endpoint.method
    if (!isOther && !wanted.includes(status))
      faults.push(`has the status ${status}, which the contract does not name`)
    if (!isOther && status === endpoint.success && endpoint.reply !== NoSchema && !fits(endpoint, body))
      faults.push(`has another shape than the contract says: ${ajv.errorsText().slice(0, 300)}`)
    return faults
  }
  if (!refusals.has(status)) return [...faults, `has the status ${status}`]
  if (!contentType.startsWith('application/json'))
    return [...faults, `is a refusal of the type ${contentType}`]
  const { error } = JSON.parse(body) as { error?: { code?: unknown; message?: unknown } }
  if (error?.code !== status || typeof error.message !== 'string')
    faults.push('is a refusal of another shape')
  return faults
}

function fits({ reply }: Endpoint, body: string): boolean {
  try {
    return ajv.validate(reply, JSON.parse(body))
  } catch {
    return false
  }
}

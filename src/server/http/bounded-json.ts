/**
 * Counts what a JSON text holds before it is parsed: a few megabytes of brackets would become gigabytes of objects.
 * One pass over the text, strings are skipped; whether it is JSON at all is for the parser to say.
 */
import { ApiError } from '../../contract/errors.js'
import { limits } from '../../contract/limits.js'
import { scanJson } from '../../core/json-scan.js'

/** Throws 400 for more values, or deeper nesting, than a body may have. */
export function requireBounded(text: string): void {
  scanJson(text, createBounds())
}

/** Counts the values of one body, by its commas and containers; throws 400 at the first that is too many. */
export function createBounds() {
  let depth = 0
  let values = 1
  const count = () => {
    if (++values > limits.jsonValues) throw refused(`it holds more than ${limits.jsonValues} values`)
  }
  return {
    count,
    open() {
      count()
      if (++depth > limits.jsonDepth) throw refused(`it is nested deeper than ${limits.jsonDepth} levels`)
    },
    close() {
      depth--
    },
  }
}

function refused(problem: string): ApiError {
  return new ApiError('invalid_request', { problem: `The body is refused before it is read: ${problem}.` })
}

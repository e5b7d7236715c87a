/**
 * JSON size limits: counts the values and the depth of a JSON text before it is parsed, because a few megabytes of
 * brackets would become gigabytes of objects. One pass over the text that skips strings; it does not check whether the
 * text is valid JSON, the parser does.
 */
import { ApiError } from '../../contract/errors.js'
import { limits } from '../../contract/limits.js'
import { scanJson } from '../../core/json-scan.js'

/** Throws 400 for more values, or deeper nesting, than a body may have. */
export function requireBounded(text: string): void {
  scanJson(text, createBounds())
}

/** Returns counters for the values of one body, by its commas and containers; they throw 400 at the first too many. */
export function createBounds() {
  let depth = 0
  let values = 1
  const count = () => {
    if (++values > limits.jsonValues) throw limitError(`it holds more than ${limits.jsonValues} values`)
  }
  return {
    count,
    open() {
      count()
      if (++depth > limits.jsonDepth) throw limitError(`it is nested deeper than ${limits.jsonDepth} levels`)
    },
    close() {
      depth--
    },
  }
}

function limitError(problem: string): ApiError {
  return new ApiError('invalid_request', { problem: `The body is refused before it is read: ${problem}.` })
}

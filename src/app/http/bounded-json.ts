/**
 * Counts what a JSON text holds before it is parsed: a few megabytes of brackets would become gigabytes of objects.
 * One pass over the text, strings are skipped; whether it is JSON at all is for the parser to say.
 */
import { ApiError } from '../../contract/errors.js'
import { limits } from '../../contract/limits.js'

const [quote, backslash, comma] = [34, 92, 44]
const [openList, closeList, openObject, closeObject] = [91, 93, 123, 125]

/** Throws 400 for more values, or deeper nesting, than a body may have. */
export function requireBounded(text: string): void {
  const bounds = createBounds()
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfString(text, at)
    else if (code === comma) bounds.count()
    else if (code === openList || code === openObject) bounds.open()
    else if (code === closeList || code === closeObject) bounds.close()
  }
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

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end
    while (text.charCodeAt(before - 1) === backslash) before--
    if ((end - before) % 2 === 0) return end
  }
  return text.length
}

function refused(problem: string): ApiError {
  return new ApiError('invalid_request', { problem: `The body is refused before it is read: ${problem}.` })
}

/**
 * Rejection of texts that cannot be stored: PostgreSQL has no U+0000, and a lone surrogate has no UTF-8, so it fits in
 * no file and no URL. They are refused during request validation, where the member can be named. Only the text of a page
 * is exempt: it is stored as bytes, and rendered with U+FFFD where necessary. All other Markdown (comments, reviews,
 * descriptions) is a column of text.
 */
import { ApiError } from '../../contract/errors.js'

const unstorable = /[\0\p{Surrogate}]/u
/** The text of a page in a batch of changes, by its path in the body. */
const pageText = /^body\.changes\[\d+\]\.document\.markdown$/

/** Throws 400 that names a member of `value` whose text cannot be stored; `name` is the name of `value`. */
export function requireStorable(value: unknown, name: string): void {
  // An explicit stack, because unknown members may be nested deeper than the call stack allows.
  const left: [value: unknown, path: string][] = [[value, name]]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [one, path] = next
    if (typeof one === 'string') {
      if (unstorable.test(one) && !pageText.test(path)) throw refuse(`The member "${path}"`)
      continue
    }
    if (typeof one !== 'object' || one === null) continue
    const isList = Array.isArray(one)
    for (const [member, held] of Object.entries(one)) {
      if (unstorable.test(member)) throw refuse(`The name of a member of "${path}"`)
      left.push([held, isList ? `${path}[${member}]` : `${path}.${member}`])
    }
  }
}

function refuse(text: string): ApiError {
  const problem = `${text} holds U+0000 or half of a surrogate pair, which no text may hold.`
  return new ApiError('invalid_request', { problem })
}

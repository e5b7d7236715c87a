/**
 * Rejection of texts that cannot be stored: PostgreSQL has no U+0000, and a lone surrogate has no UTF-8, so it fits in
 * no file and no URL. They are refused during request validation, where the member can be named. Only Markdown is
 * exempt: it is stored as bytes, and rendered with U+FFFD where necessary.
 */
import { ApiError } from '../../contract/errors.js'

const unstorable = /[\0\p{Surrogate}]/u
const bytesOnly = new Set(['markdown'])

/** Throws 400 that names a member of `value` whose text cannot be stored; `name` is the name of `value`. */
export function requireStorable(value: unknown, name: string): void {
  // An explicit stack, because unknown members may be nested deeper than the call stack allows.
  const left: [value: unknown, path: string][] = [[value, name]]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [one, path] = next
    if (typeof one === 'string') {
      if (!unstorable.test(one)) continue
      const problem = `The member "${path}" holds U+0000 or half of a surrogate pair, which no text may hold.`
      throw new ApiError('invalid_request', { problem })
    }
    if (typeof one !== 'object' || one === null) continue
    const isList = Array.isArray(one)
    for (const [member, held] of Object.entries(one)) {
      if (!bytesOnly.has(member)) left.push([held, isList ? `${path}[${member}]` : `${path}.${member}`])
    }
  }
}

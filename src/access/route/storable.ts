/**
 * Texts that cannot be kept: PostgreSQL has no U+0000, and half of a surrogate pair has no UTF-8, so no file
 * and no address. They are refused at the door, where the member can be named. Markdown alone is let in:
 * it is stored as bytes, and what no reader can show is shown as U+FFFD.
 */
import { ApiError } from '../../contract/errors.js'

const unstorable = /[\0\p{Surrogate}]/u
const free = new Set(['markdown'])

/** Throws 400 that names a member of `value` whose text cannot be kept; `name` is the name of `value`. */
export function requireStorable(value: unknown, name: string): void {
  // A list of what is left, because members that no shape asks for may be nested deeper than calls can be.
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
      if (!free.has(member)) left.push([held, isList ? `${path}[${member}]` : `${path}.${member}`])
    }
  }
}

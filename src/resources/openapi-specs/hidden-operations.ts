/**
 * Hidden operations: whether a specification marks operations or tags as internal; readers of its pages then get no
 * full text of it.
 */
import type { Hash } from '../../core/ids.js'
import type { Services } from '../../access/route/scope.js'

/** Name with format version; the content is `1` or `0`. */
const hiddenName = 'hidden.1'
/** As written in the JSON text of a version, which has no whitespace; quotes inside strings are escaped there. */
const marks = ['"x-internal":true', '"x-gitbook-ignore":true'].map((mark) => Buffer.from(mark))
const maxMarkLength = Math.max(...marks.map(({ length }) => length))

/** Returns whether an operation or a tag of the version is hidden from readers; true when its bytes are missing. */
export async function hidesOperations({ files }: Pick<Services, 'files'>, hash: Hash): Promise<boolean> {
  const cached = await files.derived.read(hash, hiddenName)
  if (cached !== undefined) return Buffer.from(cached).toString() === '1'
  const bytes = await files.open(hash)
  if (bytes === undefined) return true
  const hides = await containsMark(bytes)
  await files.derived.put(hash, hiddenName, Buffer.from(hides ? '1' : '0'))
  return hides
}

async function containsMark(bytes: AsyncIterable<unknown>): Promise<boolean> {
  let before = Buffer.alloc(0)
  for await (const chunk of bytes) {
    const text = Buffer.concat([before, chunk as Uint8Array])
    if (marks.some((mark) => text.includes(mark))) return true
    before = text.subarray(Math.max(0, text.length - maxMarkLength + 1))
  }
  return false
}

/**
 * Delta encoding of a text against an earlier one, by lines: what an autosave of one sentence stores of a long page.
 *
 * A delta is a list of operations, each a varint of twice its length, plus one for an insertion: a copy is followed by a
 * varint of its offset in the base, an insertion by its bytes. Linear in the size of both texts.
 */

/** Shorter lines are only copied where they continue a copy: the operation would be as long as they are. */
const minCopyLength = 16
/** Bytes that are compared together at the common start and end. */
const blockLength = 1024

/** Returns the delta from which `applyDelta` makes the target; undefined when it would be longer than `maxLength`. */
export function encodeDelta(base: Buffer, target: Buffer, maxLength: number): Buffer | undefined {
  const start = commonStart(base, target)
  const end = commonEnd(base.subarray(start), target.subarray(start))
  const writer = createWriter(target)
  writer.copy(0, start)
  const middle = target.length - end
  if (base.length - end === start || middle - start <= minCopyLength) writer.insert(start, middle)
  else {
    const offsets = lineOffsets(base, start, base.length - end)
    for (const [from, to] of lines(target, start, middle)) {
      const line = target.toString('latin1', from, to)
      const next = writer.copyEnd()
      const continues = next !== undefined && base.toString('latin1', next, next + to - from) === line
      const offset = continues ? next : to - from < minCopyLength ? undefined : offsets.get(line)
      if (offset === undefined) writer.insert(from, to)
      else writer.copy(offset, to - from)
      if (writer.length() > maxLength) return undefined
    }
  }
  writer.copy(base.length - end, end)
  const delta = writer.finish()
  return delta.length > maxLength ? undefined : delta
}

/** Returns the target of a delta; throws `RangeError` for bytes that are none, or that belong to another base. */
export function applyDelta(base: Buffer, delta: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; at < delta.length;) {
    let operation: number
    ;[operation, at] = readVarint(delta, at)
    const length = Math.floor(operation / 2)
    if (operation % 2 === 1) {
      parts.push(slice(delta, at, length))
      at += length
    } else {
      let offset: number
      ;[offset, at] = readVarint(delta, at)
      parts.push(slice(base, offset, length))
    }
  }
  return Buffer.concat(parts)
}

function slice(bytes: Buffer, start: number, length: number): Buffer {
  if (start + length > bytes.length) throw new RangeError('The delta is longer than what it refers to')
  return bytes.subarray(start, start + length)
}

function commonStart(a: Buffer, b: Buffer): number {
  const length = Math.min(a.length, b.length)
  let at = 0
  while (at + blockLength <= length && a.compare(b, at, at + blockLength, at, at + blockLength) === 0)
    at += blockLength
  while (at < length && a[at] === b[at]) at += 1
  return at
}

function commonEnd(a: Buffer, b: Buffer): number {
  const length = Math.min(a.length, b.length)
  let count = 0
  for (;;) {
    const [toA, toB, next] = [a.length - count, b.length - count, count + blockLength]
    if (next > length) break
    if (a.compare(b, toB - blockLength, toB, toA - blockLength, toA) !== 0) break
    count = next
  }
  while (count < length && a[a.length - 1 - count] === b[b.length - 1 - count]) count += 1
  return count
}

/** Yields the lines of a range, each with its line feed. */
function* lines(bytes: Buffer, start: number, end: number): Generator<readonly [from: number, to: number]> {
  for (let from = start; from < end;) {
    const feed = bytes.indexOf(10, from)
    const to = feed < 0 || feed >= end ? end : feed + 1
    yield [from, to]
    from = to
  }
}

/** Returns the first offset of each line of a range. */
function lineOffsets(bytes: Buffer, start: number, end: number): Map<string, number> {
  const offsets = new Map<string, number>()
  for (const [from, to] of lines(bytes, start, end)) {
    const line = bytes.toString('latin1', from, to)
    if (!offsets.has(line)) offsets.set(line, from)
  }
  return offsets
}

/** Collects operations; adjacent ones of a kind become one. */
function createWriter(target: Buffer) {
  const parts: Buffer[] = []
  let size = 0
  let copied: { readonly offset: number; readonly length: number } | undefined
  let inserted: { readonly from: number; readonly to: number } | undefined

  function push(bytes: Buffer): void {
    parts.push(bytes)
    size += bytes.length
  }

  function close(): void {
    if (copied !== undefined) push(Buffer.from([...varint(copied.length * 2), ...varint(copied.offset)]))
    if (inserted !== undefined) {
      push(Buffer.from(varint((inserted.to - inserted.from) * 2 + 1)))
      push(target.subarray(inserted.from, inserted.to))
    }
    copied = inserted = undefined
  }

  return {
    copy(offset: number, length: number): void {
      if (length === 0) return
      if (copied !== undefined && copied.offset + copied.length === offset) {
        copied = { offset: copied.offset, length: copied.length + length }
        return
      }
      close()
      copied = { offset, length }
    },
    insert(from: number, to: number): void {
      if (to <= from) return
      if (inserted === undefined) {
        close()
        inserted = { from, to }
      } else inserted = { from: inserted.from, to }
    },
    /** Where in the base the current copy ends; undefined within an insertion. */
    copyEnd: () => (copied === undefined ? undefined : copied.offset + copied.length),
    length: () => size + (inserted === undefined ? 0 : inserted.to - inserted.from),
    finish(): Buffer {
      close()
      return Buffer.concat(parts)
    },
  }
}

function varint(value: number): number[] {
  const bytes: number[] = []
  let rest = value
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
  return [...bytes, rest]
}

function readVarint(bytes: Buffer, start: number): [value: number, next: number] {
  let value = 0
  for (let [at, scale] = [start, 1]; at < bytes.length && scale < 2 ** 49; at += 1, scale *= 128) {
    const byte = bytes[at]!
    value += (byte % 128) * scale
    if (byte < 128) return [value, at + 1]
  }
  throw new RangeError('The delta ends within a number')
}

/**
 * Incremental JSON parser: parses a large body in steps and yields to the event loop between them. Parsed in one go, ten
 * megabytes block every other request for thirty to a hundred milliseconds, and a worker thread would not help, because
 * copying the result to this thread takes as long as parsing.
 *
 * Returns what `JSON.parse` returns, within the limits of `bounded-json.ts`; strings are decoded by `JSON.parse`
 * itself, long ones in parts.
 */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { createBounds } from './bounded-json.js'

/** About half a millisecond. */
const bytesPerStep = 64 * 1024
/** A value takes as long as this many bytes of text. */
const bytesPerValue = 100
/** Strings up to this many bytes are read in one step. */
const shortStringBytes = 1_024

const [quote, backslash, comma, colon, minus, letterU] = [34, 92, 44, 58, 45, 117]
const [openList, closeList, openObject, closeObject] = [91, 93, 123, 125]
const [zero, nine] = [48, 57]

const isBlank = (code: number | undefined) => code === 32 || code === 10 || code === 13 || code === 9

type Container = { readonly list: unknown[] } | { readonly object: Record<string, unknown>; key: string }

/** Resolves to the value; rejects with a `SyntaxError` for invalid JSON or a prototype key, and with 400 beyond the limits. */
export async function parseLargeJson(bytes: Buffer): Promise<unknown> {
  const bounds = createBounds()
  const stack: Container[] = []
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  let pauseAt = at + bytesPerStep

  async function pause(): Promise<void> {
    pauseAt = at + bytesPerStep
    await yieldToEventLoop()
  }

  async function skipBlanks(): Promise<void> {
    while (isBlank(bytes[at])) if (++at >= pauseAt) await pause()
  }

  /** Returns the position after the character at `from`, or after its escape. */
  function skipCharacter(from: number): number {
    if (bytes[from] !== backslash) return from + 1
    return bytes[from + 1] === letterU ? from + 6 : from + 2
  }

  /** Returns undefined, having read nothing, when the string is longer. */
  function readShortString(): string | undefined {
    if (bytes[at] !== quote) throw invalid()
    const limit = Math.min(at + shortStringBytes, bytes.length)
    let isPlain = true
    for (let end = at + 1; end < limit; end = skipCharacter(end)) {
      const code = bytes[end]!
      if (code === quote) {
        const text = decode(at + 1, end, isPlain)
        at = end + 1
        return text
      }
      if (code < 32 || code > 126 || code === backslash) isPlain = false
    }
    return undefined
  }

  async function readLongString(): Promise<string> {
    const parts: string[] = []
    let from = ++at
    let isPlain = true
    for (; bytes[at] !== quote; at = skipCharacter(at)) {
      if (at >= bytes.length) throw invalid()
      if (at >= pauseAt && isCharacterStart(at)) {
        parts.push(decode(from, at, isPlain))
        from = at
        isPlain = true
        await pause()
      }
      const code = bytes[at]!
      if (code < 32 || code > 126 || code === backslash) isPlain = false
    }
    parts.push(decode(from, at++, isPlain))
    return parts.join('')
  }

  /** Whether a UTF-8 character starts there, or the bytes before are invalid: no character has more than three continuation bytes. */
  function isCharacterStart(position: number): boolean {
    const isContinuation = (one: number) => (bytes[one]! & 0xc0) === 0x80
    return (
      !isContinuation(position) ||
      (isContinuation(position - 1) && isContinuation(position - 2) && isContinuation(position - 3))
    )
  }

  function decode(from: number, to: number, isPlain: boolean): string {
    if (isPlain) return bytes.toString('latin1', from, to)
    return JSON.parse(`"${bytes.toString('utf8', from, to)}"`) as string
  }

  async function readNumber(): Promise<number> {
    const from = at
    while (isNumberCharacter(bytes[at])) if (++at >= pauseAt) await pause()
    return JSON.parse(bytes.toString('latin1', from, at)) as number
  }

  function readLiteral(): unknown {
    for (const [word, value] of literals) {
      if (bytes.toString('latin1', at, at + word.length) !== word) continue
      at += word.length
      return value
    }
    throw invalid()
  }

  async function readKey(): Promise<string> {
    if (isBlank(bytes[at])) await skipBlanks()
    const key = readShortString() ?? (await readLongString())
    if (key === '__proto__') throw invalid()
    if (isBlank(bytes[at])) await skipBlanks()
    if (bytes[at++] !== colon) throw invalid()
    return key
  }

  /** Returns a complete value, or undefined where a container begins that is not empty. */
  async function readValue(): Promise<{ readonly value: unknown } | undefined> {
    if (isBlank(bytes[at])) await skipBlanks()
    pauseAt -= bytesPerValue
    const code = bytes[at]
    if (code === quote) return { value: readShortString() ?? (await readLongString()) }
    if (code === minus || (code! >= zero && code! <= nine)) return { value: await readNumber() }
    if (code !== openList && code !== openObject) return { value: readLiteral() }
    at++
    bounds.open()
    if (isBlank(bytes[at])) await skipBlanks()
    const isEmpty = bytes[at] === (code === openList ? closeList : closeObject)
    const list: unknown[] = []
    const object: Record<string, unknown> = {}
    if (!isEmpty) {
      stack.push(code === openList ? { list } : { object, key: await readKey() })
      return undefined
    }
    at++
    bounds.close()
    return { value: code === openList ? list : object }
  }

  for (;;) {
    let read = await readValue()
    // A complete value is added to its container, which may be complete by that.
    while (read !== undefined) {
      if (isBlank(bytes[at])) await skipBlanks()
      if (at >= pauseAt) await pause()
      const container = stack.at(-1)
      if (container === undefined) {
        if (at < bytes.length) throw invalid()
        return read.value
      }
      if ('list' in container) container.list.push(read.value)
      else {
        if (container.key === 'constructor' && holdsPrototype(read.value)) throw invalid()
        container.object[container.key] = read.value
      }
      const code = bytes[at++]
      if (code === comma) {
        bounds.count()
        if ('key' in container) container.key = await readKey()
        read = undefined
      } else if (code === ('list' in container ? closeList : closeObject)) {
        stack.pop()
        bounds.close()
        read = { value: 'list' in container ? container.list : container.object }
      } else throw invalid()
    }
  }
}

const literals: readonly (readonly [string, unknown])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
]

/** Whether it is a digit, a sign, a point, or the mark of an exponent. */
function isNumberCharacter(code: number | undefined): boolean {
  if (code === undefined) return false
  return (code >= zero && code <= nine) || code === minus || [43, 46, 69, 101].includes(code)
}

function holdsPrototype(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype')
}

function invalid(): SyntaxError {
  return new SyntaxError('It is no JSON')
}

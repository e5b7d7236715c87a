/**
 * Reads a large JSON text in steps, between which others are answered: parsed in one go, ten megabytes keep everybody
 * waiting for thirty to a hundred milliseconds, and no thread could do it for this one, because handing over what was
 * read takes as long as reading it.
 *
 * Answers what `JSON.parse` answers, within the bounds of `bounded-json.ts`; strings are decoded by `JSON.parse`
 * itself, long ones piece by piece.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createBounds } from './bounded-json.js'

/** Bytes of a step: about half a millisecond. */
const step = 64 * 1024
/** A value takes as long as so many bytes of a text. */
const bytesPerValue = 100
/** Strings up to this many bytes are read in one go. */
const short = 1_024

const [quote, backslash, comma, colon, minus, letterU] = [34, 92, 44, 58, 45, 117]
const [openList, closeList, openObject, closeObject] = [91, 93, 123, 125]
const [zero, nine] = [48, 57]

const isBlank = (code: number | undefined) => code === 32 || code === 10 || code === 13 || code === 9

type Container = { readonly list: unknown[] } | { readonly object: Record<string, unknown>; key: string }

/** Resolves to the value; rejects with a `SyntaxError` for what is no JSON or names a prototype, and beyond the bounds. */
export async function parseLargeJson(bytes: Buffer): Promise<unknown> {
  const bounds = createBounds()
  const around: Container[] = []
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  let pauseAt = at + step

  async function pause(): Promise<void> {
    pauseAt = at + step
    await nextTurn()
  }

  async function skipBlanks(): Promise<void> {
    while (isBlank(bytes[at])) if (++at >= pauseAt) await pause()
  }

  /** Behind the character at `from`, or behind its escape. */
  function behind(from: number): number {
    if (bytes[from] !== backslash) return from + 1
    return bytes[from + 1] === letterU ? from + 6 : from + 2
  }

  /** Answers undefined, having read nothing, where the string is longer. */
  function readShortString(): string | undefined {
    if (bytes[at] !== quote) throw invalid()
    const most = Math.min(at + short, bytes.length)
    let isPlain = true
    for (let end = at + 1; end < most; end = behind(end)) {
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
    const pieces: string[] = []
    let from = ++at
    let isPlain = true
    for (; bytes[at] !== quote; at = behind(at)) {
      if (at >= bytes.length) throw invalid()
      if (at >= pauseAt && isBegun(at)) {
        pieces.push(decode(from, at, isPlain))
        from = at
        isPlain = true
        await pause()
      }
      const code = bytes[at]!
      if (code < 32 || code > 126 || code === backslash) isPlain = false
    }
    pieces.push(decode(from, at++, isPlain))
    return pieces.join('')
  }

  /** Whether a character begins there, or nothing that is one ends: no character goes on for more than three bytes. */
  function isBegun(place: number): boolean {
    const goesOn = (one: number) => (bytes[one]! & 0xc0) === 0x80
    return !goesOn(place) || (goesOn(place - 1) && goesOn(place - 2) && goesOn(place - 3))
  }

  function decode(from: number, to: number, isPlain: boolean): string {
    if (isPlain) return bytes.toString('latin1', from, to)
    return JSON.parse(`"${bytes.toString('utf8', from, to)}"`) as string
  }

  async function readNumber(): Promise<number> {
    const from = at
    while (isOfNumber(bytes[at])) if (++at >= pauseAt) await pause()
    return JSON.parse(bytes.toString('latin1', from, at)) as number
  }

  function readWord(): unknown {
    for (const [word, value] of words) {
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

  /** Answers a value that is whole, or undefined where a container begins that holds something. */
  async function readValue(): Promise<{ readonly value: unknown } | undefined> {
    if (isBlank(bytes[at])) await skipBlanks()
    pauseAt -= bytesPerValue
    const code = bytes[at]
    if (code === quote) return { value: readShortString() ?? (await readLongString()) }
    if (code === minus || (code! >= zero && code! <= nine)) return { value: await readNumber() }
    if (code !== openList && code !== openObject) return { value: readWord() }
    at++
    bounds.open()
    if (isBlank(bytes[at])) await skipBlanks()
    const isEmpty = bytes[at] === (code === openList ? closeList : closeObject)
    const list: unknown[] = []
    const object: Record<string, unknown> = {}
    if (!isEmpty) {
      around.push(code === openList ? { list } : { object, key: await readKey() })
      return undefined
    }
    at++
    bounds.close()
    return { value: code === openList ? list : object }
  }

  for (;;) {
    let read = await readValue()
    // What is whole goes into what is around it, which may be whole by that.
    while (read !== undefined) {
      if (isBlank(bytes[at])) await skipBlanks()
      if (at >= pauseAt) await pause()
      const container = around.at(-1)
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
        around.pop()
        bounds.close()
        read = { value: 'list' in container ? container.list : container.object }
      } else throw invalid()
    }
  }
}

const words: readonly (readonly [string, unknown])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
]

/** A digit, a sign, a point, or the mark of an exponent. */
function isOfNumber(code: number | undefined): boolean {
  if (code === undefined) return false
  return (code >= zero && code <= nine) || code === minus || [43, 46, 69, 101].includes(code)
}

function holdsPrototype(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype')
}

function invalid(): SyntaxError {
  return new SyntaxError('It is no JSON')
}

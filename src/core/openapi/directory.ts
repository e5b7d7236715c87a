/**
 * Streaming index of a specification's JSON text: byte offsets of its parts, found in one pass over its chunks, so that
 * the whole text is never in memory or parsed.
 */
import { decodePercent } from '../links/resolve.js'
import type { Part } from './specification.js'

/** Members of the root whose members' members are parts too: operations and components. */
const deep = new Set(['paths', 'webhooks', 'x-webhooks', 'components'])

interface OpenPart {
  start: number
  end: number
  members?: Map<string, OpenPart>
}

const [quote, backslash, colon, comma] = [34, 92, 58, 44]
const [openList, closeList, openObject, closeObject] = [91, 93, 123, 125]

export interface DirectoryScan {
  /** Takes the next bytes of the text. */
  take(bytes: Uint8Array): void
  /** Returns the root, when the text has ended. */
  end(): Part
}

export function scanDirectory(): DirectoryScan {
  const root: OpenPart = { start: 0, end: 0, members: new Map() }
  /** What is open and has members: the root, then what is in it. */
  const open: OpenPart[] = [root]
  const names: string[] = []
  let offset = 0
  /** Containers that are open. */
  let depth = 0
  let isInString = false
  let isEscaped = false
  /** The bytes of a name that is being read; undefined for a string that is a value. */
  let name: number[] | undefined
  let isNameNext = false
  let current: OpenPart | undefined

  const isListed = () => depth === open.length

  function closeValue(at: number): void {
    if (current !== undefined) current.end = at
    current = undefined
  }

  return {
    take(bytes) {
      const { length } = bytes
      for (let at = 0; at < length; at++) {
        if (isInString) {
          if (name === undefined) {
            // Contents of values are skipped by the fastest scan.
            if (isEscaped) {
              isEscaped = false
              continue
            }
            const byte = bytes[at]!
            if (byte === quote) isInString = false
            else if (byte === backslash) isEscaped = true
            continue
          }
          const byte = bytes[at]!
          if (!isEscaped && byte === quote) {
            isInString = false
            continue
          }
          isEscaped = !isEscaped && byte === backslash
          name.push(byte)
          continue
        }
        switch (bytes[at]) {
          case quote:
            isInString = true
            name = isNameNext && isListed() ? [] : undefined
            break
          case colon:
            if (name === undefined || !isListed()) break
            isNameNext = false
            current = { start: offset + at + 1, end: 0 }
            names[depth] = decode(name)
            open.at(-1)!.members!.set(names[depth]!, current)
            name = undefined
            break
          case comma:
            if (!isListed()) break
            closeValue(offset + at)
            isNameNext = true
            break
          case openObject:
            depth++
            if (depth === 1) isNameNext = true
            else if (current !== undefined && depth === open.length + 1 && hasParts(depth, names)) {
              current.members = new Map()
              open.push(current)
              current = undefined
              isNameNext = true
            }
            break
          case openList:
            depth++
            break
          case closeObject:
            if (isListed()) {
              closeValue(offset + at)
              const closed = open.length > 1 ? open.pop() : undefined
              current = closed
            }
            depth--
            break
          case closeList:
            depth--
            break
        }
      }
      offset += length
    },
    end() {
      root.end = offset
      return root
    },
  }
}

/** True for an object whose members are parts: below the root, and two levels below paths and components. */
function hasParts(depth: number, names: readonly string[]): boolean {
  return depth === 2 || (depth === 3 && deep.has(names[1]!))
}

function decode(bytes: readonly number[]): string {
  const isPlain = bytes.every((byte) => byte < 128)
  const text = isPlain
    ? bytes.map((byte) => String.fromCharCode(byte)).join('')
    : decodePercent(bytes.map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''))
  return text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text
}

/** Stored form of a directory: name, start, end and number of members of each part, in order. */
export function encodeDirectory(root: Part): string {
  const flat: (string | number)[] = []
  const write = (name: string, { start, end, members }: Part): void => {
    flat.push(name, start, end, members === undefined ? -1 : members.size)
    for (const [key, member] of members ?? []) write(key, member)
  }
  write('', root)
  return JSON.stringify(flat)
}

export function decodeDirectory(text: string): Part {
  const flat = JSON.parse(text) as (string | number)[]
  let at = 0
  const read = (): readonly [string, Part] => {
    const [name, start, end, count] = flat.slice(at, (at += 4)) as [string, number, number, number]
    if (count < 0) return [name, { start, end }]
    const members = new Map<string, Part>()
    for (let index = 0; index < count; index++) members.set(...read())
    return [name, { start, end, members }]
  }
  return read()[1]
}

/**
 * Patterns that people wrote, run by an engine whose time grows with the text alone. What such an engine cannot do
 * (looking around, and repeating what was found) is no pattern here, and neither is one that becomes too large.
 */
import { RE2JS } from 're2js'
import type { Budget } from '../budget.js'

/** Characters of a pattern, and states of the machine that it becomes. */
const [longestPattern, mostStates] = [256, 2_000]
/** States times characters that count as one step: about a microsecond. */
const statesAStep = 20

/** States that making a set of letters by what they are takes as long as: there are hundreds of ranges in it. */
const statesOfProperty = 20

export interface Pattern {
  /** About how large the machine is, which takes as long to make. */
  readonly states: number
  /** True when the pattern is found anywhere in the text. */
  finds(text: string, budget: Budget): boolean
}

/** Returns a pattern; says what is wrong with it where it cannot be used. */
export function readPattern(source: string): Pattern | { readonly problem: string } {
  if (source.length > longestPattern) return { problem: `is longer than ${longestPattern} characters` }
  const states = sizeOf(source) + (source.match(/\\p/gi)?.length ?? 0) * statesOfProperty
  if (states > mostStates) return { problem: 'repeats too much' }
  // Ends and quotations of other languages, which mean nothing in a pattern of JSON Schema.
  if (/\\[AZzQEC]/.test(source.replace(/\\\\/g, '')))
    return { problem: 'is no pattern that can be used (\\A, \\Z and their like mean nothing)' }
  let compiled: RE2JS
  try {
    compiled = RE2JS.compile(RE2JS.translateRegExp(source))
  } catch (error) {
    const [, reason = ''] = /^error parsing regexp: (.*)$/.exec((error as Error).message) ?? []
    return { problem: `is no pattern that can be used${reason && ` (${reason})`}` }
  }
  return {
    states,
    finds(text, budget) {
      budget.spend('steps', Math.ceil((states * (text.length + 1)) / statesAStep))
      return compiled.matcher(text).find()
    },
  }
}

/** Returns about how many states a pattern becomes, without making them: what is counted stands that often. */
function sizeOf(source: string): number {
  /** Of each group that is open: all in it, and the last thing in it. */
  const open = [{ all: 1, last: 0 }]
  for (let at = 0; at < source.length; at++) {
    const current = open.at(-1)!
    const letter = source[at]!
    if (letter === '(') open.push({ all: 1, last: 0 })
    else if (letter === ')' && open.length > 1) {
      const { all } = open.pop()!
      add(open.at(-1)!, all + 2)
    } else if (letter === '{') {
      const [counted, from, to = from] =
        /^\{(\d{1,9})(?:,(\d{1,9}))?,?\}/.exec(source.slice(at, at + 24)) ?? []
      if (counted === undefined) continue
      add(current, current.last * (Math.max(Number(from), Number(to)) - 1))
      at += counted.length - 1
    } else {
      add(current, 1)
      if (letter === '\\') at++
      else if (letter === '[') at = endOfClass(source, at)
    }
  }
  return open.reduce((sum, { all }) => sum + all, 0)
}

function add(group: { all: number; last: number }, size: number): void {
  group.all += size
  group.last = size
}

function endOfClass(source: string, start: number): number {
  for (let at = start + 1; at < source.length; at++) {
    if (source[at] === '\\') at++
    else if (source[at] === ']' && at > start + 1) return at
  }
  return source.length
}

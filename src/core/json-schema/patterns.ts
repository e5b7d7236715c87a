/**
 * Linear-time regular expressions for untrusted patterns. Lookaround and backreferences, which such an engine does not
 * support, are rejected, and so are patterns whose automaton is too large.
 */
import { RE2JS } from 're2js'
import type { Budget } from '../budget.js'

/** Characters of a pattern, and states of its automaton. */
const [longestPattern, mostStates] = [256, 2_000]
/** States times characters that count as one step: about a microsecond. */
const statesAStep = 20

/** Cost of a Unicode property class in states: it has hundreds of ranges. */
const statesOfProperty = 20

export interface Pattern {
  /** Approximate number of states, to which the compile time is proportional. */
  readonly states: number
  /** True when the pattern is found anywhere in the text. */
  finds(text: string, budget: Budget): boolean
}

/** Returns a pattern, or the problem for which it is rejected. */
export function readPattern(source: string): Pattern | { readonly problem: string } {
  if (source.length > longestPattern) return { problem: `is longer than ${longestPattern} characters` }
  const states = sizeOf(source) + (source.match(/\\p/gi)?.length ?? 0) * statesOfProperty
  if (states > mostStates) return { problem: 'repeats too much' }
  // Anchors and quotations of other regex dialects, which are not special in JSON Schema.
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

/** Returns the approximate number of states of a pattern, without compiling it; counted repetitions multiply it. */
function sizeOf(source: string): number {
  /** Of each open group: its total size, and that of its last atom. */
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

/**
 * Sample texts of regular expressions: generated from the pattern's structure, then checked by a linear-time matcher.
 *
 * The generator ignores anchors and knows no assertions, so a sample is only returned when the matcher finds the pattern
 * in it. Cost: proportional to the length of the pattern and of the samples, both bounded.
 */
import type { Budget } from '../budget.js'
import { type Pattern, readPattern } from '../json-schema/patterns.js'

/** Bounds in characters (UTF-16), and which of several samples is wanted. */
export interface SampleOptions {
  readonly least: number
  readonly most: number
  /** Samples of different numbers differ where the pattern allows it. */
  readonly variant: number
}

/** Longest sample, and most repetitions of parts, with empty ones. */
export const longestSample = 500
const mostRepetitions = 2_000
/** Repetitions of a part that may be repeated without end: a word of four letters. */
const usualRepetitions = 4

/** Preferred characters: a part that is repeated spells them in order. */
const preferred = ['textabcdfghij', 'TEXTABCDFGHIJ', '1234567890']
const printable = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)).join('')
const wordCharacter = /^\w$/
const space = /^\s$/

/**
 * Returns a text in which the pattern is found, within the bounds; undefined when none was found, or when the pattern is
 * too large or of a kind that no linear-time matcher supports. `first` are texts that are preferred where they match.
 */
export function sampleOfPattern(
  source: string,
  { least, most, variant }: SampleOptions,
  budget: Budget,
  first: readonly string[] = [],
): string | undefined {
  const pattern = readPattern(source)
  if ('problem' in pattern) return undefined
  budget.spend('steps', pattern.states)
  const fits = (text: string | undefined): text is string =>
    text !== undefined && text.length >= least && text.length <= most && finds(pattern, text, budget)
  const known = first.find(fits)
  if (known !== undefined) return known
  const generate = parsePattern(source)
  if (generate === undefined) return undefined
  const attempt = (repetitions: number): string | undefined => {
    const output: Output = { text: '', room: mostRepetitions, repetitions, variant }
    return generate(output, 0) ? output.text : undefined
  }
  const shortest = attempt(0)?.length ?? 0
  // One part that is repeated without end fills what is missing; a part that is repeated at least once counts once less.
  const missing = Math.min(least, longestSample) - shortest
  for (const repetitions of [usualRepetitions, 1, 0, missing, missing + 1]) {
    const text = repetitions < 0 ? undefined : attempt(repetitions)
    if (fits(text)) return text
  }
  return undefined
}

function finds(pattern: Pattern, text: string, budget: Budget): boolean {
  return text.length <= longestSample && pattern.finds(text, budget)
}

interface Output {
  text: string
  /** Remaining repetitions. */
  room: number
  /** Wanted repetitions of parts that may be repeated as often. */
  readonly repetitions: number
  readonly variant: number
}

/** Appends a sample of a part; `at` is the number of its repetition. False when there is none, or no room. */
type Part = (output: Output, at: number) => boolean

/** True for the characters of a class. */
type CharacterTest = (character: string) => boolean

/** Returns the generator of a pattern; undefined for constructs that it does not know. */
function parsePattern(source: string): Part | undefined {
  let at = 0
  const is = (text: string) => source.startsWith(text, at)
  const take = (text: string) => is(text) && ((at += text.length), true)
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const found = pattern.exec(source)
    if (found !== null) at = pattern.lastIndex
    return found
  }

  function alternatives(): Part | undefined {
    const parts: Part[] = []
    do {
      const part = sequence()
      if (part === undefined) return undefined
      parts.push(part)
    } while (take('|'))
    if (parts.length === 1) return parts[0]
    // An empty alternative is no example while there is another.
    return (output, index) => {
      const before = output.text
      let isEmpty = false
      for (const part of parts) {
        if (part(output, index)) {
          if (output.text !== before) return true
          isEmpty = true
        }
        output.text = before
      }
      return isEmpty
    }
  }

  function sequence(): Part | undefined {
    const parts: Part[] = []
    while (at < source.length && !is('|') && !is(')')) {
      const part = repeatedAtom()
      if (part === undefined) return undefined
      parts.push(part)
    }
    return (output, index) => parts.every((part) => part(output, index))
  }

  function repeatedAtom(): Part | undefined {
    const atom = readAtom()
    if (atom === undefined) return undefined
    const counted = match(/\{(\d{1,4})(?:(,)(\d{1,4})?)?\}\??/y) ?? match(/[*+?]\??/y)
    if (counted === null) return atom
    const [sign, from, comma, to] = counted
    const least = from === undefined ? (sign.startsWith('+') ? 1 : 0) : Number(from)
    const most =
      from === undefined
        ? sign.startsWith('?')
          ? 1
          : Infinity
        : comma === undefined
          ? least
          : Number(to ?? Infinity)
    return (output) => {
      const count = Math.max(least, Math.min(most, output.repetitions))
      for (let index = 0; index < count; index++) {
        if (--output.room < 0 || output.text.length > longestSample || !atom(output, index)) return false
      }
      return true
    }
  }

  function readAtom(): Part | undefined {
    if (match(/[\^$]|\\[bB]/y) !== null) return () => true
    if (match(/\((?:\?:|\?<\w+>|(?!\?))/y) !== null) {
      const inside = alternatives()
      return take(')') ? inside : undefined
    }
    if (take('[')) return readClass()
    if (is('(') || match(/[*+?]/y) !== null) return undefined
    if (take('.')) return characterOf((one) => one !== '\n')
    const one = readCharacter()
    if (one === undefined) return undefined
    return typeof one === 'string' ? append(() => one) : characterOf(one)
  }

  /** Reads a character or an escape sequence: the character that it means, or the test of a class. */
  function readCharacter(): string | CharacterTest | undefined {
    const escape = match(
      /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|u\{([\da-fA-F]{1,5})\}|(p|P)\{([\w=]{1,40})\}|(.))/sy,
    )
    if (escape === null) return is('\\') ? undefined : match(/[\s\S]/uy)?.[0]
    const [, byte, unit, point, property, name, letter] = escape
    const code = byte ?? unit ?? point
    if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, 16))
    if (property !== undefined) return propertyTest(name!, property === 'P')
    return escapedCharacter(letter!)
  }

  function readClass(): Part | undefined {
    const isNegated = take('^')
    const tests: CharacterTest[] = []
    /** First characters of its ranges, for classes outside of ASCII. */
    const starts: string[] = []
    while (!take(']')) {
      if (at >= source.length) return undefined
      const from = readCharacter()
      if (from === undefined) return undefined
      if (typeof from !== 'string') {
        tests.push(from)
        continue
      }
      starts.push(from)
      const isRange = is('-') && source[at + 1] !== ']'
      if (isRange) at += 1
      const to = isRange ? readCharacter() : from
      // A hyphen before a class stands for itself.
      if (typeof to === 'function') tests.push((one) => one === '-', to)
      if (to === undefined) return undefined
      const last = typeof to === 'string' ? to : from
      tests.push((one) => pointOf(one) >= pointOf(from) && pointOf(one) <= pointOf(last))
    }
    const has: CharacterTest = (one) => tests.some((test) => test(one)) !== isNegated
    return characterOf(has, isNegated ? [] : starts)
  }

  const whole = alternatives()
  return at === source.length ? whole : undefined
}

function pointOf(character: string): number {
  return character.codePointAt(0)!
}

/** Returns what a letter after a backslash means. */
function escapedCharacter(letter: string): string | CharacterTest | undefined {
  const classes: Readonly<Record<string, CharacterTest>> = {
    d: (one) => one >= '0' && one <= '9',
    w: (one) => wordCharacter.test(one),
    s: (one) => space.test(one),
  }
  const test = classes[letter.toLowerCase()]
  if (test !== undefined) return letter in classes ? test : (one) => !test(one)
  const controls: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v', 0: '\0' }
  // Other letters and digits: back references, and escapes without a meaning.
  return controls[letter] ?? (wordCharacter.test(letter) ? undefined : letter)
}

function propertyTest(name: string, isNegated: boolean): CharacterTest | undefined {
  try {
    // linear: one character.
    const pattern = new RegExp(`^\\p{${name}}$`, 'u')
    return (one) => pattern.test(one) !== isNegated
  } catch {
    return undefined
  }
}

function characterOf(has: CharacterTest, others: readonly string[] = []): Part | undefined {
  const row =
    preferred.map((characters) => [...characters].filter(has)).find(({ length }) => length > 0) ??
    [...printable, ...others].filter(has)
  if (row.length === 0) return undefined
  return append((at, variant) => row[(at + variant) % row.length]!)
}

function append(character: (at: number, variant: number) => string): Part {
  return (output, at) => {
    output.text += character(at, output.variant)
    return output.text.length <= longestSample
  }
}

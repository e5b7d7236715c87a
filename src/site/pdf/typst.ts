/**
 * Typst source as a type: user text becomes source only through this file, always as a quoted string (injection safety).
 *
 * A document is one expression of calls to the functions of our template. `call` quotes every text; only `TypstCode` is
 * inserted unchanged. `TypstCode` is a class, so that no parsed JSON can be taken for it.
 */

export class TypstCode {
  readonly #source: string

  constructor(source: string) {
    this.#source = source
  }

  toString(): string {
    return this.#source
  }
}

/** Argument of a call: texts are quoted, numbers are written literally, lists become arrays. */
export type TypstArgument = TypstCode | string | number | boolean | readonly TypstArgument[]

export const empty = new TypstCode('[]')
export const none = new TypstCode('none')

/** Delimiters and escapes of strings, and invisible characters: controls, direction marks, lone surrogates. */
const escapedCharacters =
  /["\\\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\p{Surrogate}|[\ufdd0-\ufdef\ufffe\uffff]/gu

/** Returns the text as a Typst string. Lone surrogates, which no string can contain, are replaced. */
export function quote(text: string): TypstCode {
  const written = text.replace(escapedCharacters, (character) => {
    if (character === '"' || character === '\\') return `\\${character}`
    const point = character.codePointAt(0)!
    const isHalf = point >= 0xd800 && point <= 0xdfff
    return `\\u{${(isHalf ? 0xfffd : point).toString(16)}}`
  })
  return new TypstCode(`"${written}"`)
}

function writeArgument(argument: TypstArgument): string {
  if (argument instanceof TypstCode) return argument.toString()
  if (typeof argument === 'string') return quote(argument).toString()
  if (typeof argument === 'boolean') return String(argument)
  if (typeof argument === 'number') return writeNumber(argument)
  // The trailing comma makes a single item an array.
  return `(${(argument as readonly TypstArgument[]).map((one) => `${writeArgument(one)},`).join('')})`
}

/** Larger numbers are no lengths, and would be written with an exponent. */
const maxNumber = 1e9

function writeNumber(number: number): string {
  const clamped = Number.isNaN(number) ? 0 : Math.max(-maxNumber, Math.min(number, maxNumber))
  return Number.isInteger(clamped) ? String(clamped) : clamped.toFixed(3)
}

/** Returns a call of a template function; `name` is always a literal of our source. */
export function call(name: string, ...args: readonly TypstArgument[]): TypstCode {
  return new TypstCode(`${name}(${args.map(writeArgument).join(',')})`)
}

/** Returns the concatenated parts. */
export function sequence(parts: readonly TypstArgument[]): TypstCode {
  if (parts.length === 0) return empty
  const [only] = parts
  if (parts.length === 1 && only instanceof TypstCode) return only
  return call('j', ...parts)
}

/**
 * Typst source as a value: text of people becomes source only by passing through here, and then it is a string.
 *
 * A document is one expression made of calls to the functions of our own template. Every text that is given to `call`
 * is quoted; only what is already `Code` goes in as it stands. `Code` is a class, so that no parsed JSON can pass for it.
 */

export class Code {
  readonly #source: string

  constructor(source: string) {
    this.#source = source
  }

  toString(): string {
    return this.#source
  }
}

/** What a call takes: texts are quoted, numbers written as they are, lists become arrays. */
export type Argument = Code | string | number | boolean | readonly Argument[]

export const empty = new Code('[]')
export const none = new Code('none')

/** What ends a string or means something in one, and what is not seen: controls, marks of direction, halves of pairs. */
const unwritable =
  /["\\\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\p{Surrogate}|[\ufdd0-\ufdef\ufffe\uffff]/gu

/** The text as a string of Typst. Halves of surrogate pairs, which no string can hold, are replaced. */
export function quote(text: string): Code {
  const written = text.replace(unwritable, (character) => {
    if (character === '"' || character === '\\') return `\\${character}`
    const point = character.codePointAt(0)!
    const isHalf = point >= 0xd800 && point <= 0xdfff
    return `\\u{${(isHalf ? 0xfffd : point).toString(16)}}`
  })
  return new Code(`"${written}"`)
}

function write(argument: Argument): string {
  if (argument instanceof Code) return argument.toString()
  if (typeof argument === 'string') return quote(argument).toString()
  if (typeof argument === 'boolean') return String(argument)
  if (typeof argument === 'number') return writeNumber(argument)
  // A comma behind the only one makes it an array.
  return `(${(argument as readonly Argument[]).map((one) => `${write(one)},`).join('')})`
}

/** More is no length of anything, and would be written with an exponent. */
const mostNumber = 1e9

function writeNumber(number: number): string {
  const near = Number.isNaN(number) ? 0 : Math.max(-mostNumber, Math.min(number, mostNumber))
  return Number.isInteger(near) ? String(near) : near.toFixed(3)
}

/** A call of a function of the template, whose name is written in our own source. */
export function call(name: string, ...given: readonly Argument[]): Code {
  return new Code(`${name}(${given.map(write).join(',')})`)
}

/** The parts one after another. */
export function sequence(parts: readonly Argument[]): Code {
  if (parts.length === 0) return empty
  const [only] = parts
  if (parts.length === 1 && only instanceof Code) return only
  return call('j', ...parts)
}

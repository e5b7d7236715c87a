/**
 * Dialect tags, `{% name attribute="value" %}`: tokenizing them, and parsing and formatting their attributes. Names
 * and meanings are defined in `constructs.ts`; whether a tag is in code, where it has no effect, is determined by the
 * Markdown parser.
 */
import type { Span } from '../document/types.js'
import { decodeEntities, encodeAttribute } from './entities.js'

export interface Attribute {
  /** Decoded; empty for an attribute without value. */
  readonly value: string
  /** Span of the value, without quotes. */
  readonly span: Span
}

export type Attributes = ReadonlyMap<string, Attribute>

export interface Tag {
  /** Without `end`. */
  readonly name: string
  readonly closes: boolean
  readonly span: Span
  readonly attributes: Attributes
  /** Quoted values without a name, for example the path of an include. */
  readonly values: readonly Attribute[]
  /** Everything between the name and the closing mark, for expressions. */
  readonly rest: string
}

const opening = /\{%-?[ \t]*(@?[A-Za-z](?:[\w@/.]|-(?!%\}))*)/y

/**
 * Returns the tags of `text` in order, in code as well. A tag ends on its line, at the first `%}` that is not
 * inside double quotes, or at the first one at all when the quotes do not pair.
 */
export function findTags(text: string): Tag[] {
  const tags: Tag[] = []
  for (let start = text.indexOf('{%'); start >= 0;) {
    opening.lastIndex = start
    const match = opening.exec(text)
    const end = match ? findEnd(text, opening.lastIndex) : -1
    if (match && end >= 0) {
      tags.push(readTag(text, match[1]!, start, opening.lastIndex, end))
      start = text.indexOf('{%', end)
    } else {
      // If one tag has no end on its line, no other has.
      start = text.indexOf('{%', match ? lineEnd(text, start) : start + 2)
    }
  }
  return tags
}

function findEnd(text: string, from: number): number {
  let first = -1
  let isQuoted = false
  for (let index = from; index < text.length; index++) {
    const character = text[index]
    if (character === '\n' || character === '\r') break
    if (character === '\\' && isQuoted && text[index + 1] === '"') index++
    else if (character === '"') isQuoted = !isQuoted
    else if (character === '%' && text[index + 1] === '}') {
      if (!isQuoted) return index + 2
      if (first < 0) first = index + 2
    }
  }
  return first
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}

function readTag(text: string, word: string, start: number, nameEnd: number, end: number): Tag {
  const restEnd = text[end - 3] === '-' && end - 3 >= nameEnd ? end - 3 : end - 2
  const closes = word.length > 3 && word.startsWith('end')
  const { attributes, values } = readAttributes(text, nameEnd, restEnd)
  return {
    name: closes ? word.slice(3) : word,
    closes,
    span: { start, end },
    attributes,
    values,
    rest: text.slice(nameEnd, restEnd).trim(),
  }
}

const attributeName = /[^\s"'=,]+/y
const equals = /[ \t]*=[ \t]*/y
const bareValue = /[^\s"']+/y
const escapedValue = /"(?:[^"\\]|\\.)*"/y

/** Returns the attributes and unnamed values between two offsets of `text`; malformed parts are skipped. */
export function readAttributes(
  text: string,
  start: number,
  end: number,
): { attributes: Attributes; values: readonly Attribute[] } {
  const attributes = new Map<string, Attribute>()
  const values: Attribute[] = []
  const part = text.slice(start, end)
  // A quote without a closing partner is searched only once, or the whole would be quadratic.
  let endsEscaped = true
  const take = (pattern: RegExp, at: number): number => {
    pattern.lastIndex = at
    return pattern.test(part) ? pattern.lastIndex : at
  }
  const quotedEnd = (at: number): number => {
    if (part[at] === '"' && endsEscaped) {
      const found = take(escapedValue, at)
      if (found > at) return found
      endsEscaped = false
    }
    return part[at] === '"' || part[at] === "'" ? part.indexOf(part[at], at + 1) + 1 || at : at
  }
  const attributeOf = (from: number, to: number): Attribute => {
    const quotes = part[from] === '"' || part[from] === "'" ? 1 : 0
    const span = { start: start + from + quotes, end: start + to - quotes }
    return { value: decodeAttribute(text.slice(span.start, span.end)), span }
  }
  for (let index = 0; index < part.length;) {
    const nameEnd = take(attributeName, index)
    if (nameEnd === index) {
      const valueEnd = quotedEnd(index)
      if (valueEnd > index) values.push(attributeOf(index, valueEnd))
      index = Math.max(valueEnd, index + 1)
      continue
    }
    const name = part.slice(index, nameEnd)
    const from = take(equals, nameEnd)
    const quoted = from > nameEnd ? quotedEnd(from) : from
    const to = quoted > from || from === nameEnd ? quoted : take(bareValue, from)
    const hasValue = to > from
    if (!attributes.has(name))
      attributes.set(name, hasValue ? attributeOf(from, to) : attributeOf(nameEnd, nameEnd))
    index = hasValue ? to : nameEnd
  }
  return { attributes, values }
}

/** Returns an attribute value with entities and escaped quotes decoded. */
export function decodeAttribute(characters: string): string {
  return decodeEntities(characters.includes('\\') ? characters.replace(/\\(["'])/g, '$1') : characters)
}

/** Returns the opening tag; undefined attributes are omitted, `true` and `false` are quoted. */
export function formatTag(
  name: string,
  attributes: Readonly<Record<string, string | boolean | undefined>> = {},
): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${encodeAttribute(String(value))}"`)
  return `{% ${name}${written.join('')} %}`
}

/** Returns the end tag of a block of that name. */
export function formatEndTag(name: string): string {
  return `{% end${name} %}`
}

/** Returns the value of an attribute; undefined when it is absent or empty. */
export function attributeValue(attributes: Attributes, name: string): string | undefined {
  return attributes.get(name)?.value || undefined
}

/** Returns whether the attribute is present and not negated. */
export function attributeFlag(attributes: Attributes, name: string): boolean {
  const attribute = attributes.get(name)
  return attribute !== undefined && !/^(?:false|0|no|off)$/i.test(attribute.value)
}

/** Returns the attribute's value when it is one of `allowed`. */
export function attributeOneOf<Value extends string>(
  attributes: Attributes,
  name: string,
  allowed: readonly Value[],
): Value | undefined {
  const value = attributes.get(name)?.value
  return allowed.find((candidate) => candidate === value)
}

/**
 * Inline codes (as in XLIFF): splits a line into words to translate and codes for its markup.
 *
 * Codes come back unchanged and translators do not edit them: a link or emphasis is an opening and a closing code with
 * words between, and all else (code, expressions, tags, math, entities, image addresses) is a standalone code. The scan
 * is by characters, in one pass; a false positive only adds one code. `check.ts` validates translations with the parser.
 */

import { findHeadingId } from '../markdown/heading-id.js'
import { trimEndOf } from '../trim.js'

export type InlinePart = string | Code

export interface Code {
  /** Counted from 1; an opening code and its closing one share theirs. */
  readonly id: number
  readonly role: 'open' | 'close' | 'alone'
  /** The characters of the text. */
  readonly data: string
}

/** Syntax of a line: Markdown, a cell of a pipe table, or HTML content. */
export type Dialect = 'markdown' | 'cell' | 'html'

/** Words where it has no role. */
interface Token {
  readonly data: string
  role?: Code['role']
  /** The opening token of a closing code. */
  opening?: Token
}

interface OpeningTag {
  readonly sign: string
  readonly token: Token
}

const escapable = /[!-/:-@[-`{-~]/
const entity = /&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z][A-Za-z\d]{1,31});/y
const address = /https?:\/\/[^\s<>()[\]{}"|]+/y
const mail = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/y
const emoji = /:[a-z\d_+-]{1,64}:/y
const note = /\[\^[^\]\s]{1,200}\]/y
const name = /<\/?([a-zA-Z][\w-]*)/y
const brackets = /\][([]/y
/** Elements that never close. */
const isVoid = /^(?:img|br|hr|input|wbr|source|area|col|embed|track)$/i
/** Furthest that the end of a code is searched. */
const longestCode = 20_000

/** Returns the words and codes of a line; `labels` are the link reference definitions of the page, in lower case. */
export function parseInline(
  raw: string,
  dialect: Dialect,
  labels: ReadonlySet<string> = new Set(),
): readonly InlinePart[] {
  return new InlineScanner(raw, dialect, labels).pieces()
}

class InlineScanner {
  private readonly found: Token[] = []
  private readonly opened: OpeningTag[] = []
  private words = ''
  private at = 0
  /** Run lengths of backticks that are known not to occur ahead. */
  private readonly unclosed = new Set<number>()
  /** Next position of each closing sign; -1 where there is none ahead. */
  private readonly next = new Map<string, number>()
  /** Budget of characters scanned for missing ends of tags and links. */
  private patience: number

  constructor(
    private readonly raw: string,
    private readonly dialect: Dialect,
    private readonly labels: ReadonlySet<string>,
  ) {
    this.patience = raw.length + 10 * longestCode
  }

  pieces(): readonly InlinePart[] {
    while (this.at < this.raw.length) this.step()
    this.flush()
    const ids = new Map<Token, number>()
    const pieces: InlinePart[] = []
    for (const token of this.found) {
      const { data, role, opening } = token
      if (role === undefined) {
        const before = pieces.at(-1)
        if (typeof before === 'string') pieces[pieces.length - 1] = before + data
        else pieces.push(data)
        continue
      }
      const id = (opening && ids.get(opening)) ?? ids.size + 1
      if (opening === undefined) ids.set(token, id)
      pieces.push({ id, role, data })
    }
    return pieces
  }

  private step(): void {
    const { raw, at } = this
    const character = raw[at]!
    if (character === '\n' || character === '\r') return this.breakLine()
    if (character === '&') return this.matchOr(entity, 1)
    if (character === '<') return this.angle()
    if (character === '{') return this.brace()
    if (character === 'h' && !/[A-Za-z\d]/.test(raw[at - 1] ?? '')) return this.matchOr(address, 1)
    const before = raw[at - 1] ?? ''
    if (/\w/.test(character) && !/[\w.+-]/.test(before) && this.match(mail)) return undefined
    if (this.dialect === 'html') return this.word(1)
    switch (character) {
      case '\\':
        if (escapable.test(raw[at + 1] ?? '')) {
          this.words += raw[at + 1]!
          this.at += 2
          return undefined
        }
        return /[\r\n]/.test(raw[at + 1] ?? '') ? this.hardBreak(1) : this.word(1)
      case '`':
        return this.backticks()
      case '$':
        return raw[at + 1] === '$' ? this.until('$$', '$$') : this.word(1)
      case ':':
        return this.matchOr(emoji, 1)
      case '*':
      case '_':
      case '~':
        return this.emphasis(character)
      case '!':
        return raw[at + 1] === '[' ? this.open('[', 2) : this.word(1)
      case '[':
        return this.match(note) ? undefined : this.open('[', 1)
      case ']':
        return this.bracket()
      default:
        return this.word(1)
    }
  }

  private word(length: number): undefined {
    this.words += this.raw.slice(this.at, this.at + length)
    this.at += length
  }

  private flush(): void {
    if (this.words !== '') this.found.push({ data: this.words })
    this.words = ''
  }

  private alone(length: number): undefined {
    this.flush()
    this.found.push({ data: this.raw.slice(this.at, this.at + length), role: 'alone' })
    this.at += length
  }

  /** Reads a code at the current position; false where there is none. */
  private match(pattern: RegExp): boolean {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.raw)
    if (found !== null) this.alone(found[0].length)
    return found !== null
  }

  /** The same, or else reads this many characters of words. */
  private matchOr(pattern: RegExp, length: number): undefined {
    if (!this.match(pattern)) this.word(length)
  }

  /** A soft break is a blank; two blanks before it make a hard one. */
  private breakLine(): undefined {
    if (this.words.endsWith('  ') && this.dialect !== 'html') {
      const blanks = this.words.length - trimEndOf(this.words, ' \t').length
      this.words = this.words.slice(0, -blanks)
      this.at -= blanks
      return this.hardBreak(blanks)
    }
    let end = this.at
    while (/[\s]/.test(this.raw[end] ?? '')) end += 1
    this.words = `${this.words.replace(/[ \t]$/, '')} `
    this.at = end
    // The next break checks only the text read since, so no line is scanned twice.
    this.flush()
  }

  /** Reads a line end with the indentation of the next line. */
  private hardBreak(length: number): undefined {
    let end = this.at + length
    while (/\s/.test(this.raw[end] ?? '')) end += 1
    return this.alone(end - this.at)
  }

  /** Reads a code that ends with the next of these signs. */
  private until(start: string, end: string): undefined {
    const from = this.at + start.length
    const found = this.find(end, from)
    if (found < 0 || found - from > longestCode) return this.word(start.length)
    return this.alone(found + end.length - this.at)
  }

  /** Next position of a sign; called with ascending positions. */
  private find(sign: string, from: number): number {
    const known = this.next.get(sign)
    if (known !== undefined && (known < 0 || known >= from)) return known
    const found = this.raw.indexOf(sign, from)
    this.next.set(sign, found)
    return found
  }

  /** The end of the code at this position, within the scan budget. */
  private endOf(search: (raw: string, at: number) => number | undefined, at: number): number | undefined {
    if (this.patience <= 0) return undefined
    const end = search(this.raw, at)
    if (end === undefined) this.patience -= Math.min(this.raw.length - at, longestCode)
    return end
  }

  private brace(): undefined {
    const next = this.raw[this.at + 1]
    if (next === '{') return this.until('{{', '}}')
    if (next === '%') return this.until('{%', '%}')
    // The id at the end of a heading.
    const line = trimEndOf(this.raw, ' \t\r\n')
    const id = findHeadingId(line)
    const isHere = id !== undefined && line.lastIndexOf('{') === this.at
    return isHere ? this.alone(line.length - this.at) : this.word(1)
  }

  private angle(): undefined {
    const { raw, at } = this
    if (raw.startsWith('<!--', at)) return this.until('<!--', '-->')
    if (/^<(?:https?:|mailto:|[\w.+-]+@)/.test(raw.slice(at, at + 40))) return this.until('<', '>')
    name.lastIndex = at
    const found = name.exec(raw)
    if (found === null) return this.word(1)
    const end = this.endOf(tagEnd, at)
    if (end === undefined) return this.word(1)
    const element = `<${found[1]!.toLowerCase()}`
    const data = raw.slice(at, end)
    // Their content is no prose.
    if (/^<(?:code|kbd|script|style|pre|button|math|svg)$/.test(element) && !raw.startsWith('</', at)) {
      const closing = `</${element.slice(1)}>`
      const close = this.find(closing, end)
      return this.alone((close < 0 ? end : close + closing.length) - at)
    }
    if (raw.startsWith('</', at)) return this.close(element, data.length)
    if (data.endsWith('/>') || isVoid.test(found[1]!)) return this.alone(data.length)
    return this.open(element, data.length)
  }

  private backticks(): undefined {
    const { raw, at } = this
    let length = 1
    while (raw[at + length] === '`') length += 1
    let search = at + length
    while (!this.unclosed.has(length)) {
      const start = raw.indexOf('`', search)
      if (start < 0) break
      let end = start
      while (raw[end] === '`') end += 1
      if (end - start === length) return this.alone(end - at)
      search = end
    }
    this.unclosed.add(length)
    return this.word(length)
  }

  private emphasis(sign: string): undefined {
    const { raw, at } = this
    let length = 1
    while (raw[at + length] === sign) length += 1
    const run = raw.slice(at, at + length)
    const [before, after] = [raw[at - 1] ?? ' ', raw[at + length] ?? ' ']
    const inWord = /[\p{L}\p{N}]/u.test(before) && /[\p{L}\p{N}]/u.test(after)
    if ((sign === '_' && inWord) || (/\s/.test(before) && /\s/.test(after)) || (sign === '~' && length !== 2))
      return this.word(length)
    if (this.opened.some((one) => one.sign === run) && !/\s/.test(before)) return this.close(run, length)
    return /\s/.test(after) ? this.alone(length) : this.open(run, length)
  }

  private bracket(): undefined {
    const { raw, at } = this
    brackets.lastIndex = at
    const opening = this.opened.findLast(({ sign }) => sign === '[')
    if (opening !== undefined && raw.startsWith('][]', at)) return this.whole(opening, '][]')
    if (brackets.test(raw)) {
      const end = raw[at + 1] === '(' ? this.endOf(destinationEnd, at + 1) : raw.indexOf(']', at + 2) + 1
      if (end !== undefined && end > at && end - at <= longestCode) return this.close('[', end - at)
    }
    if (opening === undefined) return this.word(1)
    this.flush()
    const label = this.textSince(opening).slice(opening.token.data.length)
    if (this.labels.has(label.trim().toLowerCase())) return this.whole(opening, ']')
    this.opened.splice(this.opened.lastIndexOf(opening))
    delete opening.token.role
    return this.word(1)
  }

  private textSince({ token }: OpeningTag): string {
    return this.found
      .slice(this.found.lastIndexOf(token))
      .map(({ data }) => data)
      .join('')
  }

  /** Makes one code of a shortcut reference: the label is its name. */
  private whole(opening: OpeningTag, end: string): undefined {
    this.flush()
    const data = this.textSince(opening) + end
    this.found.splice(this.found.lastIndexOf(opening.token), Infinity, { data, role: 'alone' })
    this.opened.splice(this.opened.lastIndexOf(opening))
    this.at += end.length
  }

  private open(sign: string, length: number): undefined {
    this.alone(length)
    this.opened.push({ sign, token: this.found.at(-1)! })
    // This many unclosed openings are no markup.
    if (this.opened.length > 64) this.opened.shift()
  }

  private close(sign: string, length: number): undefined {
    this.alone(length)
    const index = this.opened.findLastIndex((one) => one.sign === sign)
    if (index < 0) return
    const { token } = this.opened[index]!
    this.opened.splice(index)
    token.role = 'open'
    Object.assign(this.found.at(-1)!, { role: 'close', opening: token })
  }
}

/** Position after the tag that begins at `at`; quotes hide its end. */
function tagEnd(raw: string, at: number): number | undefined {
  let quote = ''
  const last = Math.min(raw.length, at + longestCode)
  for (let index = at; index < last; index += 1) {
    const character = raw[index]!
    if (quote !== '') {
      if (character === quote) quote = ''
    } else if (character === '"' || character === "'") quote = character
    else if (character === '>') return index + 1
  }
  return undefined
}

/** Position after the destination in parentheses that begins at `at`. */
function destinationEnd(raw: string, at: number): number | undefined {
  let depth = 0
  let quote = ''
  const last = Math.min(raw.length, at + longestCode)
  for (let index = at; index < last; index += 1) {
    const character = raw[index]!
    if (character === '\\') index += 1
    else if (quote !== '') {
      if (character === quote) quote = ''
    } else if (character === '<' && /[(\s]/.test(raw[index - 1]!)) quote = '>'
    else if (character === '"' && /\s/.test(raw[index - 1]!)) quote = '"'
    else if (character === '(') depth += 1
    else if (character === ')' && (depth -= 1) === 0) return index + 1
  }
  return undefined
}

/** Returns the words without codes. */
export function wordsOf(pieces: readonly InlinePart[]): string {
  return pieces.filter((piece) => typeof piece === 'string').join('')
}

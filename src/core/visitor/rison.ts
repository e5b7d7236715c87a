/**
 * Rison parser: a URL-safe alternative to JSON, `(plan:pro,beta:!t,teams:!(a,b))`. Parses in one pass; input nested
 * deeper than 16 levels, which claims never are, is rejected.
 */

export type Plain = string | number | boolean | null | readonly Plain[] | { readonly [name: string]: Plain }

const maxDepth = 16
/** Characters that end a word; all others are part of it. */
const wordEnd = /[ '!:(),*@$]/

class NotRison extends Error {}

/** Returns the parsed value; undefined when the text is not valid Rison. */
export function parseRison(text: string): Plain | undefined {
  let at = 0

  function value(depth: number): Plain {
    if (depth > maxDepth) throw new NotRison()
    const letter = text[at]
    if (letter === '!') return marked(depth)
    if (letter === '(') return members(depth)
    if (letter === "'") return quoted()
    const token = word()
    return /^-?(?:0|[1-9]\d{0,15})(?:\.\d{1,17})?(?:e-?\d{1,3})?$/.test(token) ? Number(token) : token
  }

  function marked(depth: number): Plain {
    at += 2
    switch (text[at - 1]) {
      case 't':
        return true
      case 'f':
        return false
      case 'n':
        return null
      case '(':
        return items(depth)
      default:
        throw new NotRison()
    }
  }

  function items(depth: number): Plain[] {
    const list: Plain[] = []
    if (accept(')')) return list
    do list.push(value(depth + 1))
    while (accept(','))
    expect(')')
    return list
  }

  function members(depth: number): { [name: string]: Plain } {
    at += 1
    const entries: [string, Plain][] = []
    if (accept(')')) return {}
    do {
      const name = text[at] === "'" ? quoted() : word()
      expect(':')
      entries.push([name, value(depth + 1)])
    } while (accept(','))
    expect(')')
    // Unlike an assignment this creates an own member for any name, `__proto__` too.
    return Object.fromEntries(entries)
  }

  function quoted(): string {
    at += 1
    let literal = ''
    while (text[at] !== "'") {
      if (text[at] === '!') {
        at += 1
        if (text[at] !== '!' && text[at] !== "'") throw new NotRison()
      }
      if (at >= text.length) throw new NotRison()
      literal += text[at]
      at += 1
    }
    at += 1
    return literal
  }

  function word(): string {
    const begin = at
    while (at < text.length && !wordEnd.test(text[at]!)) at += 1
    if (at === begin) throw new NotRison()
    return text.slice(begin, at)
  }

  function accept(letter: string): boolean {
    if (text[at] !== letter) return false
    at += 1
    return true
  }

  function expect(letter: string): void {
    if (!accept(letter)) throw new NotRison()
  }

  try {
    const parsed = value(0)
    return at === text.length ? parsed : undefined
  } catch (error) {
    if (error instanceof NotRison) return undefined
    throw error
  }
}

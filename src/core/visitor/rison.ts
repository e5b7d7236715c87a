/**
 * Rison, in which objects are written where JSON would have to be escaped: `(plan:pro,beta:!t,teams:!(a,b))`. It is
 * read in one pass; what is nested deeper than any claims are is no Rison.
 */

export type Plain = string | number | boolean | null | readonly Plain[] | { readonly [name: string]: Plain }

const deepest = 16
/** Letters that end a word: all others are part of it. */
const ending = /[ '!:(),*@$]/

class NotRison extends Error {}

/** Returns what a text says; undefined when it is no Rison. */
export function parseRison(text: string): Plain | undefined {
  let at = 0

  function value(depth: number): Plain {
    if (depth > deepest) throw new NotRison()
    const letter = text[at]
    if (letter === '!') return marked(depth)
    if (letter === '(') return members(depth)
    if (letter === "'") return quoted()
    const said = word()
    return /^-?(?:0|[1-9]\d{0,15})(?:\.\d{1,17})?(?:e-?\d{1,3})?$/.test(said) ? Number(said) : said
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
    if (takes(')')) return list
    do list.push(value(depth + 1))
    while (takes(','))
    need(')')
    return list
  }

  function members(depth: number): { [name: string]: Plain } {
    at += 1
    const found: [string, Plain][] = []
    if (takes(')')) return {}
    do {
      const name = text[at] === "'" ? quoted() : word()
      need(':')
      found.push([name, value(depth + 1)])
    } while (takes(','))
    need(')')
    // Unlike an assignment it makes a member of any name.
    return Object.fromEntries(found)
  }

  function quoted(): string {
    at += 1
    let said = ''
    while (text[at] !== "'") {
      if (text[at] === '!') {
        at += 1
        if (text[at] !== '!' && text[at] !== "'") throw new NotRison()
      }
      if (at >= text.length) throw new NotRison()
      said += text[at]
      at += 1
    }
    at += 1
    return said
  }

  function word(): string {
    const begin = at
    while (at < text.length && !ending.test(text[at]!)) at += 1
    if (at === begin) throw new NotRison()
    return text.slice(begin, at)
  }

  function takes(letter: string): boolean {
    if (text[at] !== letter) return false
    at += 1
    return true
  }

  function need(letter: string): void {
    if (!takes(letter)) throw new NotRison()
  }

  try {
    const said = value(0)
    return at === text.length ? said : undefined
  } catch (error) {
    if (error instanceof NotRison) return undefined
    throw error
  }
}

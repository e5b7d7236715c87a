/**
 * SQL tokenizer: words and nested groups, as far as a lint needs them; no semantics.
 *
 * It reads what Kysely writes and what people write by hand alike, for both engines.
 */

export type Item = Word | Mark | Group | Value

interface Word {
  readonly kind: 'word'
  /** In small letters, unless it was quoted. */
  readonly text: string
  /** A quoted word is a name, never a keyword. */
  readonly isQuoted: boolean
}

interface Mark {
  readonly kind: 'mark'
  readonly text: string
}

/** The content of parentheses, or between `case` and `end`. */
export interface Group {
  readonly kind: 'group'
  readonly isCase: boolean
  readonly items: readonly Item[]
}

/** A parameter or a literal. */
interface Value {
  readonly kind: 'value'
}

const pieces =
  /\s+|--[^\n]*|(?<quoted>"(?:[^"]|"")*")|(?<value>'(?:[^']|'')*'|\$\d+|\?|\d[\w.]*)|(?<word>[a-z_]\w*)|(?<mark>::|<>|<=|>=|!=|\|\||.)/gis

/** Returns the items of a statement; casts of PostgreSQL are left out. */
export function readItems(sql: string): readonly Item[] {
  const open: { isCase: boolean; items: Item[] }[] = [{ isCase: false, items: [] }]
  const add = (item: Item) => open.at(-1)!.items.push(item)
  const close = () => {
    const group = open.pop()!
    add({ kind: 'group', ...group })
  }
  let isCast = false
  for (const { groups = {} } of sql.matchAll(pieces)) {
    const { quoted, value, word, mark } = groups
    if (mark === '::') isCast = true
    else if (isCast && (word !== undefined || quoted !== undefined)) isCast = false
    else if (quoted !== undefined) add({ kind: 'word', text: quoted.slice(1, -1), isQuoted: true })
    else if (value !== undefined) add({ kind: 'value' })
    else if (word?.toLowerCase() === 'case') open.push({ isCase: true, items: [] })
    else if (word?.toLowerCase() === 'end' && open.at(-1)!.isCase) close()
    else if (word !== undefined) add({ kind: 'word', text: word.toLowerCase(), isQuoted: false })
    else if (mark === '(') open.push({ isCase: false, items: [] })
    else if (mark === ')') close()
    else if (mark !== undefined) add({ kind: 'mark', text: mark })
  }
  return open[0]!.items
}

/** True for one of these keywords. The type says no more than that: other tokens may be words. */
export function isWord(
  item: Item | undefined,
  ...words: readonly string[]
): item is Word & { isQuoted: false } {
  return item?.kind === 'word' && !item.isQuoted && words.includes(item.text)
}

export function isMark(item: Item | undefined, text: string): boolean {
  return item?.kind === 'mark' && item.text === text
}

/** True for a group that is a subquery. */
export function isQuery(item: Item | undefined): item is Group & { isCase: false } {
  if (item?.kind !== 'group' || item.isCase) return false
  const [first] = item.items
  return isWord(first, 'select', 'with', 'insert', 'update', 'delete') || isQuery(first)
}

/** Cuts the items at each of these keywords, which are left out. */
export function split(items: readonly Item[], ...words: readonly string[]): readonly (readonly Item[])[] {
  const parts: Item[][] = [[]]
  for (const item of items) {
    if (isWord(item, ...words)) parts.push([])
    else parts.at(-1)!.push(item)
  }
  return parts
}

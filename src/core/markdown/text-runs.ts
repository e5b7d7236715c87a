/** Text runs: joins texts with equal marks, replaces emoji shortcodes, attaches footnotes to the preceding word. */
import type { Annotation, Block, Inline, Mark, Text } from '../document/types.js'
import { findEmoji } from './emoji.js'

/**
 * Appends `text` to `out`; `:names:` in it become emoji unless it is code or a colon is escaped, which is queried by
 * offset.
 */
export function pushText(
  out: Inline[],
  text: string,
  marks: readonly Mark[],
  isPlain: (colon: number) => boolean = () => false,
): void {
  let done = 0
  if (!marks.some((mark) => mark.type === 'code')) {
    for (const { start, end, code } of findEmoji(text)) {
      if (isPlain(start) || isPlain(end - 1)) continue
      join(out, text.slice(done, start), marks)
      out.push({ type: 'emoji', code })
      done = end
    }
  }
  join(out, text.slice(done), marks)
}

/** Returns which colons of a text are escaped in its source; all, when that cannot be determined. */
export function escapedColons(text: string, written: string): ((colon: number) => boolean) | undefined {
  if (!written.includes('\\:')) return undefined
  const colons = [...text.matchAll(/:/g)]
  const signs = [...written.matchAll(/\\[^]|:/g)].flatMap(({ 0: sign }) => (sign.endsWith(':') ? sign : []))
  if (signs.length !== colons.length) return () => true
  const escaped = new Set(colons.flatMap(({ index }, at) => (signs[at] === ':' ? [] : index)))
  return (colon) => escaped.has(colon)
}

function join(out: Inline[], text: string, marks: readonly Mark[]): void {
  if (text === '') return
  const last = out.at(-1)
  if (last?.type === 'text' && hasMarks(last, marks)) {
    out[out.length - 1] = { ...last, text: last.text + text }
  } else out.push(marks.length > 0 ? { type: 'text', text, marks } : { type: 'text', text })
}

function hasMarks(text: Text, marks: readonly Mark[]): boolean {
  const own = text.marks ?? []
  return (
    own === marks ||
    (own.length === marks.length && own.every((mark, index) => isSameMark(mark, marks[index]!)))
  )
}

function isSameMark(a: Mark, b: Mark): boolean {
  if (a.type !== 'color' || b.type !== 'color') return a.type === b.type
  return a.text === b.text && a.background === b.background
}

/** Appends an annotation around the preceding word or inline. */
export function annotate(
  out: Inline[],
  identifier: string,
  body: readonly Block[] | undefined,
  marks: readonly Mark[],
): void {
  if (!body) return pushText(out, `[^${identifier}]`, marks)
  const children: Inline[] = []
  const last = out.at(-1)
  if (last?.type === 'text') {
    const start = lastWord(last.text)
    if (start < last.text.length) {
      out.pop()
      if (start > 0) out.push({ ...last, text: last.text.slice(0, start) })
      children.push({ ...last, text: last.text.slice(start) })
    }
  } else if (last && last.type !== 'break' && last.type !== 'anchor' && last.type !== 'annotation') {
    out.pop()
    children.push(last)
  }
  const annotation: Annotation = { type: 'annotation', identifier, children, body }
  out.push(annotation)
}

function lastWord(text: string): number {
  let start = text.length
  while (start > 0 && !/\s/.test(text[start - 1]!)) start--
  return start
}

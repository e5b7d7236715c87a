/**
 * Inlines written as Markdown. Marks that Markdown has signs for are written with them where the signs are read as such;
 * beside letters or punctuation, where they are not, the elements of HTML stand for them.
 */
import { emojiCharacters } from '../document/emoji-code.js'
import { plainText } from '../document/plain-text.js'
import type { Image, Inline, Mark, Text } from '../document/types.js'
import { escapeInlineDestination } from '../links/replace.js'
import { trimInlines } from './caption.js'
import { encodeAttribute } from './entities.js'
import { escapeText } from './escape-text.js'
import { mayClose, mayOpen } from './flanking.js'

export interface InlinePlace {
  /** A heading, a cell or a label is one line. */
  readonly isOneLine?: boolean
  readonly inCell?: boolean
  readonly inLink?: boolean
  /** Told of each note that is referred to. */
  readonly annotate: (annotation: Inline & { type: 'annotation' }) => void
}

/** Returns inlines as Markdown, without blanks and breaks at either end. */
export function formatInlines(inlines: readonly Inline[], place: InlinePlace): string {
  return write(trimInlines(inlines), 0, place, '')
}

/** `before` ends with the two characters that stand before them, and is empty at the start of a line. */
function write(inlines: readonly Inline[], level: number, place: InlinePlace, before: string): string {
  const parts: string[] = []
  let last = before
  for (let index = 0; index < inlines.length;) {
    const inline = inlines[index]!
    const mark = markAt(inline, level)
    let end = index + 1
    if (mark) while (end < inlines.length && isSame(markAt(inlines[end]!, level), mark)) end++
    const written = mark
      ? writeMarked(inlines.slice(index, end), mark, level, place, last, firstOf(inlines[end], level))
      : writeOne(inline, place, last)
    parts.push(written)
    last = (last + written.slice(-2)).slice(-2)
    index = end
  }
  return parts.join('')
}

function markAt(inline: Inline, level: number): Mark | undefined {
  return inline.type === 'text' ? ordered(inline)[level] : undefined
}

/** Code is the innermost: nothing has a meaning in it. */
function ordered({ marks = [] }: Text): readonly Mark[] {
  return marks.at(-1)?.type === 'code' || !marks.some(({ type }) => type === 'code')
    ? marks
    : [...marks.filter(({ type }) => type !== 'code'), { type: 'code' }]
}

function isSame(one: Mark | undefined, other: Mark): boolean {
  if (one?.type !== other.type) return false
  return (
    one.type !== 'color' ||
    other.type !== 'color' ||
    (one.text === other.text && one.background === other.background)
  )
}

/** The character that comes next; a sign where something begins. */
function firstOf(next: Inline | undefined, level: number): string {
  if (next === undefined || next.type === 'break') return ''
  if (next.type === 'link') return '['
  if (next.type === 'annotation') return next.children.length === 0 ? '[' : firstOf(next.children[0], level)
  if (next.type !== 'text' || markAt(next, level)) return '*'
  return /^[^]/u.exec(next.text)?.[0] ?? ''
}

const elements = {
  bold: 'strong',
  italic: 'em',
  strikethrough: 'del',
  underline: 'u',
  keyboard: 'kbd',
  superscript: 'sup',
  subscript: 'sub',
} as const
const signs = { bold: '**', italic: '*', strikethrough: '~~' } as const

function writeMarked(
  run: readonly Inline[],
  mark: Mark,
  level: number,
  place: InlinePlace,
  before: string,
  after: string,
): string {
  if (mark.type === 'code')
    return formatCode(run.map((one) => (one.type === 'text' ? one.text : '')).join(''), place)
  // Blanks are not marked: beside a sign they would make it a sign.
  const { start, middle, end } = splitBlanks(run)
  if (middle.length === 0) return start + end
  const both = isWhole(middle, level + 1, otherOf(mark))
  if (both) {
    const content = write(middle, level + 2, place, '*')
    if (isReadAsSign('***', content, before + start, end === '' ? after : ' '))
      return `${start}***${content}***${end}`
  }
  const content = write(middle, level + 1, place, '*')
  if (mark.type === 'bold' || mark.type === 'italic' || mark.type === 'strikethrough') {
    const sign = signs[mark.type]
    if (isReadAsSign(sign, content, before + start, end === '' ? after : ' '))
      return start + sign + content + sign + end
  }
  if (mark.type !== 'color')
    return `${start}<${elements[mark.type]}>${content}</${elements[mark.type]}>${end}`
  const style = [
    mark.text && `color:${mark.text};`,
    mark.background && `background-color:${mark.background};`,
  ]
  return `${start}<mark style="${encodeAttribute(style.filter(Boolean).join(''))}">${content}</mark>${end}`
}

function lastOf(text: string): string {
  return /[^]$/u.exec(text.slice(-2))?.[0] ?? ''
}

/** Bold and italic share their sign. */
function otherOf({ type }: Mark): Mark | undefined {
  return type === 'bold' ? { type: 'italic' } : type === 'italic' ? { type: 'bold' } : undefined
}

function isWhole(run: readonly Inline[], level: number, mark: Mark | undefined): boolean {
  return mark !== undefined && run.every((one) => isSame(markAt(one, level), mark))
}

/** Whether both runs of signs are what they are meant to be; two that touch each other would be one. */
function isReadAsSign(sign: string, content: string, before: string, after: string): boolean {
  const first = /^[^]/u.exec(content)?.[0] ?? ''
  const last = lastOf(content)
  const own = sign[0]!
  const beside = lastOf(before)
  if (first === own || last === own || beside === own || after === own) return false
  // Behind a label such as “Note: ” the parser takes a sign for the end of one.
  if (/[.:] $/.test(before) && /[\p{P}\p{S}]/u.test(first)) return false
  if (content.includes('\n')) return false
  // The amendments for CJK count for stars alone.
  return mayOpen(beside, first) && mayClose(last, after)
}

function splitBlanks(run: readonly Inline[]): { start: string; middle: readonly Inline[]; end: string } {
  const middle = [...run]
  const first = middle[0]
  let start = ''
  let end = ''
  if (first?.type === 'text') {
    start = /^\s*/.exec(first.text)![0]
    middle[0] = { ...first, text: first.text.slice(start.length) }
  }
  const last = middle.at(-1)
  if (last?.type === 'text') {
    const text = last.text.trimEnd()
    end = last.text.slice(text.length)
    middle[middle.length - 1] = { ...last, text }
  }
  const kept = middle.filter((one) => one.type !== 'text' || one.text !== '')
  return { start: start === '' ? '' : ' ', middle: kept, end: end === '' ? '' : ' ' }
}

/** Returns inline code between as many ticks as it needs. */
function formatCode(code: string, { inCell = false }: InlinePlace): string {
  const line = code.replace(/\s+/g, ' ')
  if (line.trim() === '') return line === '' ? '' : ' '
  let longest = 0
  for (const [run] of line.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  const ticks = '`'.repeat(longest + 1)
  const needsBlanks =
    line.startsWith('`') || line.endsWith('`') || (line.startsWith(' ') && line.endsWith(' '))
  const padded = needsBlanks ? ` ${line} ` : line
  return ticks + (inCell ? padded.replace(/\|/g, '\\|') : padded) + ticks
}

function writeOne(inline: Inline, place: InlinePlace, before: string): string {
  const startsLine = before === '' || before.endsWith('\n')
  switch (inline.type) {
    case 'text':
      return escapeText(startsLine ? inline.text.trimStart() : inline.text, { ...place, startsLine })
    case 'break':
      return place.isOneLine ? '<br>' : '\\\n'
    case 'link':
      return writeLink(inline, place)
    case 'emoji':
      return emojiCharacters(inline.code) ?? ''
    case 'inline-math':
      return `$$${formula(inline.formula, place)}$$`
    case 'inline-image':
      return formatInlineImage(inline)
    case 'annotation':
      place.annotate(inline)
      return `${write(inline.children, 0, place, before)}[^${inline.identifier}]`
    case 'inline-html':
      return inline.html
    case 'icon':
      return `<i class="fa-${encodeAttribute(inline.icon)}"></i>`
    case 'expression':
      return `<code class="expression">${encodeAttribute(inline.expression)}</code>`
    case 'button':
      return `<a href="${encodeAttribute(inline.url ?? '')}" class="button ${inline.kind}">${encodeAttribute(inline.label)}</a>`
  }
}

/** Returns a formula on one line; two signs of money would end it. */
function formula(tex: string, { inCell = false }: InlinePlace): string {
  const line = tex
    .replace(/\s+/g, ' ')
    .replace(/\$(?=\$)/g, '$ ')
    .trim()
  return inCell ? line.replace(/\|/g, '\\vert ') : line
}

function writeLink(link: Inline & { type: 'link' }, place: InlinePlace): string {
  const { url } = link
  const isPlain = link.children.every((one) => one.type === 'text' && (one.marks?.length ?? 0) === 0)
  if (isPlain && plainText(link.children) === url && /^https?:\/\/[^\s<>]+$/.test(url)) return `<${url}>`
  const text = write(link.children, 0, { ...place, isOneLine: true, inLink: true }, '[')
  const title =
    link.title === undefined ? '' : ` "${link.title.replace(/\s+/g, ' ').replace(/["\\&]/g, '\\$&')}"`
  const destination = url === '' && title !== '' ? '<>' : cellSafe(escapeInlineDestination(url), place)
  return `[${text.trim()}](${destination}${title})`
}

function cellSafe(url: string, { inCell = false }: InlinePlace): string {
  return inCell ? url.replace(/\|/g, '%7C') : url
}

/** Returns an image in a line. */
function formatInlineImage({ src, alt = '', width }: Image): string {
  if (width !== undefined)
    return `<img src="${encodeAttribute(src)}" alt="${encodeAttribute(alt)}" width="${encodeAttribute(width)}">`
  return `![${escapeText(alt.replace(/\s+/g, ' '), { startsLine: false, inLink: true })}](${escapeInlineDestination(src)})`
}

/**
 * Formats inlines as Markdown. Marks are written as Markdown delimiters where the parser would recognize them; beside
 * letters or punctuation, where it would not, as HTML elements.
 */
import { emojiCharacters } from '../document/emoji-code.js'
import { plainText } from '../document/plain-text.js'
import type { Image, Inline, Mark, Text } from '../document/types.js'
import { escapeInlineDestination } from '../links/replace.js'
import { trimInlines } from './caption.js'
import { encodeAttribute } from './entities.js'
import { escapeText } from './escape-text.js'
import { mayClose, mayOpen } from './flanking.js'
import { imageAsHtml } from './format-html.js'
import { formatButton, formatIcon } from './inline-elements.js'

export interface InlineContext {
  /** True for headings, cells and labels. */
  readonly isOneLine?: boolean
  readonly inCell?: boolean
  readonly inLink?: boolean
  /** Called for each referenced footnote. */
  readonly annotate: (annotation: Inline & { type: 'annotation' }) => void
}

/** Returns inlines as Markdown, without whitespace and breaks at either end. */
export function formatInlines(inlines: readonly Inline[], context: InlineContext): string {
  const text = write(trimInlines(inlines), 0, context, '')
  // Blanks at the end of a link are written behind it.
  return text.endsWith(' ') && inlines.at(-1)?.type === 'link' ? text.trimEnd() : text
}

/** `before` ends with the two preceding characters, and is empty at the start of a line. */
function write(inlines: readonly Inline[], level: number, context: InlineContext, before: string): string {
  const parts: string[] = []
  let last = before
  for (let index = 0; index < inlines.length;) {
    const inline = inlines[index]!
    const mark = markAt(inline, level)
    let end = index + 1
    if (mark) while (end < inlines.length && isSame(markAt(inlines[end]!, level), mark)) end++
    const written = mark
      ? writeMarked(inlines.slice(index, end), mark, level, context, last, firstOf(inlines[end], level))
      : writeOne(inline, context, last)
    // An exclamation mark is only escaped before what would be an image with it.
    const earlier = parts.at(-1)
    if (earlier?.endsWith('\\!') && !written.startsWith('['))
      parts[parts.length - 1] = `${earlier.slice(0, -2)}!`
    parts.push(written)
    last = (last + written.slice(-2)).slice(-2)
    index = end
  }
  const ending = parts.at(-1)
  if (ending?.endsWith('\\!')) parts[parts.length - 1] = `${ending.slice(0, -2)}!`
  return parts.join('')
}

function markAt(inline: Inline, level: number): Mark | undefined {
  return inline.type === 'text' ? ordered(inline)[level] : undefined
}

/** Code is the innermost mark: its content is literal. */
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

/** The next character; a delimiter where an element begins. */
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
  context: InlineContext,
  before: string,
  after: string,
): string {
  if (mark.type === 'code')
    return formatCode(run.map((one) => (one.type === 'text' ? one.text : '')).join(''), context)
  // Whitespace is left outside of marks: a delimiter beside it would be literal.
  const { start, middle, end } = splitBlanks(run)
  if (middle.length === 0) return start + end
  const both = isWhole(middle, level + 1, otherOf(mark))
  if (both) {
    const content = write(middle, level + 2, context, '*')
    if (isReadAsSign('***', content, before + start, end === '' ? after : ' '))
      return `${start}***${content}***${end}`
  }
  const content = write(middle, level + 1, context, '*')
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

/** Bold and italic share their delimiter. */
function otherOf({ type }: Mark): Mark | undefined {
  return type === 'bold' ? { type: 'italic' } : type === 'italic' ? { type: 'bold' } : undefined
}

function isWhole(run: readonly Inline[], level: number, mark: Mark | undefined): boolean {
  return mark !== undefined && run.every((one) => isSame(markAt(one, level), mark))
}

/** Returns whether both delimiter runs would be recognized; adjacent runs would merge. */
function isReadAsSign(sign: string, content: string, before: string, after: string): boolean {
  const first = /^[^]/u.exec(content)?.[0] ?? ''
  const last = lastOf(content)
  const own = sign[0]!
  const beside = lastOf(before)
  if (first === own || last === own || beside === own || after === own) return false
  // After a label such as “Note: ” the parser takes a delimiter for a closing one.
  if (/[.:] $/.test(before) && /[\p{P}\p{S}]/u.test(first)) return false
  if (content.includes('\n')) return false
  // The CJK amendments apply only to asterisks.
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
  const nonEmpty = middle.filter((one) => one.type !== 'text' || one.text !== '')
  return { start: start === '' ? '' : ' ', middle: nonEmpty, end: end === '' ? '' : ' ' }
}

/** Returns inline code between as many backticks as needed. */
function formatCode(code: string, { inCell = false }: InlineContext): string {
  const line = code.replace(/[ \t\r\n]+/g, ' ')
  if (line.trim() === '') return line === '' ? '' : ' '
  let longest = 0
  for (const [run] of line.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  const ticks = '`'.repeat(longest + 1)
  const needsBlanks =
    line.startsWith('`') || line.endsWith('`') || (line.startsWith(' ') && line.endsWith(' '))
  const padded = needsBlanks ? ` ${line} ` : line
  return ticks + (inCell ? padded.replace(/\|/g, '\\|') : padded) + ticks
}

function writeOne(inline: Inline, context: InlineContext, before: string): string {
  const startsLine = before === '' || before.endsWith('\n')
  switch (inline.type) {
    case 'text':
      return escapeText(startsLine ? inline.text.trimStart() : inline.text, { ...context, startsLine })
    case 'break':
      return context.isOneLine ? '<br>' : '\\\n'
    case 'anchor':
      return inline.aliases.map((id) => `<a id="${encodeAttribute(id)}"></a>`).join('')
    case 'link':
      return writeLink(inline, context, startsLine)
    case 'emoji':
      return emojiCharacters(inline.code) ?? ''
    case 'inline-math':
      return `$$${formula(inline.formula, context)}$$`
    case 'inline-image':
      return formatInlineImage(inline)
    case 'annotation':
      context.annotate(inline)
      return `${write(inline.children, 0, context, before).replace(/!$/, '\\!')}[^${inline.identifier}]`
    case 'inline-html':
      return inline.html
    case 'icon':
      return formatIcon(inline)
    case 'expression':
      return `<code class="expression">${encodeAttribute(inline.expression)}</code>`
    case 'button':
      return formatButton(inline)
  }
}

/** Returns a formula on one line; two dollar signs would end it. */
function formula(tex: string, { inCell = false }: InlineContext): string {
  const line = tex
    .replace(/\s+/g, ' ')
    .replace(/\$(?=\$)/g, '$ ')
    .trim()
  return inCell ? line.replace(/\|/g, '\\vert ') : line
}

/** Blanks at the ends of its text are written outside, where the parser leaves them. */
function writeLink(link: Inline & { type: 'link' }, context: InlineContext, startsLine: boolean): string {
  const { url } = link
  const isPlain = link.children.every((one) => one.type === 'text' && (one.marks?.length ?? 0) === 0)
  if (isPlain && plainText(link.children) === url && /^https?:\/\/[^\s<>]+$/.test(url)) return `<${url}>`
  const text = write(link.children, 0, { ...context, isOneLine: true, inLink: true }, '[')
  const title = link.mention ? ' "mention"' : link.title === undefined ? '' : formatTitle(link.title)
  const destination = url === '' && title !== '' ? '<>' : cellSafe(escapeInlineDestination(url), context)
  const words = text.trim()
  const [first, last] = [/^ /, / $/].map((blank) => (words !== '' && blank.test(text) ? ' ' : ''))
  return `${startsLine ? '' : first}[${words}](${destination}${title})${last}`
}

function cellSafe(url: string, { inCell = false }: InlineContext): string {
  return inCell ? url.replace(/\|/g, '%7C') : url
}

/** Returns an inline image; what Markdown has no syntax for makes it an element. */
function formatInlineImage(image: Image & { readonly size?: string }): string {
  const { src, alt = '', width, height, srcDark, size, caption = [] } = image
  if (width !== undefined || height !== undefined || srcDark !== undefined || size !== undefined)
    return imageAsHtml(image)
  const title = caption.length === 0 ? '' : formatTitle(plainText(caption))
  return `![${escapeText(alt.replace(/\s+/g, ' '), { startsLine: false, inLink: true })}](${escapeInlineDestination(src)}${title})`
}

function formatTitle(title: string): string {
  return ` "${title.replace(/\s+/g, ' ').replace(/["\\&]/g, '\\$&')}"`
}

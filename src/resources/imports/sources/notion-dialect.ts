/** Notion Markdown: converts its callouts, row properties, formulas and captions to our Markdown dialect. */
import { gravenessOf } from '../../../core/html/notion.js'
import { nameOf } from '../../../core/pages/paths.js'
import { decodePercent } from '../../../core/links/resolve.js'

/** Returns whether the export contains the target of a URL. */
export type IsExported = (url: string) => boolean

/** Returns a Notion text in our dialect. */
export function toDialect(text: string, knows: IsExported): string {
  const lines = text
    .replace(/\r\n?/g, '\n')
    .replace(/<!-- notionvc: [\da-f-]{36} -->/g, '')
    .split('\n')
  const out: string[] = []
  const deeper = hasTitlesBelow(lines) ? '#' : ''
  let isCode = false
  let isFormula = false
  let isProperties = false
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]!
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode
    if (isCode) {
      out.push(line)
      continue
    }
    if (/^\s*\$\$\s*$/.test(line)) isFormula = !isFormula
    const [, indent = '', end] = /^(\s*)<(\/?)aside>\s*$/.exec(line) ?? []
    if (end === '') {
      const next = lines[index + 1] ?? ''
      out.push(`${indent}{% hint style="${styleOf(next)}" %}`)
      // The icon is an image at the start of the line; the rest of the line stays.
      const icon = /^\s*<img src="https:\/\/(?:www|app)\.notion\.(?:so|com)\/icons\/[^>]{0,500}>\s*/.exec(
        next,
      )
      const rest = icon ? next.slice(icon[0].length) : undefined
      if (rest === '') index++
      else if (rest !== undefined) lines[index + 1] = indent + rest
      continue
    }
    if (end === '/') {
      out.push(`${indent}{% endhint %}`)
      continue
    }
    // A database row has its property values below its title.
    if (index === 2 && lines[0]!.startsWith('# ') && lines[1] === '') isProperties = true
    const property = isProperties ? /^([\p{L}\p{N}][^:\n]{0,59}): (\S.*)$/u.exec(line) : null
    if (property) {
      const [, name, value] = property
      out.push(`- **${name!.replace(/[*_`[\]]/g, '\\$&')}:** ${linked(value!, knows)}`)
      continue
    }
    isProperties = false
    if (index > 0 && heading.test(line)) {
      out.push(line.replace('#', `${deeper}#`))
      continue
    }
    const picture = /^(\s*)!\[(.*)\]\(([^()\s]+)\)\s*$/.exec(line)
    if (picture) {
      const [, before, words, url] = picture
      const isCaptioned =
        words !== '' && lines[index + 1]?.trim() === '' && lines[index + 2]?.trim() === words!.trim()
      out.push(`${before}${pictureOf(words!, url!, isCaptioned)}`)
      // The caption below the image is now part of the image.
      if (isCaptioned && isPlain(words!)) index += 2
      continue
    }
    const written = isFormula ? line : withFormulas(line)
    out.push(
      !isFormula && continuesOnNextLine(line, lines[index + 1] ?? '') ? `${written.trimEnd()}\\` : written,
    )
  }
  return out.join('\n')
}

const heading = /^\s*#{1,3} /

/** Returns whether a text has level 1 headings below its title; then all headings are lowered by one level. */
function hasTitlesBelow(lines: readonly string[]): boolean {
  let isCode = false
  return lines.some((line, index) => {
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode
    return !isCode && index > 0 && /^\s*# /.test(line)
  })
}

/** Matches a line that starts a new block rather than continuing a paragraph. */
const startsBlock = /^\s*(?:[-*+] |\d{1,9}[.)] |#{1,6} |>|\||```|~~~|<|\{%|!\[|\$\$|-{3,}\s*$|$)/
/** Matches a line that no paragraph continues. */
const endsParagraph = /^\s*(?:#{1,6} |\||<|\{%|!\[[^\]]*\]\([^()]*\)\s*$|\$\$|-{3,}\s*$|$)/

/** Notion does not wrap lines: a line that continues on the next one ends with a hard break. */
function continuesOnNextLine(line: string, next: string): boolean {
  const [quote = ''] = /^[\s>]*>\s?/.exec(line) ?? []
  const [nextQuote = ''] = /^[\s>]*>\s?/.exec(next) ?? []
  if ((quote === '') !== (nextQuote === '')) return false
  return !endsParagraph.test(line.slice(quote.length)) && !startsBlock.test(next.slice(nextQuote.length))
}

function styleOf(line: string): string {
  const [sign = ''] = line.trim().split(' ', 1)
  return gravenessOf(sign) ?? 'info'
}

/** Returns whether a text needs no escaping as a Markdown title. */
function isPlain(words: string): boolean {
  return !/["[\]*`<>\\$]/.test(words)
}

/** Notion writes the file name as the alternative text of an image that has none. */
function pictureOf(words: string, url: string, isCaptioned: boolean): string {
  if (isCaptioned && isPlain(words)) return `![](${url} "${words.trim()}")`
  const isName = words === 'Untitled' || words === url || decodePercent(words) === nameOf(decodePercent(url))
  return `![${isName && !isCaptioned ? '' : words}](${url})`
}

/** Notion writes inline formulas between single dollar signs; so are amounts of money. */
function withFormulas(line: string): string {
  if (!line.includes('$') || line.includes('$$')) return line
  return line
    .split(/(`[^`]*`)/)
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part.replace(/(?<![\\$\w])\$(?=[^\s$])([^$\n]{0,500}?[^\s\\$])\$(?![\d$])/g, '$$$$$1$$$$'),
    )
    .join('')
}

export interface PageMention {
  readonly words: string
  readonly url: string
}

/** Returns the parts of a property value: plain text, and page mentions with their URLs. */
export function parseMentions(value: string): readonly (string | PageMention)[] {
  const parts: (string | PageMention)[] = []
  let at = 0
  for (const found of value.matchAll(
    /(?<=^|, )([^\n]{1,300}?) \(((?:https:\/\/www\.notion\.so\/|)[^\s()]{1,1000})\)(?=, |$)/g,
  )) {
    const [whole, words, url] = found
    if (!/^https:|\.(?:md|csv|html)$/.test(url!)) continue
    if (found.index > at) parts.push(value.slice(at, found.index))
    parts.push({ words: words!, url: url! })
    at = found.index + whole.length
  }
  if (at < value.length) parts.push(value.slice(at))
  return parts
}

/** Returns a property value with its pages and files as links. */
function linked(value: string, knows: IsExported): string {
  const files = value.split(', ')
  if (files.every((file) => /^[^\s:]+\.\w{1,8}$/.test(file) && knows(file)))
    return files
      .map((file) => `[${nameOf(decodePercent(file)).replace(/[[\]]/g, '\\$&')}](${file})`)
      .join(', ')
  return parseMentions(value)
    .map((part) =>
      typeof part === 'string' ? part : `[${part.words.replace(/[[\]]/g, '\\$&')}](${part.url})`,
    )
    .join('')
}

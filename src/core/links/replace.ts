/**
 * Replacement of link destinations in a text: only the characters of the destination change, escaped for the
 * surrounding syntax, so that parsing the text again yields exactly the new URL.
 */
import type { Reference } from '../document/types.js'

export type Replacement = Pick<Reference, 'span' | 'syntax' | 'url'>

/** Returns `text` with all replacements made, passed in any order. Throws a RangeError when two overlap. */
export function replaceDestinations(text: string, replacements: readonly Replacement[]): string {
  const ordered = replacements.toSorted((a, b) => a.span.start - b.span.start)
  let result = ''
  let done = 0
  for (const replacement of ordered) {
    const { start, end } = replacement.span
    if (start < done || end < start || end > text.length) throw new RangeError(`overlapping span at ${start}`)
    result += text.slice(done, start) + escapeDestination(text, replacement)
    done = end
  }
  return result + text.slice(done)
}

/** Returns the URL of a replacement, escaped for its syntax. */
export function escapeDestination(text: string, { span, syntax, url }: Replacement): string {
  const before = text[span.start - 1] ?? ''
  switch (syntax) {
    case 'inline':
    case 'definition':
      return url === '' && syntax === 'definition' ? '<>' : escapeInlineDestination(url)
    case 'angle':
      return escapeMarkdown(url)
        .replace(/[<>]/g, '\\$&')
        .replace(/[\r\n]/g, characterReference)
    case 'attribute':
      return escapeAttribute(url, before === '"' || before === "'")
    case 'yaml':
      return escapeYaml(url, text.slice(span.start, span.end), before)
  }
}

/** Returns `url` escaped for the parentheses of a link. */
export function escapeInlineDestination(url: string): string {
  return escapeParentheses(escapeMarkdown(url)).replace(/^<|[\u0000-\u0020\u007f]/g, (character) =>
    character === '<' ? '\\<' : characterReference(character),
  )
}

/** Backslashes before punctuation and ampersands that begin an entity would be parsed as escapes. */
function escapeMarkdown(url: string): string {
  return url.replace(/\\(?=[!-/:-@[-`{-~]|$)/g, '\\\\').replace(/&(?=#?[A-Za-z0-9]+;)/g, '\\&')
}

/** Balanced parentheses stay unescaped, as most authors write them; CommonMark allows parsers to stop at 32 levels. */
function escapeParentheses(url: string): string {
  let depth = 0
  for (const character of url) {
    if (character === '(') depth++
    if (character === ')') depth--
    if (depth < 0 || depth > 30) break
  }
  return depth === 0 ? url : url.replace(/[()]/g, '\\$&')
}

function escapeAttribute(url: string, quoted: boolean): string {
  const escaped = url
    .replace(/&(?=#?[A-Za-z0-9])/g, '&amp;')
    .replace(/["'<>\r\n]/g, characterReference)
    // Parsers find the end of a tag before they parse its attributes.
    .replace(/%(?=\})|\{(?=%)/g, characterReference)
  return quoted ? escaped : escaped.replace(/[\s=`]/g, characterReference)
}

function escapeYaml(url: string, old: string, before: string): string {
  const quote = /^["']/.exec(old)?.[0] ?? ''
  if (quote === '"') return JSON.stringify(url)
  if (quote === "'" && !/[\r\n]/.test(url)) return `'${url.replaceAll("'", "''")}'`
  if (before === '"') return JSON.stringify(url).slice(1, -1)
  if (before === "'") return url.replaceAll("'", "''")
  const plain = /^[A-Za-z./_][\w./%+~@&=?:#()\u00a1-\u2027\u2030-\ud7ff-]*$/.test(url) && !url.endsWith(':')
  return plain && !/^(true|false|null|yes|no|on|off|[.]inf|[.]nan)$/i.test(url) && !/^[.\d]+$/.test(url)
    ? url
    : JSON.stringify(url)
}

function characterReference(character: string): string {
  const names: Record<string, string> = { '"': '&quot;', '<': '&lt;', '>': '&gt;' }
  return names[character] ?? `&#${character.codePointAt(0)};`
}

/** Front matter and title, written: one key or the title's own characters change, every other byte stays. */
import { isMap, isScalar, stringify } from 'yaml'
import type { Span } from '../document/types.js'
import { frontMatterSpan, parseFrontMatter, readYaml, yamlSpan } from './front-matter.js'
import { parsePage } from './parse.js'

/**
 * Returns `text` with keys of its front matter set, or removed where the value is undefined. The block is made
 * when there is none and taken away with its last key. YAML that is broken is mended by lines: only keys that
 * stand at the beginning of a line and have a value on it are found there.
 */
export function setFrontMatter(text: string, changes: Readonly<Record<string, unknown>>): string {
  return Object.entries(changes).reduce((changed, [key, value]) => setKey(changed, key, value), text)
}

function setKey(text: string, key: string, value: unknown): string {
  const newline = /\r\n/.test(text.slice(0, 4096)) ? '\r\n' : '\n'
  const entry = value === undefined ? '' : formatEntry(key, value, newline)
  const frontMatter = frontMatterSpan(text)
  if (!frontMatter) {
    const start = text.startsWith('\ufeff') ? 1 : 0
    return entry === ''
      ? text
      : splice(text, { start, end: start }, `---${newline}${entry}---${newline}${newline}`)
  }
  const inner = yamlSpan(text, frontMatter)
  const lines = findKey(text, frontMatter, key)
  if (lines === 'flow') return splice(text, inner, rewrite(text, frontMatter, key, value, newline))
  if (!lines) return entry === '' ? text : splice(text, { start: inner.end, end: inner.end }, entry)
  if (entry !== '') return splice(text, lines, entry)
  const rest = text.slice(inner.start, lines.start) + text.slice(lines.end, inner.end)
  if (rest.trim() !== '') return splice(text, lines, '')
  const blank = /^\r?\n/.exec(text.slice(frontMatter.end))?.[0].length ?? 0
  return splice(text, { start: frontMatter.start, end: frontMatter.end + blank }, '')
}

function splice(text: string, { start, end }: Span, replacement: string): string {
  return text.slice(0, start) + replacement + text.slice(end)
}

function formatEntry(key: string, value: unknown, newline: string): string {
  return stringify({ [key]: value }, { lineWidth: 0 }).replaceAll('\n', newline)
}

/** The lines of a key with its value, or 'flow' when all keys stand between braces. */
function findKey(text: string, frontMatter: Span, key: string): Span | 'flow' | undefined {
  const read = readYaml(text, frontMatter)
  const inner = yamlSpan(text, frontMatter)
  if (!read || read.document.errors.length > 0 || !isMap(read.document.contents)) {
    const lines = text.slice(inner.start, inner.end)
    // linear: begins with a line, and reads no further.
    const line = new RegExp(`^${key.replace(/[^\w]/g, '\\$&')}[ \\t]*:.*(?:\\r?\\n|$)`, 'm').exec(lines)
    const start = inner.start + (line?.index ?? 0)
    return line ? { start, end: start + line[0].length } : undefined
  }
  if (read.document.contents.flow) return 'flow'
  const pair = read.document.contents.items.find(
    (item) => isScalar(item.key) && String(item.key.value) === key,
  )
  if (!pair) return undefined
  const keyRange = (pair.key as { range: [number, number, number] }).range
  const valueRange = (pair.value as { range?: [number, number, number] } | null)?.range
  const start = read.start + keyRange[0]
  const reach = read.start + Math.max(keyRange[1], valueRange?.[1] ?? 0)
  const last = start + text.slice(start, reach).trimEnd().length
  const end = text.indexOf('\n', last)
  return { start, end: end < 0 || end >= inner.end ? inner.end : end + 1 }
}

function rewrite(text: string, frontMatter: Span, key: string, value: unknown, newline: string): string {
  const { document } = readYaml(text, frontMatter)!
  const values = document.toJS({ maxAliasCount: 100 }) as Record<string, unknown>
  const { [key]: _, ...others } = values
  const changed = value === undefined ? others : { ...values, [key]: value }
  return stringify(changed, { lineWidth: 0 }).replaceAll('\n', newline)
}

/**
 * Returns `text` with another title: in the front matter when that is where it stands, else in the first heading;
 * a text without title stays as it is. Line breaks in a title become spaces.
 */
export function setTitle(text: string, title: string): string {
  const line = title.replace(/\s+/g, ' ').trim()
  if (parseFrontMatter(text).metadata.title !== undefined) return setFrontMatter(text, { title: line })
  const found = parsePage(text).title
  if (!found) return text
  const before = text[found.span.start - 1] === '#' ? ' ' : ''
  const plain = splice(text, found.span, before + line)
  return parsePage(plain).title?.text === line ? plain : splice(text, found.span, before + escapeText(line))
}

/** A full stop or bracket after a number, and signs at the beginning, would make a list of an underlined heading. */
function escapeText(text: string): string {
  return text.replace(/[\\`*_[\]<>~$|!&#{]/g, '\\$&').replace(/^(\d*)([-+.)=])/, '$1\\$2')
}

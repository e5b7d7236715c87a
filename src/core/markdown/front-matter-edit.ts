/** Edits front matter and title in place: only the key or the title's characters change, every other byte stays. */
import { isMap, isScalar, stringify, type Pair, type YAMLMap } from 'yaml'
import type { Span } from '../document/types.js'
import { isMapping, memberOf } from '../mapping.js'
import { frontMatterSpan, parseFrontMatter, readYaml, yamlSpan } from './front-matter.js'
import { parsePage } from './parse.js'

/**
 * Returns `text` with keys of its front matter set, or removed where the value is undefined. The block is created
 * when there is none and removed with its last key. Invalid YAML is edited by lines: only keys at the beginning of a
 * line with a value on it are found there.
 */
export function setFrontMatter(text: string, changes: Readonly<Record<string, unknown>>): string {
  return Object.entries(changes).reduce((changed, [key, value]) => setKey(changed, key, value), text)
}

/** A member of nested mappings in the front matter, and its value; undefined removes it. */
export type FrontMatterMember = readonly [
  path: readonly [string, string, ...string[]],
  value: string | number | boolean | undefined,
]

/** Each member that is set in place reads the front matter again: beyond these sizes a mapping is written as a whole. */
const [maxMembersInPlace, maxLengthInPlace] = [16, 8_192]

/** Returns `text` with members of one mapping set, all below the same key; undefined for invalid YAML. */
export function setFrontMatterMembers(
  text: string,
  members: readonly FrontMatterMember[],
): string | undefined {
  const [first] = members
  if (first === undefined) return text
  const frontMatter = frontMatterSpan(text)
  const length = frontMatter === undefined ? 0 : frontMatter.end - frontMatter.start
  if (members.length <= maxMembersInPlace && length <= maxLengthInPlace) {
    let changed: string | undefined = text
    for (const [path, value] of members) changed = changed && setFrontMatterMember(changed, path, value)
    return changed
  }
  if (frontMatter && (readYaml(text, frontMatter)?.document.errors.length ?? 1) > 0) return undefined
  const [[key]] = first
  let mapping = frontMatterValue(text, key)
  for (const [[, ...inner], value] of members) mapping = withMember(mapping, inner, value)
  return setKey(text, key, mapping)
}

/**
 * The same for a member of nested mappings, such as `layout.cover.size`: mappings are created where they are missing, and
 * removed with their last member. A mapping in braces is written anew. Returns undefined for invalid YAML.
 */
export function setFrontMatterMember(
  text: string,
  path: readonly [string, string, ...string[]],
  value: string | number | boolean | undefined,
): string | undefined {
  const frontMatter = frontMatterSpan(text)
  const read = frontMatter && readYaml(text, frontMatter)
  const document = read?.document
  if (frontMatter && (!document || document.errors.length > 0)) return undefined
  const [key, ...inner] = path
  const values: unknown = document?.toJS({ maxAliasCount: 100 })
  const before = isMapping(values) ? values[key] : undefined
  const place = isMap(document?.contents) ? findMember(document.contents, path) : undefined
  if (place === undefined) return setKey(text, key, withMember(before, inner, value))
  const column = columnOf(text, read!.start + place.start)
  if (column === undefined) return setKey(text, key, withMember(before, inner, value))
  const newline = /\r\n/.test(text.slice(0, 4096)) ? '\r\n' : '\n'
  const start = read!.start + place.start
  const end = start + text.slice(start, read!.start + place.end).trimEnd().length
  if (value === undefined) {
    if (!place.isFound) return text
    if (place.isLast) return setKey(text, key, withMember(before, inner, undefined))
    const next = text.indexOf('\n', end)
    return splice(text, { start: start - column, end: next < 0 ? text.length : next + 1 }, '')
  }
  const entry = formatEntry(place.key, withMember(undefined, place.below, value), newline)
    .trimEnd()
    .replaceAll('\n', `\n${' '.repeat(column)}`)
  if (place.isFound) return splice(text, { start, end }, entry)
  return splice(text, { start: end, end }, `${newline}${' '.repeat(column)}${entry}`)
}

/** Returns the value of a key as it is written; undefined where there is none. */
export function frontMatterValue(text: string, key: string): unknown {
  const frontMatter = frontMatterSpan(text)
  const document = frontMatter && readYaml(text, frontMatter)?.document
  if (!document || document.errors.length > 0) return undefined
  return memberOf(document.toJS({ maxAliasCount: 100 }), key)
}

interface MemberPlace {
  /** Of the entry, or of the last one of its mapping where there is none. */
  readonly start: number
  readonly end: number
  readonly isFound: boolean
  /** True where it is the only member of a mapping that would stay behind empty. */
  readonly isLast: boolean
  /** The key of the entry, and the path of the member in its value. */
  readonly key: string
  readonly below: readonly string[]
}

/** Returns where a member is, or is to be inserted, in block mappings; undefined where another form is in its way. */
function findMember(map: YAMLMap, [key, ...below]: readonly string[], depth = 0): MemberPlace | undefined {
  const last = map.items.at(-1)
  if (map.flow || last === undefined) return undefined
  const pair = map.items.find((item) => isScalar(item.key) && String(item.key.value) === key)
  if (pair === undefined)
    return depth === 0 ? undefined : { ...spanOfPair(last), isFound: false, isLast: false, key: key!, below }
  if (below.length > 0) return isMap(pair.value) ? findMember(pair.value, below, depth + 1) : undefined
  return { ...spanOfPair(pair), isFound: true, isLast: map.items.length === 1, key: key!, below }
}

function spanOfPair({ key, value }: Pair): Span {
  const [start, end] = (key as { range: [number, number, number] }).range
  const [, valueEnd = 0] = (value as { range?: [number, number, number] } | null)?.range ?? []
  return { start, end: Math.max(end, valueEnd) }
}

/** The spaces before a key on its line; undefined where something else is there. */
function columnOf(text: string, at: number): number | undefined {
  const lineStart = text.lastIndexOf('\n', at - 1) + 1
  return text.slice(lineStart, at).trimStart() === '' ? at - lineStart : undefined
}

/** Returns the value with a member at a path set, or removed with the mappings that it leaves empty. */
function withMember(value: unknown, [key, ...below]: readonly string[], member: unknown): unknown {
  if (key === undefined) return member
  const { [key]: before, ...others } = isMapping(value) ? value : {}
  const after = withMember(before, below, member)
  if (after !== undefined) return isMapping(value) ? { ...value, [key]: after } : { [key]: after }
  return Object.keys(others).length === 0 ? undefined : others
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

/** The lines of a key with its value, or 'flow' for a flow mapping. */
function findKey(text: string, frontMatter: Span, key: string): Span | 'flow' | undefined {
  const read = readYaml(text, frontMatter)
  const inner = yamlSpan(text, frontMatter)
  if (!read || read.document.errors.length > 0 || !isMap(read.document.contents)) {
    const lines = text.slice(inner.start, inner.end)
    // linear: anchored at a line start, and reads no further.
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
 * Returns `text` with another title: in the front matter if the title is there, else in the first heading;
 * a text without title is unchanged. Line breaks in a title become spaces.
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

/** A dot or bracket after a number, and markers at the start, would turn a setext heading into a list. */
function escapeText(text: string): string {
  return text.replace(/[\\`*_[\]<>~$|!&#{]/g, '\\$&').replace(/^(\d*)([-+.)=])/, '$1\\$2')
}

/**
 * Front matter parsing: the YAML between `---` lines at the top of a page as page metadata. Invalid YAML gives no
 * metadata and a problem, never an exception. Editing is in `front-matter-edit.ts`.
 */
import { isMapping } from '../mapping.js'
import { type Document, isMap, isScalar, type Node } from 'yaml'
import { hasCollectionKey, isBoundedYaml, parseYaml } from './yaml-text.js'
import type { Problem, Reference, Span } from '../document/types.js'
import type { PageCover, PageLayout, PageMetadata } from '../document/metadata.js'
import { decodeScalar } from './scalar.js'

/** Longer front matter is not parsed. */
export const maxFrontMatterLength = 65_536

const opening = /^\ufeff?---[ \t]*\r?\n/
const closing = /^---[ \t]*(?:\r?\n|$(?![^]))/gm

/** Returns the span of the front matter, from the first fence to the end of the line of the second. */
export function frontMatterSpan(text: string): Span | undefined {
  const first = opening.exec(text)
  if (!first) return undefined
  closing.lastIndex = first[0].length
  const last = closing.exec(text)
  return last ? { start: text.startsWith('\ufeff') ? 1 : 0, end: last.index + last[0].length } : undefined
}

/** Returns the text below its front matter, without the empty lines that separate them. */
export function withoutFrontMatter(text: string): string {
  const span = frontMatterSpan(text)
  return span === undefined ? text : text.slice(span.end).replace(/^(?:[ \t]*\r?\n)+/, '')
}

/** Returns the span of the lines between the fences. */
export function yamlSpan(text: string, frontMatter: Span): Span {
  const start = text.indexOf('\n', frontMatter.start) + 1
  return { start, end: text.lastIndexOf('---', frontMatter.end - 1) }
}

/** Returns the YAML between the fences as a tree with positions; undefined when it is too long or too deep. */
export function readYaml(text: string, frontMatter: Span): { document: Document; start: number } | undefined {
  const { start, end } = yamlSpan(text, frontMatter)
  if (end - start > maxFrontMatterLength || !isBoundedYaml(text.slice(start, end))) return undefined
  return {
    document: parseYaml(text.slice(start, end)),
    start,
  }
}

/** Returns the members of the front matter as written; empty where it cannot be read. */
export function frontMatterMembers(text: string): Readonly<Record<string, unknown>> {
  const span = frontMatterSpan(text)
  const read = span && readYaml(text, span)
  if (!read || read.document.errors.length > 0 || hasCollectionKey(read.document)) return {}
  try {
    const values: unknown = read.document.toJS({ maxAliasCount: 100 })
    return isMapping(values) ? values : {}
  } catch {
    return {}
  }
}

/** Returns the parsed front matter; `span` is absent when the text has none. */
export function parseFrontMatter(text: string): {
  readonly span?: Span
  readonly metadata: PageMetadata
  readonly problems: readonly Problem[]
} {
  const span = frontMatterSpan(text)
  if (!span) return { metadata: {}, problems: [] }
  const read = readYaml(text, span)
  if (!read) {
    const message = `Front matter longer than ${maxFrontMatterLength} characters or nested too deeply: not read`
    return { span, metadata: {}, problems: [{ message, span }] }
  }
  const { document, start } = read
  const fail = (message: string, from: number, to: number): ReturnType<typeof parseFrontMatter> => ({
    span,
    metadata: {},
    problems: [{ message: `Front matter: ${message}`, span: { start: start + from, end: start + to } }],
  })
  const error = document.errors[0]
  if (error) return fail(error.message, error.pos[0], error.pos[1])
  if (hasCollectionKey(document)) return fail('a key must be a plain word', 0, span.end - start)
  let values: unknown
  try {
    values = document.toJS({ maxAliasCount: 100 })
  } catch {
    return fail('too many aliases', 0, span.end - start)
  }
  if (values === null || values === undefined) return { span, metadata: {}, problems: [] }
  if (typeof values !== 'object' || Array.isArray(values))
    return fail('keys and values expected', 0, span.end - start)
  return { span, metadata: readMetadata(values as Record<string, unknown>), problems: [] }
}

function readMetadata(values: Record<string, unknown>): PageMetadata {
  return withoutUndefined({
    title: textOf(values.title),
    description: textOf(values.description),
    linkTitle: textOf(values.linkTitle),
    icon: textOf(values.icon)?.replace(/^fa-/, ''),
    emoji: textOf(values.emoji),
    hidden: flagOf(values.hidden),
    noIndex: flagOf(values.noIndex),
    noRobotsIndex: flagOf(values.noRobotsIndex),
    condition: textOf(values.if),
    tags: tagsOf(values.tags),
    cover: coverOf(values),
    layout: layoutOf(values.layout),
    variables: variablesOf(values.vars),
  })
}

function withoutUndefined<Value extends object>(
  value: Value,
): { [Key in keyof Value]?: Exclude<Value[Key], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as {
    [Key in keyof Value]?: Exclude<Value[Key], undefined>
  }
}

function textOf(value: unknown): string | undefined {
  // YAML escapes can express characters that neither database nor URL can store; they are replaced as in text.
  if (typeof value === 'string') return value.replace(/[\0\p{Surrogate}]/gu, '\ufffd').trim() || undefined
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

function flagOf(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

function recordOf(value: unknown): Record<string, unknown> | undefined {
  return isMapping(value) ? value : undefined
}

function tagsOf(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined
  const tags = value.flatMap((item: unknown) => textOf(recordOf(item)?.tag ?? item) ?? [])
  return tags.length > 0 ? [...new Set(tags)] : undefined
}

function coverOf(values: Record<string, unknown>): PageCover | undefined {
  const both = recordOf(values.cover)
  const src = textOf(both ? both.light : values.cover)
  const srcDark = textOf(both?.dark ?? values.coverDark)
  if (!src && !srcDark) return undefined
  const height = numberOf(values.coverHeight)
  return { ...withoutUndefined({ src, srcDark, height }), yPos: numberOf(values.coverY) ?? 0 }
}

function layoutOf(value: unknown): PageLayout | undefined {
  const layout = recordOf(value)
  if (!layout) return undefined
  const isVisible = (key: string): boolean | undefined =>
    flagOf(recordOf(layout[key])?.visible ?? layout[key])
  const { size, mask } = recordOf(layout.cover) ?? {}
  const read = withoutUndefined({
    width: layout.width === 'wide' || layout.width === 'default' ? layout.width : undefined,
    cover: isVisible('cover'),
    coverSize: size === 'full' || size === 'hero' ? size : undefined,
    coverMask: mask === 'radial' || mask === 'none' ? mask : undefined,
    title: isVisible('title'),
    description: isVisible('description'),
    tableOfContents: isVisible('tableOfContents'),
    outline: isVisible('outline'),
    pagination: isVisible('pagination'),
    metadata: isVisible('metadata'),
    tags: isVisible('tags'),
    actions: isVisible('actions'),
    anchors: isVisible('anchors'),
  }) as PageLayout
  return Object.keys(read).length > 0 ? read : undefined
}

function variablesOf(value: unknown): PageMetadata['variables'] {
  const entries = Object.entries(recordOf(value) ?? {}).filter(([, member]) =>
    ['string', 'number', 'boolean'].includes(typeof member),
  )
  return entries.length > 0
    ? (Object.fromEntries(entries) as Record<string, string | number | boolean>)
    : undefined
}

/** Returns the references to cover images; a span covers the whole scalar with its quotes. */
export function findCoverReferences(text: string, frontMatter: Span): readonly Reference[] {
  // Most pages have `cover` only inside `layout`: this saves parsing their YAML, about 0.3 ms.
  if (!/^(?:\{.*)?["']?cover/m.test(text.slice(frontMatter.start, frontMatter.end))) return []
  const read = readYaml(text, frontMatter)
  if (!read || read.document.errors.length > 0) return []
  const places = [['cover'], ['cover', 'light'], ['cover', 'dark'], ['coverDark']]
  return places.flatMap((path): Reference[] => {
    const node = isMap(read.document.contents) ? read.document.contents.getIn(path, true) : undefined
    if (!isScalar(node) || typeof node.value !== 'string' || node.value === '' || !(node as Node).range)
      return []
    const [from, to] = node.range!
    const span = { start: read.start + from, end: read.start + to }
    const isWhole = decodeScalar(text.slice(span.start, span.end)) === node.value
    return isWhole ? [{ kind: 'cover', url: node.value, span, syntax: 'yaml' }] : []
  })
}

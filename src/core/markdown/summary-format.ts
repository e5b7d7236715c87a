/**
 * SUMMARY.md formatter: writes nested entries in the style of the previous file: its opening lines, bullet,
 * indentation, heading markers, line ends, and its spelling of every entry that stays. `summary.ts` parses back
 * the same entries.
 */
import { escapeInlineDestination } from '../links/replace.js'
import { relativePath } from '../links/relative.js'
import { escapeInline } from './plain-inline.js'
import {
  bullet,
  columnOf,
  computedTitle,
  parseSummary,
  readMarkers,
  splitLines,
  type SummaryEntry,
} from './summary.js'

interface Style {
  /** Everything before the first entry. */
  readonly opening: string
  readonly marker: string
  readonly indentation: string
  readonly hashes: string
  readonly newline: string
  /** Entry → its source in the original, without the bullet. */
  readonly written: ReadonlyMap<string, string>
}

/** An entry to write: without a source span. */
export type SummaryItem = SummaryEntry extends infer Entry
  ? Entry extends SummaryEntry
    ? Omit<Entry, 'span' | 'children'> & { readonly children: readonly SummaryItem[] }
    : never
  : never

/** Returns the text of a SUMMARY.md with these entries, in the style of `original` if there is one. */
export function formatSummary(entries: readonly SummaryItem[], original = ''): string {
  const style = styleOf(original)
  const lines: string[] = []
  for (const [index, entry] of entries.entries()) {
    const previous = entries[index - 1]
    if (entry.kind === 'group') {
      if (previous) lines.push('')
      lines.push(headingLine(entry, style))
      if (entry.children.length > 0) lines.push('')
      writeItems(entry.children, '', style, lines)
    } else {
      if (previous?.kind === 'group') lines.push('', '***', '')
      writeItems([entry], '', style, lines)
    }
  }
  return style.opening + lines.map((line) => line + style.newline).join('')
}

function headingLine(entry: Extract<SummaryItem, { kind: 'group' }>, { hashes, written }: Style): string {
  const before = written.get(keyOf(entry))
  if (before !== undefined) return before
  const title = escapeInline(entry.title).replace(/(^| )(#+)$/, '$1\\$2')
  const slug = entry.slug?.replace(/["<>&]/g, (character) => `&#${character.charCodeAt(0)};`)
  return `${hashes} ${title}${slug === undefined ? '' : ` <a href="#${slug}" id="${slug}"></a>`}`.trimEnd()
}

function writeItems(items: readonly SummaryItem[], indentation: string, style: Style, lines: string[]): void {
  for (const item of items) {
    if (item.kind === 'computed') {
      const inside = ' '.repeat(columnOf(indentation) + style.marker.length + 1)
      const ticks = '`'.repeat(Math.max(3, longestTicks(item.source) + 1))
      lines.push(`${indentation}${style.marker} ${ticks}yaml`)
      lines.push(
        ...titled(item)
          .split('\n')
          .map((line) => (line === '' ? '' : inside + line)),
        inside + ticks,
      )
    } else {
      lines.push(`${indentation}${style.marker} ${style.written.get(keyOf(item)) ?? linkText(item)}`)
    }
    writeItems(item.children, indentation + style.indentation, style, lines)
  }
}

function linkText(item: Exclude<SummaryItem, { kind: 'computed' }>): string {
  const url =
    item.kind === 'link'
      ? item.url
      : item.kind === 'page' && item.file !== undefined
        ? (item.part ?? relativePath('SUMMARY.md', item.file))
        : ''
  const label = item.kind === 'group' ? undefined : item.linkTitle
  const quoted = label === undefined ? '' : ` "${label.replace(/\s+/g, ' ').replace(/["\\&]/g, '\\$&')}"`
  // Without a destination a title would be parsed as one.
  const destination = url === '' && quoted !== '' ? '<>' : escapeInlineDestination(url)
  return `[${escapeInline(item.title)}](${destination}${quoted})`
}

/** The title of a computed page is in its YAML: one that differs from the derived title is written there. */
function titled({ title, source }: Extract<SummaryItem, { kind: 'computed' }>): string {
  if (computedTitle(source) === title) return source
  const line = `title: ${JSON.stringify(title)}`
  return /^title:.*$/m.test(source) ? source.replace(/^title:.*$/m, () => line) : `${line}\n${source}`
}

function longestTicks(source: string): number {
  return Math.max(0, ...Array.from(source.matchAll(/^[ \t]*(`+)/gm), (match) => match[1]!.length))
}

function styleOf(original: string): Style {
  const newline = /\r\n?|\n/.exec(original)?.[0] ?? '\n'
  const read = parseSummary(original).entries
  const first = read[0]
  let opening = original.slice(0, first?.span.start ?? original.length)
  if (opening.trim() === '' && !first) opening = `# Table of contents${newline}${newline}`
  if (opening !== '' && !/[\r\n]$/.test(opening) && opening !== '\ufeff') opening += newline + newline

  const bullets = splitLines(original).flatMap(({ text }) => {
    const match = bullet.exec(text)
    return match ? [{ indentation: match[1]!, marker: match[2]! }] : []
  })
  const firstMarker = bullets[0]?.marker ?? '*'
  const marker = /\d/.test(firstMarker) ? '1.' : firstMarker
  const nested = bullets.find(({ indentation }) => columnOf(indentation) >= 2)
  const written = new Map<string, string>()
  const readings = new Map<string, string>()
  const collect = (entries: readonly SummaryEntry[]) => {
    for (const entry of entries) {
      const source = original.slice(entry.span.start, entry.span.end)
      const isUnderlined = entry.kind === 'group' && !/^ *#/.test(source)
      if (!/[\r\n]/.test(source) && entry.kind !== 'computed' && !isUnderlined) {
        const label = entry.kind !== 'group' && bullet.test(source) ? readMarkers(source).content : source
        const [own, ...others] = keysOf(entry)
        written.set(own!, label)
        for (const other of others) readings.set(other, label)
      }
      collect(entry.children)
    }
  }
  collect(read)
  return {
    opening,
    marker,
    indentation: nested?.indentation ?? ' '.repeat(marker.length + 1),
    hashes: /^ {0,3}(#{2,3})[ \t]/m.exec(original)?.[1] ?? '##',
    newline,
    written: new Map([...readings, ...written]),
  }
}

/** Returns the keys of the items that an entry may have become, the most literal first. */
function keysOf({ span: _span, children: _children, ...entry }: SummaryEntry): readonly string[] {
  if (entry.kind === 'link')
    return [keyOf({ kind: 'link', title: entry.title, url: entry.url, children: [] })]
  if (entry.kind !== 'page') return [keyOf({ ...entry, children: [] })]
  const { kind, title, linkTitle, file, literalFile, part } = entry
  const page = { kind, title, ...(linkTitle !== undefined && { linkTitle }), children: [] }
  const pages = [literalFile, file].flatMap((one) => (one === undefined ? [] : [{ ...page, file: one }]))
  const links = [part, file].flatMap((url) => (url === undefined ? [] : [url]))
  const asLinks = links.map((url) => ({ kind: 'link', title, url, children: [] }) as const)
  const items = part === undefined ? [...pages, ...asLinks] : [...asLinks, ...pages]
  return (items.length === 0 ? [page] : items).map(keyOf)
}

function keyOf(item: SummaryItem): string {
  return JSON.stringify({ ...item, span: undefined, children: undefined }, Object.keys(item).toSorted())
}

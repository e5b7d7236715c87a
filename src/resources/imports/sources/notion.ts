/**
 * Pages of Notion, exported as Markdown and CSV. Names there end with the id of their page, which goes; databases become
 * pages with a table whose rows lead to their own pages; pages stand in the order in which their parents name them.
 */
import { groupBy } from '../../../core/group.js'
import type { Block, Inline, TableCell } from '../../../core/document/types.js'
import { relativePath } from '../../../core/links/relative.js'
import { formatPage } from '../../../core/markdown/format.js'
import type { SummaryItem } from '../../../core/markdown/summary-format.js'
import { folderOf, joinPath, nameOf, slugify } from '../../../core/pages/paths.js'
import { decodeText } from '../../../store/content/encoding.js'
import type { ArchiveItem } from '../archive.js'
import { readZip } from '../read-zip.js'
import { parseCsv } from './csv.js'
import {
  type OpenItems,
  type Places,
  type SourceContext,
  createPlaces,
  listPaths,
  noPages,
  pageItem,
  placeText,
  summaryEntry,
  textEntry,
  withTitle,
} from './source.js'

/** The name of a file or folder: what it is called, its id, what it is. */
const exported = /^(.*?)(?: ([\da-f]{32}))?(_all)?(\.md|\.csv)?$/s
const idInAddress = /^https:\/\/(?:www\.)?notion\.(?:so|site)\/[^#?]*?([\da-f]{32})(?:[?#]|$)/

interface Page {
  readonly old: string
  readonly title: string
  readonly place: string
  readonly isTable: boolean
}

export async function* convertNotion(given: OpenItems, context: SourceContext): AsyncGenerator<ArchiveItem> {
  const open = unwrapped(given, await listPaths(given))
  const paths = await listPaths(open)
  const places = createPlaces()
  const { pages, ids } = placeAll(paths, places)
  if (pages.size === 0) throw noPages('page of Notion: export it as "Markdown & CSV"')
  const find = (url: string): { path: string } | undefined => {
    const path = ids.get(idInAddress.exec(url)?.[1] ?? '')
    return path === undefined ? undefined : { path }
  }
  /** What each page names, in its order. */
  const named = new Map<string, readonly string[]>()
  /** What pages call themselves: names of files are cut, and lack some characters. */
  const titles = new Map<string, string>()
  for await (const item of open()) {
    if (!('open' in item)) {
      yield item
      continue
    }
    const page = pages.get(item.path)
    if (page === undefined) {
      // Of a database, the whole table stands for the one that was shown.
      if (!item.path.endsWith('.csv')) yield { ...item, path: places.of.get(item.path)! }
      continue
    }
    const met: string[] = []
    const move = { from: page.old, to: page.place, places, find, meet: (old: string) => void met.push(old) }
    const text = decodeText(await item.open())
    if (page.isTable) {
      yield* placeTable(page, text, pages, met)
    } else {
      const { markdown, told } = inDialect(text)
      const [, title] = /^# ([^*_`[\]<>\\\n]{1,300})$/m.exec(markdown.slice(0, 400)) ?? []
      if (title !== undefined && markdown.startsWith('# ')) titles.set(page.place, title.trim())
      yield* placeText(markdown.startsWith('# ') ? markdown : withTitle(page.title, markdown), move, context)
      if (told !== undefined) yield { path: page.place, told }
    }
    named.set(
      page.place,
      met.flatMap((old) => places.of.get(old) ?? []),
    )
  }
  const called = [...pages.values()].map((page) => ({ ...page, title: titles.get(page.place) ?? page.title }))
  yield summaryEntry(treeOf(called, named))
}

/** An export of much is a zip of zips. */
function unwrapped(open: OpenItems, paths: readonly string[]): OpenItems {
  if (paths.length === 0 || !paths.every((path) => /\.zip$/i.test(path))) return open
  return async function* () {
    for await (const item of open()) {
      if ('open' in item) yield* readZip(await item.open())
      else yield item
    }
  }
}

/** Names every file anew: a page and the folder of what stands below it go by the same name. */
function placeAll(
  paths: readonly string[],
  places: Places,
): { pages: ReadonlyMap<string, Page>; ids: ReadonlyMap<string, string> } {
  const all = new Set(paths)
  const isPage = (path: string): boolean => {
    const [, , , isAll, kind] = exported.exec(nameOf(path))!
    // Of a database there is the table as it was shown, and as a whole.
    if (kind === '.csv') return isAll !== undefined || !all.has(path.replace(/\.csv$/, '_all.csv'))
    return kind === '.md'
  }
  const top = paths.filter((path) => isPage(path) && !path.includes('/'))
  const pages = new Map<string, Page>()
  const ids = new Map<string, string>()
  /** The new folder of each old one. */
  const folders = new Map<string, string>([['', '']])
  const shallowFirst = paths.toSorted(
    (one, other) => one.split('/').length - other.split('/').length || (one < other ? -1 : 1),
  )
  const folderAt = (old: string): string => {
    const known = folders.get(old)
    if (known !== undefined) return known
    const [, title = '', id] = exported.exec(nameOf(old))!
    const parent = folderAt(folderOf(old))
    // Newer exports leave the id out of the names of folders.
    const place = joinPath(parent, slugify(title))
    const chosen = id === undefined ? (folders.get(`${folderOf(old)}\n${title}`) ?? place) : place
    folders.set(old, chosen)
    return chosen
  }
  for (const path of shallowFirst) {
    const parent = folderAt(folderOf(path))
    if (!isPage(path)) continue
    const [, title = '', id, , kind] = exported.exec(nameOf(path))!
    const isOnly = top.length === 1 && top[0] === path
    const place = places.take(path, isOnly ? 'README.md' : joinPath(parent, `${slugify(title)}.md`))
    pages.set(path, { old: path, title, place, isTable: kind === '.csv' })
    if (kind === '.csv') places.join(path.replace(/_all\.csv$/, '.csv'), place)
    if (id !== undefined) ids.set(id, path)
    const below = isOnly ? '' : place.replace(/\.md$/, '')
    const folder = joinPath(folderOf(path), id === undefined ? title : `${title} ${id}`)
    if (!folders.has(folder)) folders.set(folder, below)
    if (!folders.has(`${folderOf(path)}\n${title}`)) folders.set(`${folderOf(path)}\n${title}`, below)
  }
  for (const path of paths) {
    const [, , , , kind] = exported.exec(nameOf(path))!
    if (kind === undefined) places.take(path, joinPath(folderAt(folderOf(path)), nameOf(path)))
  }
  return { pages, ids }
}

/** What Notion writes in its own way. */
function inDialect(text: string): { markdown: string; told?: string } {
  const lines = text.replace(/\r\n?/g, '\n').split('\n')
  const out: string[] = []
  let isCode = false
  let isProperties = false
  for (const [index, line] of lines.entries()) {
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode
    if (isCode) out.push(line)
    else if (/^\s*<aside>\s*$/.test(line)) out.push('{% hint style="info" %}')
    else if (/^\s*<\/aside>\s*$/.test(line)) out.push('{% endhint %}')
    else {
      // A row of a database says its values below its title.
      if (index === 2 && lines[0]!.startsWith('# ') && lines[1] === '') isProperties = true
      const property = isProperties ? /^([\p{L}\p{N}][^:\n]{0,59}): (\S.*)$/u.exec(line) : null
      if (!property) isProperties = false
      out.push(property ? `- **${property[1]!.replace(/[*_`[\]]/g, '\\$&')}:** ${property[2]}` : line)
    }
  }
  return { markdown: out.join('\n') }
}

/** More rows are no table that anybody reads. */
const mostRows = 1_000
const nowhere = { start: 0, end: 0 }

async function* placeTable(
  page: Page,
  text: string,
  pages: ReadonlyMap<string, Page>,
  met: string[],
): AsyncGenerator<ArchiveItem> {
  const [head = [], ...rows] = parseCsv(text)
  const folder = page.place === 'README.md' ? '' : page.place.replace(/\.md$/, '')
  const below = new Map<string, Page>()
  for (const one of pages.values()) {
    if (folderOf(one.place) === folder && !below.has(one.title)) below.set(one.title, one)
  }
  const cell = (value: string, column: number): TableCell => {
    const words = value.replace(/\s+/g, ' ').trim()
    if (words === '') return { blocks: [] }
    const row = column === 0 ? below.get(words) : undefined
    if (row) met.push(row.old)
    const inline: Inline = { type: 'text', text: words }
    const children: Inline[] = row
      ? [{ type: 'link', url: relativePath(page.place, row.place), children: [inline] }]
      : [inline]
    return { blocks: [{ type: 'paragraph', span: nowhere, children }] }
  }
  const table: Block = {
    type: 'table',
    span: nowhere,
    view: 'grid',
    columns: head.map((title) => ({ type: 'text', title: [{ type: 'text', text: title }] })),
    rows: rows.slice(0, mostRows).map((row) => row.map(cell)),
  }
  yield textEntry(page.place, formatPage({ title: page.title, blocks: [table] }))
  if (rows.length > mostRows) {
    yield {
      path: page.place,
      told: `Not carried over: ${rows.length - mostRows} rows of this table beyond ${mostRows}.`,
    }
  }
}

/** Pages below their parents, in the order in which these name them; the others behind, by their names. */
function treeOf(
  pages: readonly Page[],
  named: ReadonlyMap<string, readonly string[]>,
): readonly SummaryItem[] {
  const children = groupBy(pages, ({ place }) => (place === 'README.md' ? '' : folderOf(place)))
  const itemsIn = (folder: string, parent: string | undefined): SummaryItem[] => {
    // The first mention of a page counts.
    const rank = new Map(
      (named.get(parent ?? 'README.md') ?? []).map((place, index) => [place, index] as const).toReversed(),
    )
    const row = (children.get(folder) ?? []).toSorted(
      (one, other) =>
        Number(other.place === 'README.md') - Number(one.place === 'README.md') ||
        (rank.get(one.place) ?? Infinity) - (rank.get(other.place) ?? Infinity) ||
        (one.place < other.place ? -1 : 1),
    )
    return row.map((page) =>
      pageItem(
        page.title,
        page.place,
        page.place === 'README.md' ? [] : itemsIn(page.place.replace(/\.md$/, ''), page.place),
      ),
    )
  }
  return itemsIn('', undefined)
}

/**
 * Notion export (Markdown and CSV, or HTML): the page ids at the end of file names are removed; databases become
 * tables whose rows link to their pages; pages are ordered as their parents mention them.
 */
import { groupBy } from '../../../core/group.js'
import { relativePath } from '../../../core/links/relative.js'
import type { SummaryItem } from '../../../core/markdown/summary-format.js'
import { folderOf, joinPath, nameOf, slugify } from '../../../core/pages/paths.js'
import { decodeText } from '../../../store/content/encoding.js'
import type { ArchiveItem } from '../archive.js'
import { readZip } from '../read-zip.js'
import { toDialect } from './notion-dialect.js'
import { type TableLinks, countRows, convertTable } from './notion-tables.js'
import {
  type PageMove,
  type OpenItems,
  type PathMapping,
  type SourceContext,
  createPathMapping,
  resolveFile,
  rewriteLink,
  listPaths,
  rewriteLinks,
  noPagesError,
  pageItem,
  convertPage,
  summaryEntry,
  textEntry,
  withTitle,
} from './source.js'

/** An exported file or folder name: title, id, and kind. */
const exported = /^(.*?)(?: ([\da-f]{32}))?(_all)?(\.md|\.html|\.csv)?$/s
const idInAddress = /^https:\/\/(?:www\.)?notion\.(?:so|site)\/[^#?]*?([\da-f]{32})(?:[?#]|$)/
const readme = 'README.md'

interface NotionPage {
  readonly old: string
  readonly title: string
  readonly newPath: string
  readonly kind: string
}

interface NotionLayout {
  readonly pages: ReadonlyMap<string, NotionPage>
  /** Old paths, by page id. */
  readonly ids: ReadonlyMap<string, string>
  /**
   * Files whose content another file also has: a filtered view of a table, the CSV of an HTML table, the list of all
   * pages.
   */
  readonly duplicates: ReadonlySet<string>
}

export async function* convertNotion(outer: OpenItems, context: SourceContext): AsyncGenerator<ArchiveItem> {
  const open = unwrapNestedZips(outer, await listPaths(outer))
  const paths = await listPaths(open)
  const mapping = createPathMapping()
  const { pages, ids, duplicates } = assignPaths(paths, mapping)
  if (pages.size === 0) throw noPagesError('page of Notion: export it as "Markdown & CSV" or as "HTML"')
  const find = (url: string): { path: string } | undefined => {
    const path = ids.get(idInAddress.exec(url)?.[1] ?? '')
    return path === undefined ? undefined : { path }
  }
  const tables = await readInlineTables(open, pages, mapping)
  /** The pages that each page mentions, in order. */
  const mentions = new Map<string, readonly string[]>()
  /** Titles from the pages: file names are truncated and lack some characters. */
  const titles = new Map<string, string>()
  for await (const item of open()) {
    if (!('open' in item)) {
      yield item
      continue
    }
    const page = pages.get(item.path)
    if (page === undefined) {
      if (!duplicates.has(item.path)) yield { ...item, path: mapping.newPaths.get(item.path)! }
      continue
    }
    if (tables.has(page.newPath)) continue
    const referenced: string[] = []
    const move = {
      from: page.old,
      to: page.newPath,
      mapping,
      find,
      onReference: (old: string) => void referenced.push(old),
    }
    if (page.kind === '.html') {
      const options = { name: nameOf(page.old), content: 'article' }
      const read = await context.reader.convert(await item.open(), options)
      if (read.title !== undefined) titles.set(page.newPath, read.title)
      yield* convertPage(read, page.title, move, context)
    } else if (page.kind === '.csv') {
      const { markdown, notice } = convertTable(
        decodeText(await item.open()),
        page.title,
        linksOf(page, pages, move),
      )
      yield textEntry(page.newPath, markdown)
      if (notice !== undefined) yield { path: page.newPath, notice }
    } else {
      const isKnown = (url: string): boolean => resolveFile(url, page.old, mapping, readme) !== undefined
      const markdown = toDialect(decodeText(await item.open()), isKnown)
      const [, title] = /^# ([^*_`[\]<>\\\n]{1,300})$/m.exec(markdown.slice(0, 400)) ?? []
      if (title !== undefined && markdown.startsWith('# ')) titles.set(page.newPath, title.trim())
      const whole = markdown.startsWith('# ') ? markdown : withTitle(page.title, markdown)
      const moved = await rewriteLinks(whole, move, context)
      const embedded = [...new Set(referenced)].flatMap((old) => {
        const table = tables.get(mapping.newPaths.get(old) ?? '')
        if (table === undefined) return []
        const links = linksOf(table, pages, { ...move, from: old })
        return [{ ...table, newPath: relativePath(page.newPath, table.newPath), links }]
      })
      yield textEntry(page.newPath, embedded.reduce(withTable, moved))
    }
    mentions.set(
      page.newPath,
      referenced.flatMap((old) => mapping.newPaths.get(old) ?? []),
    )
  }
  const titled = [...pages.values()]
    .filter((page) => !tables.has(page.newPath))
    .map((page) => ({ ...page, title: titles.get(page.newPath) ?? page.title }))
  yield summaryEntry(treeOf(titled, mentions))
}

/** A large export is a zip of zips. */
function unwrapNestedZips(open: OpenItems, paths: readonly string[]): OpenItems {
  if (paths.length === 0 || !paths.every((path) => /\.zip$/i.test(path))) return open
  return async function* () {
    for await (const item of open()) {
      if ('open' in item) yield* readZip(await item.open())
      else yield item
    }
  }
}

/** Assigns a new path to every file: a page and the folder of its children have the same name. */
function assignPaths(paths: readonly string[], mapping: PathMapping): NotionLayout {
  const all = new Set(paths)
  const isHtml = !paths.some((path) => path.endsWith('.md'))
  const hasIds = paths.some((path) => exported.exec(nameOf(path))![2] !== undefined)
  const duplicates = new Set<string>()
  const isPage = (path: string): boolean => {
    const [, title, id, isAll, kind] = exported.exec(nameOf(path))!
    if (kind === '.html') {
      const isList = title === 'index' && id === undefined
      if (isList) duplicates.add(path)
      return isHtml && !isList
    }
    if (kind !== '.csv') return kind === '.md' && !isHtml
    // A database is exported twice: as its filtered view, and as a whole.
    const isDuplicate = isHtml
      ? all.has(path.replace(/(?:_all)?\.csv$/, '.html'))
      : isAll === undefined && all.has(path.replace(/\.csv$/, '_all.csv'))
    if (isDuplicate) duplicates.add(path)
    // An attached file keeps its name.
    return !isDuplicate && !isHtml && (id !== undefined || !hasIds)
  }
  const wanted = paths.filter(isPage)
  const root = sharedFolder(wanted)
  const top = wanted.filter((path) => folderOf(path) === root)
  const pages = new Map<string, NotionPage>()
  const ids = new Map<string, string>()
  /** The new folder of each old folder. */
  const folders = new Map<string, string>([
    ['', ''],
    [root, ''],
  ])
  const folderAt = (old: string): string => {
    const known = folders.get(old)
    if (known !== undefined) return known
    const [, title = '', id] = exported.exec(nameOf(old))!
    const parent = folderAt(folderOf(old))
    // Newer exports have no ids in folder names.
    const newPath = joinPath(parent, slugify(title))
    const chosen = id === undefined ? (folders.get(`${folderOf(old)}\n${title}`) ?? newPath) : newPath
    folders.set(old, chosen)
    return chosen
  }
  const shallowFirst = wanted.toSorted(
    (one, other) => one.split('/').length - other.split('/').length || (one < other ? -1 : 1),
  )
  for (const path of shallowFirst) {
    const parent = folderAt(folderOf(path))
    const [, title = '', id, , kind = ''] = exported.exec(nameOf(path))!
    const isOnly = top.length === 1 && top[0] === path
    const newPath = mapping.assign(path, isOnly ? readme : joinPath(parent, `${slugify(title)}.md`))
    pages.set(path, { old: path, title, newPath, kind })
    for (const duplicate of duplicatePathsOf(path))
      if (duplicates.has(duplicate)) mapping.alias(duplicate, newPath)
    if (id !== undefined) ids.set(id, path)
    const below = isOnly ? '' : newPath.replace(/\.md$/, '')
    const folder = joinPath(folderOf(path), id === undefined ? title : `${title} ${id}`)
    if (!folders.has(folder)) folders.set(folder, below)
    if (!folders.has(`${folderOf(path)}\n${title}`)) folders.set(`${folderOf(path)}\n${title}`, below)
  }
  for (const path of paths)
    if (!pages.has(path) && !duplicates.has(path))
      mapping.assign(path, joinPath(folderAt(folderOf(path)), nameOf(path)))
  return { pages, ids, duplicates }
}

function duplicatePathsOf(path: string): readonly string[] {
  const stem = path.replace(/(?:_all)?\.(?:csv|html)$/, '')
  return [`${stem}.csv`, `${stem}_all.csv`]
}

/** Returns the common ancestor folder of all pages, such as one named after a teamspace. */
function sharedFolder(pages: readonly string[]): string {
  let root = folderOf(pages[0] ?? '')
  for (const path of pages) while (root !== '' && !path.startsWith(`${root}/`)) root = folderOf(root)
  return root
}

/** Larger tables get a page of their own. */
const maxInlineRows = 100
const maxInlineBytes = 200_000

interface InlineTable extends NotionPage {
  readonly text: string
}

/**
 * Returns the inline tables by their new paths: small tables that exactly one page mentions, once, and whose rows
 * have no pages.
 */
async function readInlineTables(
  open: OpenItems,
  pages: ReadonlyMap<string, NotionPage>,
  mapping: PathMapping,
): Promise<ReadonlyMap<string, InlineTable>> {
  const found = new Map<string, InlineTable>()
  const folders = new Set(Array.from(pages.values(), ({ newPath }) => folderOf(newPath)))
  const counts = new Map<string, number>()
  for await (const item of open()) {
    if (!('open' in item)) continue
    const page = pages.get(item.path)
    if (page?.kind === '.csv') {
      if (item.size > maxInlineBytes || folders.has(folderBelow(page))) continue
      const text = decodeText(await item.open())
      if (countRows(text) <= maxInlineRows) found.set(page.newPath, { ...page, text })
    } else if (page?.kind === '.md') {
      const text = decodeText(await item.open())
      for (const [, url] of text.matchAll(/\]\(([^()\s]{1,2000}\.csv)\)/g)) {
        const newPath = mapping.newPaths.get(resolveFile(url!, page.old, mapping, readme)?.path ?? '')
        if (newPath !== undefined) counts.set(newPath, (counts.get(newPath) ?? 0) + 1)
      }
    }
  }
  for (const newPath of found.keys()) if (counts.get(newPath) !== 1) found.delete(newPath)
  return found
}

function folderBelow({ newPath }: NotionPage): string {
  return newPath === readme ? '' : newPath.replace(/\.md$/, '')
}

/** Returns how the cells of a table link from the page that contains it. */
function linksOf(table: NotionPage, pages: ReadonlyMap<string, NotionPage>, move: PageMove): TableLinks {
  const folder = folderBelow(table)
  const rows = new Map<string, NotionPage>()
  for (const page of pages.values())
    if (folderOf(page.newPath) === folder && !rows.has(page.title)) rows.set(page.title, page)
  return {
    row(title) {
      const page = rows.get(title)
      if (page === undefined) return undefined
      move.onReference?.(page.old)
      return relativePath(move.to, page.newPath)
    },
    resolve: (url) => rewriteLink(url, move),
  }
}

interface EmbeddedTable extends InlineTable {
  /** Relative path, as in the line that links to the table. */
  readonly newPath: string
  readonly links: TableLinks
}

/** Returns a text in which a table replaces the line that links to it, below its title where it has one. */
function withTable(markdown: string, { newPath, title, text, links }: EmbeddedTable): string {
  return markdown
    .split('\n')
    .map((line) => {
      const [, indent] = /^(\s*)\[[^\]]*\]\([^()\s]*\)\s*$/.exec(line) ?? []
      if (indent === undefined || !line.trimEnd().endsWith(`](${newPath})`)) return line
      const table = convertTable(text, undefined, links).markdown.trimEnd()
      const titledTable = /^Untitled(?: Database)?$/.test(title)
        ? table
        : `**${title.replace(/[\\*_`[\]<>]/g, '\\$&')}**\n\n${table}`
      return titledTable
        .split('\n')
        .map((row) => (row === '' ? row : indent + row))
        .join('\n')
    })
    .join('\n')
}

/** Returns the page tree: children in the order in which their parent mentions them, then the others by path. */
function treeOf(
  pages: readonly NotionPage[],
  mentions: ReadonlyMap<string, readonly string[]>,
): readonly SummaryItem[] {
  const parents = new Set(['', ...pages.map(folderBelow)])
  const children = groupBy(pages, ({ newPath }) => {
    let folder = folderOf(newPath)
    while (!parents.has(folder)) folder = folderOf(folder)
    return folder
  })
  const itemsIn = (folder: string, parent: string | undefined): SummaryItem[] => {
    // The first mention of a page counts.
    const rank = new Map(
      (mentions.get(parent ?? readme) ?? []).map((newPath, index) => [newPath, index] as const).toReversed(),
    )
    const row = (children.get(folder) ?? []).toSorted(
      (one, other) =>
        Number(other.newPath === readme) - Number(one.newPath === readme) ||
        (rank.get(one.newPath) ?? Infinity) - (rank.get(other.newPath) ?? Infinity) ||
        (one.newPath < other.newPath ? -1 : 1),
    )
    return row.map((page) =>
      pageItem(
        page.title,
        page.newPath,
        page.newPath === readme ? [] : itemsIn(folderBelow(page), page.newPath),
      ),
    )
  }
  return itemsIn('', undefined)
}

/**
 * Site layout: the file paths of the pages of a site, and their table of contents.
 *
 * A page's path is its URL below the folder of the site, so that a second import finds the same pages. The tree is
 * the menu of the site; unlisted pages become children of the page of their folder, else come last. Without a menu
 * the folders define the tree, as in any import of files.
 */
import { formatSummary, type SummaryItem } from '../../../core/markdown/summary-format.js'
import { folderOf, joinPath, maxNameBytes, shortenName, slugify } from '../../../core/pages/paths.js'
import { type Site, decodePart, isFolderPage } from './site-urls.js'
import type { CrawlResult } from './crawl.js'
import type { MenuItem } from './navigation.js'

/** Returns the file path of each page, by its key. */
export function assignFiles(site: Site, { pages }: Pick<CrawlResult, 'pages'>): ReadonlyMap<string, string> {
  const files = new Map<string, string>()
  const taken = new Set<string>()
  for (const [key, { address }] of pages) {
    const wanted = files.size === 0 ? 'README.md' : fileOf(site, new URL(address))
    const stem = wanted.slice(0, -3)
    let file = wanted
    for (let number = 1; taken.has(file.toLowerCase()); number += 1) file = `${stem}-${number}.md`
    taken.add(file.toLowerCase())
    files.set(key, file)
  }
  return files
}

function fileOf({ folder }: Site, url: URL): string {
  const below = url.pathname.startsWith(folder) ? url.pathname.slice(folder.length) : ''
  const parts = below.split('/').filter((part) => part !== '')
  const isFolder = isFolderPage(url)
  if (isFolder && !below.endsWith('/')) parts.pop()
  const query = url.search === '' ? '' : `-${slugify(decodePart(url.search.slice(1)))}`
  const names = parts.map((part) => nameOf(decodePart(part)))
  if (isFolder && query === '') return names.length === 0 ? 'README-1.md' : `${names.join('/')}/README.md`
  const last = names.pop() ?? 'index'
  const stem = /\.(?:x?html?|php\d?|aspx?|jsp|cgi|md)$/i.test(last)
    ? last.slice(0, last.lastIndexOf('.'))
    : last
  const plain = /^(?:readme|summary)$/i.test(stem) ? `${stem}-page` : stem
  return [...names, `${shortenName(plain, maxNameBytes - 60)}${query}.md`].join('/')
}

/** Returns a URL segment as a file name that is valid on every file system. */
function nameOf(part: string): string {
  const plain = part
    .normalize('NFC')
    .replace(/[\u0000-\u001f\u007f\\/:*?"<>|\ufffd]+/g, '-')
    .replace(/^[.\s]+/, '')
    .trim()
  return shortenName(plain || 'page', maxNameBytes - 60)
}

/** Returns the table of contents; undefined when the site has no usable menu. */
export function formatSiteSummary(
  menu: readonly MenuItem[],
  files: ReadonlyMap<string, string>,
  titleOf: (key: string) => string,
): string | undefined {
  const listed = new Set<string>()
  const nodes = new Map<string, SummaryItem & { children: SummaryItem[] }>()
  const pageItem = (key: string, title: string): SummaryItem & { children: SummaryItem[] } => {
    const item = { kind: 'page' as const, title: title || titleOf(key), file: files.get(key)!, children: [] }
    listed.add(key)
    nodes.set(key, item)
    return item
  }
  function read(items: readonly MenuItem[], isTop: boolean): SummaryItem[] {
    return items.flatMap((item): SummaryItem[] => {
      if (item.page === undefined) {
        const children = read(item.children, false)
        if (children.length === 0) return []
        return [
          isTop
            ? { kind: 'group', title: item.title, children }
            : { kind: 'page', title: item.title, children },
        ]
      }
      if (!files.has(item.page) || listed.has(item.page)) return read(item.children, isTop)
      const page = pageItem(item.page, item.title)
      page.children.push(...read(item.children, false))
      return [page]
    })
  }
  // The first page comes first, wherever the menu has it; its children take its position in the menu.
  const [first] = files.keys()
  const top = first === undefined ? [] : [pageItem(first, titleOf(first))]
  const items = [...top, ...read(menu, true)]
  if (listed.size < 2) return undefined

  const byFile = new Map([...files].map(([key, file]) => [file, key]))
  // Parents come before children, whichever was found first.
  const rest = [...files]
    .filter(([key]) => !listed.has(key))
    .toSorted(([, one], [, other]) => compare(one, other))
  const orphans: SummaryItem[] = []
  for (const [key, file] of rest) {
    const parentKey = findParentPage(file, byFile)
    const item = pageItem(key, titleOf(key))
    const parent = parentKey === undefined ? undefined : nodes.get(parentKey)
    if (parent === undefined) orphans.push(item)
    else parent.children.push(item)
  }
  // Pages after a group would read as part of it.
  const grouped = items.findIndex(({ kind }) => kind === 'group')
  items.splice(grouped < 0 ? items.length : grouped, 0, ...orphans)
  return formatSummary(items)
}

function compare(one: string, other: string): number {
  const depth = one.split('/').length - other.split('/').length
  return depth === 0 ? (one < other ? -1 : 1) : depth
}

/** Returns the page of the nearest ancestor folder; the first page, which is above all, is never returned. */
function findParentPage(file: string, byFile: ReadonlyMap<string, string>): string | undefined {
  let folder = folderOf(file)
  if (file.endsWith('/README.md')) folder = folderOf(folder)
  for (; folder !== ''; folder = folderOf(folder)) {
    const found = byFile.get(joinPath(folder, 'README.md')) ?? byFile.get(`${folder}.md`)
    if (found !== undefined) return found
  }
  return undefined
}

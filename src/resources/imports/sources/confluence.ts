/**
 * Confluence HTML export: its index gives the page tree and the titles. An XML export is converted by
 * `confluence-xml.ts`.
 */
import { decodePercent } from '../../../core/links/resolve.js'
import { type SummaryEntry, parseSummary } from '../../../core/markdown/summary.js'
import type { SummaryItem } from '../../../core/markdown/summary-format.js'
import { joinPath, nameOf, slugify } from '../../../core/pages/paths.js'
import type { ArchiveItem } from '../archive.js'
import { parseWikiUrl } from './confluence-urls.js'
import { convertEntities, entitiesFile } from './confluence-xml.js'
import { convertHtmlTree, convertTree } from './html.js'
import {
  type OpenItems,
  type PathMapping,
  type SourceContext,
  createPathMapping,
  resolveFile,
  listPaths,
  pageItem,
  textAt,
} from './source.js'

const html = /\.html$/i
/** Maximum nesting of folders; deeper pages become siblings of their parent. */
const maxFolderDepth = 12

export async function* convertConfluence(
  open: OpenItems,
  context: SourceContext,
): AsyncGenerator<ArchiveItem> {
  const paths = await listPaths(open)
  if (paths.some((path) => nameOf(path) === entitiesFile)) return yield* convertEntities(open, context)
  const index = await textAt(open, 'index.html')
  const entries =
    index === undefined
      ? []
      : parseSummary((await context.reader.convert(index, { content: 'content' })).markdown).entries
  const mapping = createPathMapping()
  for (const path of paths) if (!html.test(path)) mapping.assign(path, path)
  const titles = new Map<string, string>()
  const pages = new Set(paths.filter((path) => html.test(path) && path !== 'index.html'))
  const [home, ...others] = assignPaths(entries, { pages, mapping, titles })
  if (home === undefined) return yield* convertHtmlTree(open, context)
  // Pages that the index does not list come after those that it lists.
  const rest = [...pages]
    .filter((path) => !titles.has(path))
    .map((path): SummaryItem => {
      const title = nameOf(path)
        .replace(/(?:_\d+)?\.html$/i, '')
        .replaceAll('-', ' ')
      titles.set(path, title)
      return pageItem(title, mapping.assign(path, `${slugify(title)}.md`))
    })
  // When there is a single root page, its children become the top level of the space.
  const isOnly = others.length === 0 && home.kind === 'page'
  const summary = isOnly ? [{ ...home, children: [] }, ...home.children, ...rest] : [home, ...others, ...rest]
  const tree = {
    mapping,
    titles,
    summary,
    content: 'main-content',
    isPage: (path: string) => html.test(path),
    find: findById([...titles.keys()]),
  }
  yield* convertTree(open, tree, (path) => titles.has(path), context)
}

/** Resolves absolute wiki URLs by page id, which the file names of the export contain, too. */
function findById(
  paths: readonly string[],
): (url: string) => { path: string; fragment?: string } | undefined {
  const pages = new Map(
    paths.flatMap((path): [string, string][] => {
      const id = /(?:^|_)(\d+)\.html$/i.exec(nameOf(path))?.[1]
      return id === undefined ? [] : [[id, path]]
    }),
  )
  return (url) => {
    const reference = parseWikiUrl(url)
    const path = reference?.kind === 'id' ? pages.get(reference.id) : undefined
    if (path === undefined) return undefined
    const fragment = decodePercent(new URL(url).hash.slice(1))
    return fragment === '' ? { path } : { path, fragment }
  }
}

interface SummaryPlacement {
  readonly pages: ReadonlySet<string>
  readonly mapping: PathMapping
  readonly titles: Map<string, string>
}

function assignPaths(
  entries: readonly SummaryEntry[],
  { pages, mapping, titles }: SummaryPlacement,
): SummaryItem[] {
  const top = entries.flatMap((entry) => (entry.kind === 'group' ? entry.children : [entry]))
  const pathIndex = { ...mapping, newPaths: new Map(Array.from(pages, (path) => [path, path])) }
  const itemsOf = (list: readonly SummaryEntry[], folder: string, depth: number): SummaryItem[] =>
    list.flatMap((entry): SummaryItem[] => {
      const url = entry.kind === 'page' ? entry.file : entry.kind === 'link' ? entry.url : undefined
      const path =
        url === undefined ? undefined : resolveFile(url, 'index.html', pathIndex, 'index.html')?.path
      if (path === undefined || titles.has(path)) return itemsOf(entry.children, folder, depth)
      titles.set(path, entry.title)
      const isFirst = titles.size === 1 && top.length === 1
      const file = mapping.assign(
        path,
        isFirst ? 'README.md' : joinPath(folder, `${slugify(entry.title)}.md`),
      )
      const inside = isFirst || depth >= maxFolderDepth ? folder : file.replace(/\.md$/, '')
      return [pageItem(entry.title, file, itemsOf(entry.children, inside, depth + 1))]
    })
  return itemsOf(top, '', 0)
}

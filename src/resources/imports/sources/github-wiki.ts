/**
 * GitHub wiki repository: pages are addressed by file name regardless of folder, `[[name]]` is a link, and the
 * sidebar is the table of contents.
 */
import { decodePercent } from '../../../core/links/resolve.js'
import { type SummaryEntry, parseSummary } from '../../../core/markdown/summary.js'
import type { SummaryItem } from '../../../core/markdown/summary-format.js'
import { nameOf } from '../../../core/pages/paths.js'
import { decodeText } from '../../../store/content/encoding.js'
import type { ArchiveItem } from '../archive.js'
import {
  type OpenItems,
  type SourceContext,
  createPathMapping,
  listPaths,
  noPagesError,
  rewriteLinks,
  pageItem,
  summaryEntry,
  textAt,
  textEntry,
  withTitle,
} from './source.js'

const markdown = /\.(?:md|markdown|mkdn?|mdown)$/i
const otherMarkup = /\.(?:rst|textile|mediawiki|wiki|asciidoc|adoc|asc|org|creole|pod|rdoc)$/i
/** Sidebar, footer and header, which a wiki renders around every page. */
const parts = /^_(?:sidebar|footer|header)\.[a-z]+$/i

export async function* convertGithubWiki(
  open: OpenItems,
  context: SourceContext,
): AsyncGenerator<ArchiveItem> {
  const paths = await listPaths(open)
  const mapping = createPathMapping()
  const names = new Map<string, string>()
  const pages = paths.filter((path) => markdown.test(path) && !parts.test(nameOf(path)))
  if (pages.length === 0) throw noPagesError('page of a wiki in Markdown')
  for (const path of paths) {
    if (parts.test(nameOf(path))) continue
    const isHome = /^home\.[a-z]+$/i.test(path) && markdown.test(path)
    mapping.assign(path, isHome ? 'README.md' : markdown.test(path) ? path.replace(markdown, '.md') : path)
    const key = keyOf(nameOf(path).replace(markdown, ''))
    if (!names.has(key)) names.set(key, path)
  }
  const sidebarPath = paths.find((path) => /^_sidebar\./i.test(nameOf(path)) && markdown.test(path))
  const sidebar = sidebarPath === undefined ? '' : ((await textAt(open, sidebarPath)) ?? '')
  const home =
    (await textAt(open, [...mapping.newPaths].find(([, newPath]) => newPath === 'README.md')?.[0] ?? '')) ??
    ''
  const repository = repositoryOf(`${sidebar}\n${home}`)
  const find = (url: string): { path: string; fragment?: string } | undefined => {
    const [, path, fragment] = addressIn(url, repository) ?? []
    const found =
      path === undefined ? undefined : names.get(keyOf(nameOf(decodePercent(path)).replace(markdown, '')))
    return found === undefined
      ? undefined
      : { path: found, ...(fragment !== undefined && { fragment: decodePercent(fragment) }) }
  }
  for await (const item of open()) {
    const { path } = item
    if (!('open' in item)) yield item
    else if (parts.test(nameOf(path))) {
      if (path !== sidebarPath) yield { path, leftOut: 'What a wiki shows around every page: left out.' }
    } else if (markdown.test(path)) {
      const text = withLinks(decodeText(await item.open()))
      const whole = /^\s{0,3}#\s/m.test(text.slice(0, 500)) ? text : withTitle(titleOf(path), text)
      const newPath = mapping.newPaths.get(path)!
      yield textEntry(newPath, await rewriteLinks(whole, { from: path, to: newPath, mapping, find }, context))
    } else {
      yield item
      if (otherMarkup.test(path))
        yield { path, notice: 'Written in a markup that is not read here: kept as a file, and no page.' }
    }
  }
  const listed = new Set<string>()
  const items = itemsOf(
    parseSummary(withLinks(sidebar)).entries,
    true,
    (url) => find(url)?.path,
    (path) => mapping.newPaths.get(path)!,
    listed,
  )
  const first = pages.filter((path) => mapping.newPaths.get(path) === 'README.md' && !listed.has(path))
  const rest = pages.filter((path) => !listed.has(path) && !first.includes(path))
  const asItem = (path: string): SummaryItem => pageItem(titleOf(path), mapping.newPaths.get(path)!)
  yield summaryEntry([...first.map(asItem), ...items, ...rest.map(asItem)])
}

/** Page names are compared ignoring case, spaces, underscores and repeated hyphens. */
function keyOf(name: string): string {
  return name.toLowerCase().replace(/[\s_]+/g, '-')
}

function titleOf(path: string): string {
  return nameOf(path).replace(markdown, '').replace(/-+/g, ' ').trim() || 'Page'
}

/** Returns the repository whose wiki URLs occur most often in the pages. */
function repositoryOf(text: string): string | undefined {
  const counts = new Map<string, number>()
  for (const [, repository] of text.matchAll(/https:\/\/github\.com\/([\w.-]{1,100}\/[\w.-]{1,100})\/wiki/g))
    counts.set(repository!, (counts.get(repository!) ?? 0) + 1)
  return [...counts].toSorted(([, one], [, other]) => other - one)[0]?.[0]
}

/** Returns the path and the fragment of a URL within the wiki. */
function addressIn(url: string, repository: string | undefined): RegExpExecArray | null {
  const start = `https://github.com/${repository}/wiki`
  const isWhole = repository !== undefined && url.startsWith(start)
  const rest = isWhole ? url.slice(start.length).replace(/^\//, '') || 'Home' : url
  if (!isWhole && /^(?:[a-z][a-z\d+.-]*:|\/\/|#)/i.test(url)) return null
  return /^([^#?]*)(?:\?[^#]*)?(?:#(.*))?$/s.exec(rest)
}

/** Rewrites `[[links]]` as Markdown links, outside of code. */
function withLinks(text: string): string {
  let isCode = false
  return text
    .split('\n')
    .map((line) => {
      if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode
      if (isCode) return line
      return line.replace(
        /`[^`]*`|\[\[([^[\]|]{1,300})(?:\|([^[\]|]{1,300}))?([^[\]]{0,300})\]\]/g,
        (whole, first?: string, second?: string, rest?: string) => {
          if (first === undefined) return whole
          const target = (second ?? first).trim()
          const [page = '', fragment] = target.split('#', 2)
          if (/\.(?:png|jpe?g|gif|svg|webp)$/i.test(first.trim())) {
            const words = /\|alt=([^|]+)/.exec(`|${second}${rest}`)?.[1]?.trim() ?? ''
            return `![${words}](<${first.trim()}>)`
          }
          const isAddress = /^https?:\/\//.test(target)
          const address = isAddress
            ? target
            : page.trim().replace(/\s+/g, '-') + (fragment === undefined ? '' : `#${fragment}`)
          return `[${first.trim()}](<${address}>)`
        },
      )
    })
    .join('\n')
}

function itemsOf(
  entries: readonly SummaryEntry[],
  isTop: boolean,
  find: (url: string) => string | undefined,
  newPathOf: (path: string) => string,
  listed: Set<string>,
): SummaryItem[] {
  return entries.flatMap((entry): SummaryItem[] => {
    const url = entry.kind === 'page' ? entry.file : entry.kind === 'link' ? entry.url : undefined
    const path = url === undefined ? undefined : find(url)
    const isNew = path !== undefined && !listed.has(path)
    if (isNew) listed.add(path)
    const children = itemsOf(entry.children, false, find, newPathOf, listed)
    if (isNew) return [pageItem(entry.title, newPathOf(path), children)]
    const isLink = entry.kind === 'link' && path === undefined && /^https?:/.test(entry.url)
    if (isLink) return [{ kind: 'link', title: entry.title, url: entry.url, children }]
    if (children.length === 0) return []
    return isTop && entry.title !== '' ? [{ kind: 'group', title: entry.title, children }] : children
  })
}

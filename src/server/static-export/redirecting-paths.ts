/**
 * Redirecting paths of a site: groups of pages, redirects of its spaces and of the site, and former paths of sections and
 * spaces. Does not resolve them: the site itself is requested for the target of each.
 */
import { type PageNode, pageTree } from '../../core/pages/read.js'
import { trimBothOf } from '../../core/trim.js'
import type { Services } from '../../access/route/scope.js'
import { listFormerPaths } from '../../resources/sites/former-paths.js'
import { listRedirects } from '../../resources/sites/redirect-store.js'
import type { AddressedSite } from '../../resources/sites/store.js'
import type { VisibleContent } from '../../site/pages/content.js'
import { isReadable } from '../../site/routing/destination.js'
import { belowBase, encodePath } from '../../site/routing/linker.js'
import type { PublishedSite } from '../../site/routing/site.js'

/** Rows of one query. */
const rowsPerQuery = 1000
/** Paths of a site that are listed at most. */
const maxPaths = 50_000

/** What a static export contains. */
interface ExportedContents {
  readonly site: PublishedSite
  readonly contents: readonly VisibleContent[]
  /** Paths of its pages (percent-encoded) by the ids of their variants. */
  readonly pagesOf: ReadonlyMap<string, readonly string[]>
}

/** Lists paths below the site, percent-encoded, without duplicates. */
export async function listRedirectingPaths(
  { database }: Pick<Services, 'database'>,
  { row }: AddressedSite,
  { site, contents, pagesOf }: ExportedContents,
): Promise<readonly string[]> {
  const paths = new Set<string>()
  let page: string | undefined
  do {
    const list = await listRedirects(database.read, row, { page, limit: rowsPerQuery })
    for (const { source } of list.items) if (!source.includes('*')) paths.add(source.slice(1))
    page = list.next?.page
  } while (page !== undefined)
  for (const { variant, content } of contents) {
    const root = belowBase(variant)
    const { snapshot } = content.revision
    const tree = await content.run(pageTree(snapshot))
    for (const from of Object.keys(snapshot.config.redirects))
      paths.add(root + encodePath(trimBothOf(from, '/')))
    for (const path of otherPaths(tree)) paths.add(root + path)
  }
  // A default section or variant has a path of its own too.
  for (const { path, isDefault, variants } of site.sections) {
    const above = path === undefined ? '' : `${encodePath(path)}/`
    if (isDefault && above !== '') paths.add(above)
    for (const variant of variants) if (variant.isDefault) paths.add(`${above}${encodePath(variant.path)}/`)
  }
  for (const { scope, path, target_id: target } of await listFormerPaths(database.read, row)) {
    const above = site.sections.find(({ id }) => id === scope)?.path
    // A former default was served without a path of its own.
    const name = path.startsWith('/') ? '' : `${encodePath(path)}/`
    const former = (above === undefined ? '' : `${encodePath(above)}/`) + name
    const section = site.sections.find(({ id }) => id !== undefined && id === target)
    for (const variant of section?.variants ?? site.variants.filter(({ id }) => id === target)) {
      const inside = section === undefined || variant.isDefault ? '' : `${encodePath(variant.path)}/`
      paths.add(former + inside)
      for (const pagePath of pagesOf.get(variant.id) ?? []) {
        if (paths.size < maxPaths) paths.add(former + inside + pagePath)
      }
    }
  }
  return [...paths]
}

/** Paths of groups, and of the first page, which is served at the root. */
function* otherPaths(nodes: readonly PageNode[]): Generator<string> {
  const [first] = nodes
  if (first !== undefined && isReadable(first.page)) yield encodePath(first.page.path)
  yield* groupPaths(nodes)
}

function* groupPaths(nodes: readonly PageNode[]): Generator<string> {
  for (const { page, children } of nodes) {
    if (page.type === 'group') yield encodePath(page.path)
    yield* groupPaths(children)
  }
}

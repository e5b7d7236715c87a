/**
 * The addresses of a site at which nothing stands and that lead on: groups, what spaces and the site redirect, and what
 * sections and spaces were called. Whether each leads somewhere, and where, the site itself is asked.
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

/** Rows of one look. */
const rowsAtOnce = 1000
/** Of a site: more would be a folder of nothing else. */
const mostPaths = 50_000

/** What of a site is in its twin. */
interface Whole {
  readonly site: PublishedSite
  readonly contents: readonly VisibleContent[]
  /** Paths of its pages (percent-encoded) by the ids of their variants. */
  readonly pagesOf: ReadonlyMap<string, readonly string[]>
}

/** Lists paths below the site (percent-encoded), none twice. */
export async function listLeadingOn(
  { database }: Pick<Services, 'database'>,
  { row }: AddressedSite,
  { site, contents, pagesOf }: Whole,
): Promise<readonly string[]> {
  const paths = new Set<string>()
  let page: string | undefined
  do {
    const list = await listRedirects(database.read, row, { page, limit: rowsAtOnce })
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
  // A default is reached by its own names too.
  for (const { path, isDefault, variants } of site.sections) {
    const above = path === undefined ? '' : `${encodePath(path)}/`
    if (isDefault && above !== '') paths.add(above)
    for (const variant of variants) if (variant.isDefault) paths.add(`${above}${encodePath(variant.path)}/`)
  }
  for (const { scope, path, target_id: target } of await listFormerPaths(database.read, row)) {
    const above = site.sections.find(({ id }) => id === scope)?.path
    // What was a default once stood without a name.
    const name = path.startsWith('/') ? '' : `${encodePath(path)}/`
    const former = (above === undefined ? '' : `${encodePath(above)}/`) + name
    const section = site.sections.find(({ id }) => id !== undefined && id === target)
    for (const variant of section?.variants ?? site.variants.filter(({ id }) => id === target)) {
      const inside = section === undefined || variant.isDefault ? '' : `${encodePath(variant.path)}/`
      paths.add(former + inside)
      for (const one of pagesOf.get(variant.id) ?? []) {
        if (paths.size < mostPaths) paths.add(former + inside + one)
      }
    }
  }
  return [...paths]
}

/** Of groups, and of the first page, which stands at the root. */
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

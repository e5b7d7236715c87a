/**
 * Link pages that lead to a page or file of their space: their URLs are relative to the table of contents. Those with
 * other addresses need no lookup and are in no result.
 */
import type { PageId } from '../../core/ids.js'
import { isAbsoluteUrl } from '../../core/links/resolve.js'
import { runTogether } from '../../core/merkle/steps.js'
import type { Step } from '../../core/merkle/types.js'
import { summaryFile } from '../../core/pages/paths.js'
import { ancestors } from '../../core/pages/read.js'
import { type Target, resolveTargets } from '../../core/pages/targets.js'
import type { LinkPage, PageRecord, Snapshot } from '../../core/pages/types.js'
import type { Linker } from '../routing/linker.js'

export interface LinkDestination {
  readonly target: Target
  /** The page that it leads to and those above it: the link is closed to a reader with any of them. */
  readonly pages: readonly PageRecord[]
}

export type LinkDestinations = ReadonlyMap<PageId, LinkDestination>

/** Returns the destinations of the link pages among these pages. */
export function* readLinkDestinations(
  snapshot: Snapshot,
  pages: Iterable<PageRecord | undefined>,
): Step<LinkDestinations> {
  const links = [...pages].filter(
    (page): page is LinkPage => page?.type === 'link' && !isAbsoluteUrl(page.url),
  )
  if (links.length === 0) return new Map()
  const urls = links.map(({ url }) => url)
  const targets = yield* resolveTargets(snapshot, summaryFile(snapshot.config), urls)
  const destinations = yield* runTogether(
    ...links.map(({ url }) => readDestination(snapshot, targets.get(url)!)),
  )
  return new Map(links.map(({ id }, index) => [id, destinations[index]!]))
}

function* readDestination(snapshot: Snapshot, target: Target): Step<LinkDestination> {
  if (target.kind !== 'page') return { target, pages: [] }
  return { target, pages: [target.page, ...(yield* ancestors(snapshot, target.page))] }
}

/** Returns the address of a page; of a link page, that of its destination. */
export function hrefOf(linker: Linker, page: PageRecord, destinations: LinkDestinations): string {
  const target = destinations.get(page.id)?.target
  if (target?.kind === 'page') return linker.page(target.page, target.fragment)
  return target?.kind === 'file' ? linker.file(target.file) : linker.page(page)
}

/**
 * Links to groups: a group has no page of its own, so a link to one leads to the first page in it, as the group's
 * address does on published sites.
 */
import type { Step } from '../merkle/types.js'
import type { PageId } from '../ids.js'
import { firstPageOfGroup } from './read.js'
import type { Target } from './targets.js'
import type { PageRecord, Snapshot } from './types.js'

/** Returns the targets with pages in place of groups; a group without an open page stays. */
export function* withPagesOfGroups(
  snapshot: Snapshot,
  targets: ReadonlyMap<string, Target>,
  isOpen?: (page: PageRecord) => boolean,
): Step<ReadonlyMap<string, Target>> {
  const found = new Map<PageId, PageRecord | undefined>()
  for (const target of targets.values()) {
    if (target.kind !== 'page' || target.page.type !== 'group' || found.has(target.page.id)) continue
    found.set(target.page.id, yield* firstPageOfGroup(snapshot, target.page, isOpen))
  }
  if (found.size === 0) return targets
  return new Map(
    [...targets].map(([url, target]) => {
      const page = target.kind === 'page' ? found.get(target.page.id) : undefined
      return [url, page === undefined ? target : { kind: 'page' as const, page }]
    }),
  )
}

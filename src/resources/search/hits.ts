/**
 * Search hits on the wire: the pages of a result that still exist and are visible to the caller, with their ancestors. The
 * index may lag behind the content, so it is asked again.
 */
import type { Actor } from '../../access/signin/actor.js'
import type { Services } from '../../access/route/scope.js'
import type { Addresses } from '../../contract/addresses.js'
import type { SearchPage, SearchSpace } from '../../contract/search.js'
import type { SpaceId } from '../../core/ids.js'
import { runTogether } from '../../core/merkle/steps.js'
import { ancestors, findPages } from '../../core/pages/read.js'
import type { PageRecord } from '../../core/pages/types.js'
import { groupBy } from '../../core/group.js'
import type { Db } from '../../store/db/database.js'
import type { FoundPage, FoundSection } from '../../store/search-workers/execute-search.js'
import { expandContent, forActor, getContent } from '../content/content.js'
import { pageAppUrl } from '../content/present.js'
import { visibilityFilterOf } from '../content/visibility.js'
import type { SpaceRow } from '../spaces/store.js'

interface HitContext {
  readonly db: Db
  readonly services: Services
  readonly actor: Actor
}

/** Returns the visible hits of one space, in their order. */
export async function presentHits(
  row: SpaceRow,
  hits: readonly FoundPage[],
  context: HitContext,
): Promise<SearchPage[]> {
  const visible = await selectVisibleHits(row, hits, context)
  return visible.map((one) => presentHit(row.id, one, context.services.addresses))
}

/** Returns the visible hits by space, the one with the best page first; hits of other spaces are left out. */
export async function presentHitsBySpace(
  rows: ReadonlyMap<SpaceId, SpaceRow>,
  hits: readonly FoundPage[],
  context: HitContext,
): Promise<SearchSpace[]> {
  const found: SearchSpace[] = []
  for (const [id, inSpace] of groupBy(hits, ({ spaceId }) => spaceId)) {
    const row = rows.get(id)
    const pages = row === undefined ? [] : await presentHits(row, inSpace, context)
    if (pages.length > 0) found.push({ type: 'space', id, title: row!.title, score: pages[0]!.score, pages })
  }
  return found
}

interface VisibleHit {
  readonly hit: FoundPage
  readonly page: PageRecord
  readonly above: readonly PageRecord[]
}

async function selectVisibleHits(
  row: SpaceRow,
  hits: readonly FoundPage[],
  { db, services, actor }: HitContext,
): Promise<VisibleHit[]> {
  const { organization_id: organizationId, id: spaceId, revision_id: head } = row
  const source = { db, services, organizationId, spaceId }
  const content = forActor(await expandContent(source, await getContent(source, head)), actor)
  const visibility = await visibilityFilterOf(content)
  const isOpen = (page: PageRecord) => visibility?.isVisible(page) ?? true
  const { snapshot } = content.revision
  const ids = hits.map(({ pageId }) => pageId)
  const pages = await content.run(findPages(snapshot, ids))
  const found = hits.flatMap((hit, at) => {
    const page = pages[at]
    return page !== undefined && isOpen(page) ? [{ hit, page }] : []
  })
  const above = await content.run(runTogether(...found.map(({ page }) => ancestors(snapshot, page))))
  return found.flatMap((one, at) => (above[at]!.every(isOpen) ? [{ ...one, above: above[at]! }] : []))
}

function presentHit(spaceId: SpaceId, { hit, page, above }: VisibleHit, addresses: Addresses): SearchPage {
  const { pageId, title, path, sections } = hit
  const app = pageAppUrl({ addresses, spaceId }, path)
  return {
    id: pageId,
    title: title.text,
    description: (page.type === 'document' && page.description) || '',
    path,
    score: scoreOf(hit),
    rank: hit.rank,
    resultType: sections.some(hasMatches) ? 'section' : 'page',
    sections: sections.map((section, at) => {
      const { anchor, heading, excerpt } = section
      const fragment = anchor === null ? '' : `#${anchor}`
      return {
        // A long section is indexed in several parts, which share their anchor.
        id: `${pageId}-${at}${fragment}`,
        // The heading of the first section may be another title of the page.
        title: anchor === null ? title.text : heading.text,
        path: path + fragment,
        score: scoreOf(section),
        resultType: hasMatches(section) ? 'section' : 'page',
        body: excerpt.text,
        urls: { app: app + fragment },
      }
    }),
    ancestors: above.map((one) => ({ title: one.title })),
    urls: { app },
  }
}

const hasMatches = ({ heading, excerpt }: FoundSection) => heading.marks.length + excerpt.marks.length > 0

/** Scores on the wire are never negative. */
const scoreOf = ({ score }: { readonly score: number }) => Math.max(0, score)

/** OpenAPI specifications in use on a site: its readers may read only these. */
import { usedSpecifications } from '../../core/openapi/expand-computed-pages.js'
import type { LoadRequest } from '../../access/route/scope.js'
import { cacheKind } from '../../store/cache/kinds.js'
import type { ContentContext } from '../content/content.js'
import { formerRevisions } from '../content/published-revisions.js'
import { inSpaceContent } from '../spaces/scope.js'
import type { SpaceRow } from '../spaces/store.js'

/** Cached by revision id and slug: revisions are immutable. Misses are not cached, because there are many slugs. */
const usedKind = cacheKind<true>('specification that a revision shows', () => 0)

/** True when a space that the site shows to the caller uses the specification, or did in a revision that they may still read. */
export async function isUsedBySite(request: LoadRequest, slug: string): Promise<boolean> {
  const { reading } = request.actor
  const visible: { readonly space: SpaceRow; readonly content: ContentContext }[] = []
  for (const spaceId of reading?.spaces ?? []) {
    const { space, content } = await inSpaceContent.load(request, { spaceId })
    if (await isUsedIn(request, content, slug)) return true
    visible.push({ space: space.row, content })
  }
  const { immutable: db, services } = request
  for (const { space, content } of visible) {
    const { organizationId, spaceId } = content
    for await (const former of formerRevisions(reading!, space, { db, services, organizationId, spaceId }))
      if (await isUsedIn(request, former, slug)) return true
  }
  return false
}

async function isUsedIn(
  { services: { caches } }: LoadRequest,
  { run, revision }: ContentContext,
  slug: string,
): Promise<boolean> {
  const key = `${revision.id} ${slug}`
  if (caches.find(usedKind, key) === true) return true
  const used = await run(usedSpecifications(revision.snapshot, [slug]))
  if (!used.has(slug)) return false
  caches.put(usedKind, key, true)
  return true
}

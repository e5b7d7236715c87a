/** OpenAPI specifications in use on a site: its readers may read only these. */
import { usedSpecifications } from '../../core/openapi/expand-computed-pages.js'
import type { LoadRequest } from '../../access/route/scope.js'
import { cacheKind } from '../../store/cache/kinds.js'
import { inSpaceContent } from '../spaces/scope.js'

/** Cached by revision id and slug: revisions are immutable. Misses are not cached, because there are many slugs. */
const usedKind = cacheKind<true>('specification that a revision shows', () => 0)

/** True when a space that the site shows to the caller uses the specification. */
export async function isUsedBySite(request: LoadRequest, slug: string): Promise<boolean> {
  for (const spaceId of request.actor.reading?.spaces ?? []) {
    const { content } = await inSpaceContent.load(request, { spaceId })
    const key = `${content.revision.id} ${slug}`
    if (request.services.caches.find(usedKind, key) === true) return true
    const used = await content.run(usedSpecifications(content.revision.snapshot, [slug]))
    if (!used.has(slug)) continue
    request.services.caches.put(usedKind, key, true)
    return true
  }
  return false
}

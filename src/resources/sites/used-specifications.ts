/** Which OpenAPI specifications a site shows something of: these are what its readers may read of them. */
import { usedSpecifications } from '../../core/openapi/expand.js'
import type { LoadRequest } from '../../access/route/scope.js'
import { kindOf } from '../../store/cache/kinds.js'
import { inSpaceContent } from '../spaces/scope.js'

/** Of a revision and a name: what a revision shows never changes. That it shows nothing of a name is not kept, for there are many names. */
const usedKind = kindOf<true>('specification that a revision shows', () => 0)

/** True when a space that a site shows to the one who asks shows something of the specification. */
export async function isUsedBySite(request: LoadRequest, slug: string): Promise<boolean> {
  for (const spaceId of request.actor.reading?.spaces ?? []) {
    const { content } = await inSpaceContent.load(request, { spaceId })
    const key = `${content.revision.id} ${slug}`
    if (request.services.caches.find(usedKind, key) === true) return true
    const used = await content.run(usedSpecifications(content.revision.snapshot, [slug]))
    if (!used.has(slug)) continue
    request.services.caches.keep(usedKind, key, true)
    return true
  }
  return false
}

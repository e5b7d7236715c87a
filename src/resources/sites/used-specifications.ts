/** Which OpenAPI specifications a site shows something of: these are what its readers may read of them. */
import { usedSpecifications } from '../../core/openapi/expand.js'
import type { LoadRequest } from '../../access/route/scope.js'
import { inSpaceContent } from '../spaces/scope.js'

/** True when a space that a site shows to the one who asks shows something of the specification. */
export async function isUsedBySite(request: LoadRequest, slug: string): Promise<boolean> {
  for (const spaceId of request.actor.reading?.spaces ?? []) {
    const { content } = await inSpaceContent.load(request, { spaceId })
    if ((await content.run(usedSpecifications(content.revision.snapshot, [slug]))).has(slug)) return true
  }
  return false
}

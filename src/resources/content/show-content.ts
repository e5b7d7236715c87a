/** Content as it is shown to whoever asks now, by what is kept of the specifications that it is made of. */
import { type LoadRequest, readThrough } from '../../access/route/scope.js'
import { rowCacheKind } from '../../store/cache/kinds.js'
import type { OrganizationId } from '../../core/ids.js'
import { type ToldVersion, findLatestVersions } from '../openapi-specs/outlines.js'
import type { FindLatestVersions } from './computed.js'
import { type ContentContext, shownContent } from './content.js'

interface Versions {
  readonly organizationId: OrganizationId
  readonly versions: readonly ToldVersion[]
}

const versionsKind = rowCacheKind<Versions>(
  'latest specifications',
  ({ organizationId }) => [organizationId],
  ({ versions }) => 200 + versions.length * 400,
)

/** Returns the content with its computed pages. */
export function showContent(request: LoadRequest, content: ContentContext): Promise<ContentContext> {
  const { organizationId, spaceId } = content
  const { immutable: db, services } = request
  return shownContent(
    { db, services, organizationId, spaceId },
    content,
    cachedLatestVersions(request, organizationId),
  )
}

/** Returns what finds the latest versions, kept as long as nothing of the organization changes. */
export function cachedLatestVersions(
  request: LoadRequest,
  organizationId: OrganizationId,
): FindLatestVersions {
  return async (slugs) => {
    const key = [organizationId, ...slugs].join(' ')
    const found = await readThrough(request, versionsKind, key, async (db) => ({
      organizationId,
      versions: await findLatestVersions(db, organizationId, slugs),
    }))
    return found!.versions
  }
}

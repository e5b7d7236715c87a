/** Content as it is shown to whoever asks now, by what is kept of the specifications that it is made of. */
import { type LoadRequest, recall } from '../../access/route/scope.js'
import { rowKind } from '../../store/cache/kinds.js'
import type { OrganizationId } from '../../core/ids.js'
import { type ToldVersion, findLatestVersions } from '../openapi-specs/outlines.js'
import type { RecallVersions } from './computed.js'
import { type ContentHere, shownContent } from './content.js'

interface Versions {
  readonly organizationId: OrganizationId
  readonly versions: readonly ToldVersion[]
}

const versionsKind = rowKind<Versions>(
  'latest specifications',
  ({ organizationId }) => [organizationId],
  ({ versions }) => 200 + versions.length * 400,
)

/** Returns the content with its computed pages. */
export function showContent(request: LoadRequest, content: ContentHere): Promise<ContentHere> {
  const { organizationId, spaceId } = content
  const { immutable: db, services } = request
  return shownContent(
    { db, services, organizationId, spaceId },
    content,
    recallVersions(request, organizationId),
  )
}

/** Returns what finds the latest versions, kept as long as nothing of the organization changes. */
export function recallVersions(request: LoadRequest, organizationId: OrganizationId): RecallVersions {
  return async (slugs) => {
    const key = [organizationId, ...slugs].join(' ')
    const found = await recall(request, versionsKind, key, async (db) => ({
      organizationId,
      versions: await findLatestVersions(db, organizationId, slugs),
    }))
    return found!.versions
  }
}

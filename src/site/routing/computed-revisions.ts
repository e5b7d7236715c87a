/** Computed revisions: the stored revisions with the pages that are generated from the current specifications. */
import { type ContentServices, latestContentId } from '../../resources/content/expansion.js'
import { getContent } from '../../resources/content/content.js'
import type { AddressedSite } from '../../resources/sites/store.js'
import type { SpaceRow } from '../../resources/spaces/store.js'
import type { Db } from '../../store/db/database.js'

interface RevisionContext {
  readonly db: Db
  readonly services: ContentServices
}

/** Returns the site with each space at its computed revision. */
export async function withComputedRevisions(
  context: RevisionContext,
  site: AddressedSite,
): Promise<AddressedSite> {
  const spaces: AddressedSite['spaces'][number][] = []
  for (const one of site.spaces)
    spaces.push({ ...one, space: await withComputedRevision(context, one.space) })
  return { ...site, spaces }
}

/** Returns the space at its computed revision. */
export async function withComputedRevision(
  { db, services }: RevisionContext,
  space: SpaceRow,
): Promise<SpaceRow> {
  const location = { db, services, organizationId: space.organization_id, spaceId: space.id }
  const { revision } = await getContent(location, space.revision_id)
  return { ...space, revision_id: await latestContentId(location, revision) }
}

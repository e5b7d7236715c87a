/** The revisions that readers are shown: those that were written, with the pages that are made of specifications now. */
import { type ContentServices, shownId } from '../../resources/content/computed.js'
import { getContent } from '../../resources/content/content.js'
import type { AddressedSite } from '../../resources/sites/store.js'
import type { SpaceRow } from '../../resources/spaces/store.js'
import type { Db } from '../../store/db/database.js'

interface Here {
  readonly db: Db
  readonly services: ContentServices
}

/** Returns the site with each space at the revision that readers are shown. */
export async function siteAsShown(here: Here, site: AddressedSite): Promise<AddressedSite> {
  const spaces: AddressedSite['spaces'][number][] = []
  for (const one of site.spaces) spaces.push({ ...one, space: await spaceAsShown(here, one.space) })
  return { ...site, spaces }
}

/** The same for one space. */
export async function spaceAsShown({ db, services }: Here, space: SpaceRow): Promise<SpaceRow> {
  const place = { db, services, organizationId: space.organization_id, spaceId: space.id }
  const { revision } = await getContent(place, space.revision_id)
  return { ...space, revision_id: await shownId(place, revision) }
}

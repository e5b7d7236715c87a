/** Where sites use files and pages of spaces: logos, icons, social previews, fonts and links of their customization. */
import type { FileId, OrganizationId, PageId } from '../../core/ids.js'
import type { UsingSite } from '../../contract/links.js'
import type { Addresses } from '../../contract/addresses.js'
import { isVisibleSite } from '../../access/rules/visible.js'
import type { Actor } from '../../access/signin/actor.js'
import { contains } from '../../store/db/contains.js'
import type { Db } from '../../store/db/database.js'
import { readerOf } from '../organizations/scope.js'
import { findOrganizationOf } from '../organizations/store.js'

/** Longest list. */
export const maxUsingSites = 100

interface SiteUseQuery {
  readonly db: Db
  readonly actor: Actor
  readonly organizationId: OrganizationId
  readonly addresses: Addresses
}

/**
 * Returns the sites, visible to the actor, whose customization or that of one of their spaces names the id. Ids are
 * random, so that the text of a customization has one only where it refers to it.
 */
export async function listUsingSites(
  { db, actor, organizationId, addresses }: SiteUseQuery,
  id: FileId | PageId,
): Promise<UsingSite[]> {
  const organization = await findOrganizationOf(db, actor.userId, organizationId)
  if (organization === undefined) return []
  const rows = await db
    .selectFrom('sites')
    .select(['sites.id', 'sites.title'])
    .where('sites.organization_id', '=', organizationId)
    .where((where) => isVisibleSite(where, readerOf(actor, organization)))
    .where(({ or, exists, selectFrom }) =>
      or([
        contains('sites.customization', id),
        exists(
          selectFrom('site_spaces')
            .select('site_spaces.id')
            .where('site_spaces.organization_id', '=', organizationId)
            .whereRef('site_spaces.site_id', '=', 'sites.id')
            .where(contains('site_spaces.customization', id)),
        ),
      ]),
    )
    .orderBy('sites.id')
    .limit(maxUsingSites)
    .execute()
  return rows.map((row) => ({
    object: 'site',
    id: row.id,
    title: row.title,
    urls: { location: addresses.api(`/orgs/${organizationId}/sites/${row.id}`) },
  }))
}

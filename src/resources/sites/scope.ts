/** The step `/orgs/:organizationId/sites/:siteId`, and what a user may do there. */
import type { SiteId } from '../../core/ids.js'
import { loadLevels } from '../../access/rules/facts.js'
import {
  type Reader,
  type SiteAction,
  type SiteLevels,
  judgeOnSite,
  levelsOnSite,
} from '../../access/rules/levels.js'
import { place, recall } from '../../access/route/scope.js'
import type { Db } from '../../store/db/database.js'
import { rowKind } from '../../store/cache/kinds.js'
import { inOrganization, readerOf } from '../organizations/scope.js'
import { type SiteWithSpaces, findSite } from './store.js'

/** A site as somebody sees it. */
export interface SiteHere extends SiteWithSpaces {
  readonly levels: SiteLevels
}

const siteKind = rowKind<SiteHere>(
  'site',
  ({ row }) => [row.organization_id],
  ({ spaces }) => 2_000 + spaces.length * 2_000,
)

export const inSite = place(inOrganization, 'siteId', {
  key: 'site',
  thing: 'site',
  find: (request, id, { organization }) =>
    recall(request, siteKind, `${request.actor.userId} ${organization.row.id} ${id}`, async (db) => {
      const found = await findSite(db, organization.row.id, id as SiteId)
      return found && withLevel(db, found, readerOf(request.actor, organization))
    }),
  judge: (action: SiteAction, { site }) => judgeOnSite(site.levels, action),
  seen: 'view',
})

/** Adds the reader's levels, which follow from theirs on the spaces that the site shows. */
export async function withLevel(db: Db, site: SiteWithSpaces, reader: Reader): Promise<SiteHere> {
  const ids = site.spaces.map(({ space }) => space.id)
  const levels = await loadLevels(db, reader, 'space', ids)
  return { ...site, levels: levelsOnSite({ role: reader.role, levels: [...levels.values()] }) }
}

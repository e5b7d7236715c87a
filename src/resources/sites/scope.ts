/** The step `/orgs/:organizationId/sites/:siteId`, and what a user may do there. */
import type { SiteId, UserId } from '../../core/ids.js'
import {
  type Level,
  type SiteAction,
  judge,
  levelOnSite,
  levelOnSpace,
  siteActions,
} from '../../access/rules/levels.js'
import { place, recall } from '../../access/route/scope.js'
import type { Role } from '../../contract/shapes.js'
import { memoryPerDatabase } from '../../store/db/memory.js'
import { inOrganization } from '../organizations/scope.js'
import { defaultLevelOf } from '../spaces/store.js'
import { type SiteWithSpaces, findSite } from './store.js'

/** A site as somebody sees it. */
export interface SiteHere extends SiteWithSpaces {
  readonly level: Level
}

const known = memoryPerDatabase<SiteHere>(10_000)

export const inSite = place(inOrganization, 'siteId', {
  key: 'site',
  thing: 'site',
  find: (request, id, { organization }) =>
    recall(request, known, `${request.actor.userId} ${organization.row.id} ${id}`, async (db) => {
      const found = await findSite(db, organization.row.id, id as SiteId)
      return found && withLevel(found, { userId: request.actor.userId, role: organization.role })
    }),
  judge: (action: SiteAction, { site }) => judge(site.level, siteActions[action]),
  seen: 'view',
})

/** Somebody in the site's organization; `role` is undefined for a stranger. */
export interface Reader {
  readonly userId: UserId
  readonly role: Role | null | undefined
}

export function withLevel(site: SiteWithSpaces, { userId, role }: Reader): SiteHere {
  const levels = site.spaces.map(({ space }) =>
    levelOnSpace({ role, isCreator: space.created_by === userId, defaultLevel: defaultLevelOf(space) }),
  )
  return { ...site, level: levelOnSite({ role, levels }) }
}

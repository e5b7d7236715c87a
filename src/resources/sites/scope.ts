/** The step `/orgs/:organizationId/sites/:siteId` and those into its structure, and what a user may do there. */
import type { OrganizationId, SiteId, SpaceId } from '../../core/ids.js'
import { loadLevels } from '../../access/rules/facts.js'
import {
  type Reader,
  type SiteAction,
  type SiteLevels,
  judgeOnSite,
  levelsOnSite,
  reaches,
  siteActions,
} from '../../access/rules/levels.js'
import {
  type LoadRequest,
  type Source,
  perhaps,
  perhapsWithin,
  place,
  recall,
  recallFrom,
  within,
} from '../../access/route/scope.js'
import type { Caches } from '../../store/cache/caches.js'
import type { Db } from '../../store/db/database.js'
import { rowKind } from '../../store/cache/kinds.js'
import { inOrganization, readerOf } from '../organizations/scope.js'
import { type SiteWithSpaces, findSite } from './store.js'

/** A site as somebody sees it. */
export interface SiteHere extends SiteWithSpaces {
  readonly levels: SiteLevels
  /** The spaces that they may read; those in the trash are among them. */
  readonly readable: ReadonlySet<SpaceId>
}

const concerns = ({ row }: SiteWithSpaces) => [row.organization_id]
const weigh = ({ spaces, sections, groups }: SiteWithSpaces) =>
  2_000 + spaces.length * 2_000 + (sections.length + groups.length) * 500
const siteKind = rowKind<SiteHere>('site', concerns, weigh)
const anySiteKind = rowKind<SiteWithSpaces>('site as it is', concerns, weigh)

/** For removing a site that may be gone already: who could have made one is told that there is nothing to remove. */
export const atSite = perhaps(inOrganization, 'siteId', {
  key: 'site',
  thing: 'site',
  find: async ({ db, actor }, id, { organization }) => {
    const found = await findSite(db, organization.row.id, id as SiteId)
    const site = found && (await withLevel(db, found, readerOf(actor, organization)))
    return site?.levels.seen === null ? undefined : site
  },
  judge: (action: SiteAction, { organization, site }) => {
    if (site !== undefined) return judgeOnSite(site.levels, action)
    return reaches(organization.role, siteActions.administer) ? 'yes' : 'hidden'
  },
  seen: 'view',
})

export const inSite = place(inOrganization, 'siteId', {
  key: 'site',
  thing: 'site',
  async find(request, id, { organization }) {
    const { actor } = request
    if (actor.reading !== undefined) {
      const { siteId, standing, spaces } = actor.reading
      const shown = await recallSite(request, request.services.caches, organization.row.id, id as SiteId)
      // It may have been closed to them since they were let in, while they waited.
      if (shown === undefined || id !== siteId || standingOf(shown.row) !== standing) return undefined
      return seenBy(shown, spaces)
    }
    return recall(request, siteKind, `${actor.userId} ${organization.row.id} ${id}`, async (db) => {
      const found = await findSite(db, organization.row.id, id as SiteId)
      return found && withLevel(db, found, readerOf(actor, organization))
    })
  },
  judge: (action: SiteAction, { site }) => judgeOnSite(site.levels, action),
  seen: 'view',
})

/** Returns a site whoever asks, for those who are let in by something else than their role. */
export function recallSite(
  source: Source,
  caches: Caches,
  organizationId: OrganizationId,
  id: SiteId,
): Promise<SiteWithSpaces | undefined> {
  return recallFrom(source, caches, anySiteKind, `${organizationId} ${id}`, (db) =>
    findSite(db, organizationId, id),
  )
}

/** Says whether a site is published, and for whom. */
export function standingOf({ published, visibility }: SiteWithSpaces['row']): string {
  return published === 1 ? visibility : 'unpublished'
}

/** The site as somebody sees it who is shown these spaces of it, and is nobody in the organization. */
function seenBy(site: SiteWithSpaces, shown: ReadonlySet<SpaceId>): SiteHere {
  return { ...site, levels: { seen: 'read', everywhere: null }, readable: shown }
}

/** Adds the reader's levels, which follow from theirs on the spaces that the site shows. */
export async function withLevel(db: Db, site: SiteWithSpaces, reader: Reader): Promise<SiteHere> {
  const ids = site.spaces.map(({ space }) => space.id)
  const levels = await loadLevels(db, reader, 'space', ids)
  return {
    ...site,
    levels: levelsOnSite({ role: reader.role, levels: [...levels.values()] }),
    readable: new Set(ids.filter((id) => reaches(levels.get(id), 'read'))),
  }
}

interface Inside {
  readonly site: SiteHere
}

/** Who may read none of the spaces of a section does not know of it. */
const sectionStep = {
  key: 'section',
  thing: 'section',
  find: async (_: LoadRequest, id: string, { site }: Inside) => {
    const isKnown = ({ spaces, readable }: SiteHere) => {
      const inside = spaces.filter(({ link }) => link.section_id === id)
      return inside.length === 0 || inside.some(({ space }) => readable.has(space.id))
    }
    return isKnown(site) ? site.sections.find((row) => row.id === id) : undefined
  },
} as const

const groupStep = {
  key: 'group',
  thing: 'section group',
  find: async (_: LoadRequest, id: string, { site }: Inside) => site.groups.find((row) => row.id === id),
} as const

const linkStep = {
  key: 'link',
  thing: 'site space',
  find: async (_: LoadRequest, id: string, { site }: Inside) =>
    site.spaces.find(({ link, space }) => link.id === id && site.readable.has(space.id))?.link,
} as const

export const inSection = within(inSite, 'siteSectionId', sectionStep)
export const atSection = perhapsWithin(inSite, 'siteSectionId', sectionStep)
export const inSectionGroup = within(inSite, 'siteSectionGroupId', groupStep)
export const atSectionGroup = perhapsWithin(inSite, 'siteSectionGroupId', groupStep)
export const atSectionOfGroup = perhapsWithin(inSectionGroup, 'siteSectionId', sectionStep)
export const inSiteSpace = within(inSite, 'siteSpaceId', linkStep)
export const atSiteSpace = perhapsWithin(inSite, 'siteSpaceId', linkStep)

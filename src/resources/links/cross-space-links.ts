/**
 * Links into other spaces, checked with the permissions of the actor: a space that they may not see is reported like one
 * that does not exist.
 */
import type { OrganizationId, SpaceId } from '../../core/ids.js'
import type { PageRecord } from '../../core/pages/types.js'
import type { Services } from '../../access/route/scope.js'
import { opensOrganization } from '../../access/signin/credential-scope.js'
import type { Actor } from '../../access/signin/actor.js'
import type { Db } from '../../store/db/database.js'
import { findManyInDirectory } from '../../store/db/directory.js'
import { type ContentContext, getContent } from '../content/content.js'
import { readerOf } from '../organizations/scope.js'
import { type OrganizationContext, findOrganizationOf } from '../organizations/store.js'
import { type SpaceRow, findVisibleSpaces, headOf } from '../spaces/store.js'
import { checkDestinations } from './check-links.js'
import type { CrossSpaceLink } from './table.js'

/** The actor and services of a request for links. */
export interface LinkRequestContext {
  readonly db: Db
  readonly services: Services
  readonly actor: Actor
  readonly now: number
}

/** The target of a link to a space, as visible to the actor. */
export interface CrossSpaceTarget {
  readonly status: 'ok' | 'broken'
  /** True for the space that contains the link. */
  readonly isOwn: boolean
  readonly organization?: OrganizationContext
  readonly space?: SpaceRow
  readonly page?: PageRecord
}

export type CrossSpaceReference = Pick<CrossSpaceLink, 'space' | 'path' | 'fragment'>

export function crossSpaceKey({ space, path, fragment = '' }: CrossSpaceReference): string {
  return `${space} ${path}#${fragment}`
}

/** Returns the target of each link, by `crossSpaceKey`. */
export async function checkCrossSpaceLinks(
  { db, services, actor }: Pick<LinkRequestContext, 'db' | 'services' | 'actor'>,
  content: ContentContext,
  links: Iterable<CrossSpaceReference>,
): Promise<ReadonlyMap<string, CrossSpaceTarget>> {
  const bySpace = new Map<string, Map<string, CrossSpaceReference>>()
  for (const link of links) {
    const ofSpace = bySpace.get(link.space) ?? new Map<string, CrossSpaceReference>()
    bySpace.set(link.space, ofSpace.set(crossSpaceKey(link), link))
  }
  const found = new Map<string, CrossSpaceTarget>()
  if (bySpace.size === 0) return found
  const visible = await findSpacesVisibleTo(
    db,
    actor,
    [...bySpace.keys()].filter((id) => id !== content.spaceId),
  )
  for (const [id, ofSpace] of bySpace) {
    const there = id === content.spaceId ? {} : visible.get(id)
    const names = [...ofSpace]
    if (there === undefined) {
      for (const [name] of names) found.set(name, { status: 'broken', isOwn: false })
      continue
    }
    const { space } = there as Partial<VisibleSpace>
    const sourceKey = space && { organizationId: space.organization_id, spaceId: space.id }
    const target =
      sourceKey && space ? await getContent({ db, services, ...sourceKey }, headOf(space)) : content
    const checked = await checkDestinations(
      target,
      services,
      names.map(([, { path, fragment }]) => ({
        file: '',
        kind: 'link',
        reading: { kind: 'page', page: path, ...(fragment !== undefined && { fragment }) },
      })),
    )
    for (const [at, [name, { path }]] of names.entries()) {
      const { target, verdict } = checked[at]!
      const page = target.kind === 'page' ? target.page : undefined
      const isWhole = path === '' || verdict === 'whole'
      const status = isWhole ? 'ok' : 'broken'
      found.set(name, { status, isOwn: space === undefined, ...there, ...(page && { page }) })
    }
  }
  return found
}

/** A space that is visible to the actor. */
export interface VisibleSpace {
  readonly organization: OrganizationContext
  readonly space: SpaceRow
}

async function findSpacesVisibleTo(
  db: Db,
  actor: Actor,
  ids: readonly string[],
): Promise<ReadonlyMap<string, VisibleSpace>> {
  const visible = new Map<string, VisibleSpace>()
  if (ids.length === 0) return visible
  const byOrganization = new Map<OrganizationId, SpaceId[]>()
  for (const [id, organizationId] of await findManyInDirectory(db, ids)) {
    const there = byOrganization.get(organizationId) ?? []
    there.push(id as SpaceId)
    byOrganization.set(organizationId, there)
  }
  for (const [organizationId, there] of byOrganization) {
    if (!opensOrganization(actor, organizationId)) continue
    const organization = await findOrganizationOf(db, actor.userId, organizationId)
    if (organization === undefined) continue
    for (const space of await findVisibleSpaces(db, readerOf(actor, organization), there))
      visible.set(space.id, { organization, space })
  }
  return visible
}

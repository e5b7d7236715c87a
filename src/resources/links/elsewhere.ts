/**
 * Links that name a space, judged by who asks: of a space that somebody may not see they are told what they are told of
 * one that does not exist.
 */
import type { OrganizationId, SpaceId } from '../../core/ids.js'
import type { PageRecord } from '../../core/pages/types.js'
import type { Services } from '../../access/route/scope.js'
import { opens } from '../../access/signin/credential-scope.js'
import type { Actor } from '../../access/signin/actor.js'
import type { Db } from '../../store/db/database.js'
import { findManyInDirectory } from '../../store/db/directory.js'
import { type ContentHere, getContent } from '../content/content.js'
import { readerOf } from '../organizations/scope.js'
import { type OrganizationOf, findOrganizationOf } from '../organizations/store.js'
import { type SpaceRow, findVisibleSpaces, headOf } from '../spaces/store.js'
import { judgeDestinations } from './judge.js'
import type { Elsewhere } from './table.js'

/** Who asks for links, and when. */
export interface Asking {
  readonly db: Db
  readonly services: Services
  readonly actor: Actor
  readonly now: number
}

/** What a link to a space leads to for who asks. */
export interface FoundElsewhere {
  readonly status: 'ok' | 'broken'
  /** True for the space that the link stands in; else it is another one, where that is known to who asks. */
  readonly isOwn: boolean
  readonly organization?: OrganizationOf
  readonly space?: SpaceRow
  readonly page?: PageRecord
}

export type Named = Pick<Elsewhere, 'space' | 'path' | 'fragment'>

export function nameElsewhere({ space, path, fragment = '' }: Named): string {
  return `${space} ${path}#${fragment}`
}

/** Returns what each of the links leads to, by `nameElsewhere`. */
export async function judgeElsewhere(
  { db, services, actor }: Pick<Asking, 'db' | 'services' | 'actor'>,
  content: ContentHere,
  links: Iterable<Named>,
): Promise<ReadonlyMap<string, FoundElsewhere>> {
  const bySpace = new Map<string, Map<string, Named>>()
  for (const link of links) {
    const ofSpace = bySpace.get(link.space) ?? new Map<string, Named>()
    bySpace.set(link.space, ofSpace.set(nameElsewhere(link), link))
  }
  const found = new Map<string, FoundElsewhere>()
  if (bySpace.size === 0) return found
  const seen = await findSpaces(
    db,
    actor,
    [...bySpace.keys()].filter((id) => id !== content.spaceId),
  )
  for (const [id, ofSpace] of bySpace) {
    const there = id === content.spaceId ? {} : seen.get(id)
    const names = [...ofSpace]
    if (there === undefined) {
      for (const [name] of names) found.set(name, { status: 'broken', isOwn: false })
      continue
    }
    const { space } = there as Partial<SeenSpace>
    const place = space && { organizationId: space.organization_id, spaceId: space.id }
    const here = place && space ? await getContent({ db, services, ...place }, headOf(space)) : content
    const judged = await judgeDestinations(
      here,
      services,
      names.map(([, { path, fragment }]) => ({
        file: '',
        kind: 'link',
        reading: { kind: 'page', page: path, ...(fragment !== undefined && { fragment }) },
      })),
    )
    for (const [at, [name, { path }]] of names.entries()) {
      const { target, verdict } = judged[at]!
      const page = target.kind === 'page' ? target.page : undefined
      const isWhole = path === '' || verdict === 'whole'
      const status = isWhole ? 'ok' : 'broken'
      found.set(name, { status, isOwn: space === undefined, ...there, ...(page && { page }) })
    }
  }
  return found
}

/** A space that who asks may see. */
export interface SeenSpace {
  readonly organization: OrganizationOf
  readonly space: SpaceRow
}

async function findSpaces(
  db: Db,
  actor: Actor,
  ids: readonly string[],
): Promise<ReadonlyMap<string, SeenSpace>> {
  const seen = new Map<string, SeenSpace>()
  if (ids.length === 0) return seen
  const byOrganization = new Map<OrganizationId, SpaceId[]>()
  for (const [id, organizationId] of await findManyInDirectory(db, ids)) {
    const there = byOrganization.get(organizationId) ?? []
    there.push(id as SpaceId)
    byOrganization.set(organizationId, there)
  }
  for (const [organizationId, there] of byOrganization) {
    if (!opens(actor, organizationId)) continue
    const organization = await findOrganizationOf(db, actor.userId, organizationId)
    if (organization === undefined) continue
    for (const space of await findVisibleSpaces(db, readerOf(actor, organization), there))
      seen.set(space.id, { organization, space })
  }
  return seen
}

/** History: the revisions of a line, mounted at a space and at a change request; and what is said of each of them. */
import type { ChangeRequestId } from '../../core/ids.js'
import type { SpaceAction } from '../../access/rules/levels.js'
import { type Route, route } from '../../access/route/route.js'
import type { Scope, Services } from '../../access/route/scope.js'
import type { ChangeRequest } from '../../contract/change-requests.js'
import type { LineEndpoints } from '../../contract/revisions.js'
import { type Revision, listRevisions } from '../../store/content/revisions.js'
import type { Db } from '../../store/db/database.js'
import { findPeopleOf } from '../users/store.js'
import type { ContentHere } from './content.js'
import { presentListed, presentOnLine } from './present.js'

/** Finds change requests that revisions were merged from: their noun stands above this one. */
export type FindMerged = (
  space: Pick<ContentHere, 'organizationId' | 'spaceId'>,
  ids: readonly ChangeRequestId[],
  at: Pick<Asking, 'db' | 'services'>,
) => Promise<ReadonlyMap<ChangeRequestId, ChangeRequest>>

export interface Asking {
  readonly db: Db
  readonly services: Services
  readonly findMerged: FindMerged
}

export function lineAt<Params extends string, Things extends { content: ContentHere }>(
  endpoints: LineEndpoints<Params>,
  at: Scope<NoInfer<Params>, Things, SpaceAction>,
  findMerged: FindMerged,
): Route[] {
  return [
    route(endpoints.list, {
      at,
      allow: 'view',
      handle: async ({ db, content, query, services }) => {
        const { items, ...page } = await listRevisions(db, content, query)
        const said = await describeRevisions(content, items, { db, services, findMerged })
        return { ...page, items: said.map((one) => presentListed(one, content.spaceId, services.addresses)) }
      },
    }),
  ]
}

/** Returns what is said of each of these revisions of a space; people and change requests are loaded together. */
export async function describeRevisions(
  { organizationId, spaceId }: Pick<ContentHere, 'organizationId' | 'spaceId'>,
  revisions: readonly Revision[],
  { db, services, findMerged }: Asking,
): Promise<ReturnType<typeof presentOnLine>[]> {
  const users = await findPeopleOf(
    db,
    organizationId,
    revisions.map(({ createdBy }) => createdBy),
  )
  const mergedIds = revisions.flatMap(({ mergedFrom }) => mergedFrom ?? [])
  const merged = await findMerged({ organizationId, spaceId }, mergedIds, { db, services })
  return revisions.map((revision) =>
    presentOnLine(revision, { addresses: services.addresses, users, merged }),
  )
}

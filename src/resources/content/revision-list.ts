/** History: lists the revisions of a branch, mounted at a space and at a change request, with their metadata. */
import type { ChangeRequestId } from '../../core/ids.js'
import type { SpaceAction } from '../../access/rules/levels.js'
import { type Route, route } from '../../access/route/route.js'
import type { Scope, Services } from '../../access/route/scope.js'
import type { ChangeRequest } from '../../contract/change-requests.js'
import type { HistoryEndpoints } from '../../contract/revisions.js'
import { type Revision, listRevisions } from '../../store/content/revisions.js'
import type { Db } from '../../store/db/database.js'
import { findPeopleOf } from '../users/store.js'
import type { ContentContext } from './content.js'
import { presentListedRevision, presentRevision } from './present.js'

/** Finds change requests that revisions were merged from; passed in, because `change-requests` imports this folder. */
export type FindMergedChangeRequests = (
  space: Pick<ContentContext, 'organizationId' | 'spaceId'>,
  ids: readonly ChangeRequestId[],
  at: Pick<RevisionListContext, 'db' | 'services'>,
) => Promise<ReadonlyMap<ChangeRequestId, ChangeRequest>>

export interface RevisionListContext {
  readonly db: Db
  readonly services: Services
  readonly findMerged: FindMergedChangeRequests
}

export function revisionListRoutes<Params extends string, Things extends { content: ContentContext }>(
  endpoints: HistoryEndpoints<Params>,
  at: Scope<NoInfer<Params>, Things, SpaceAction>,
  findMerged: FindMergedChangeRequests,
): Route[] {
  return [
    route(endpoints.list, {
      at,
      allow: 'view',
      handle: async ({ db, content, query, services }) => {
        const { items, ...page } = await listRevisions(db, content, query)
        const descriptions = await describeRevisions(content, items, { db, services, findMerged })
        return {
          ...page,
          items: descriptions.map((one) => presentListedRevision(one, content.spaceId, services.addresses)),
        }
      },
    }),
  ]
}

/** Returns the metadata of revisions of a space; users and change requests are loaded in bulk. */
export async function describeRevisions(
  { organizationId, spaceId }: Pick<ContentContext, 'organizationId' | 'spaceId'>,
  revisions: readonly Revision[],
  { db, services, findMerged }: RevisionListContext,
): Promise<ReturnType<typeof presentRevision>[]> {
  const users = await findPeopleOf(
    db,
    organizationId,
    revisions.map(({ createdBy }) => createdBy),
  )
  const mergedIds = revisions.flatMap(({ mergedFrom }) => mergedFrom ?? [])
  const merged = await findMerged({ organizationId, spaceId }, mergedIds, { db, services })
  return revisions.map((revision) =>
    presentRevision(revision, { addresses: services.addresses, users, merged }),
  )
}

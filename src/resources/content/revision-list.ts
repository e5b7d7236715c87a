/** Metadata of revisions: who made them, and which change requests they merged. */
import type { ChangeRequestId } from '../../core/ids.js'
import type { Services } from '../../access/route/scope.js'
import type { ChangeRequest } from '../../contract/change-requests.js'
import type { Revision } from '../../store/content/revisions.js'
import type { Db } from '../../store/db/database.js'
import { findPeopleOf } from '../users/store.js'
import type { ContentContext } from './content.js'
import { presentRevision } from './present.js'

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

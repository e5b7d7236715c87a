/** Duplicates a space: its current content as a sibling, without history, grants or change requests. */
import type { UserId } from '../../core/ids.js'
import type { Services } from '../../access/route/scope.js'
import { ApiError } from '../../contract/errors.js'
import type { Tx } from '../../store/db/database.js'
import { enqueueContentJobs } from '../content/content-jobs.js'
import { getContent } from '../content/content.js'
import { createSpace } from './create.js'
import { copyValues } from './custom-fields.js'
import { type SpaceRow, updateSpace } from './store.js'

const longestTitle = 50
const suffix = ' (copy)'

/** Returns the copy: private, locked, and with the default level of the original. */
export async function duplicateSpace(
  tx: Tx,
  row: SpaceRow,
  { userId, now, services }: { userId: UserId; now: number; services: Services },
): Promise<SpaceRow> {
  if (row.deleted_at !== null) throw new ApiError('space_deleted')
  const { organization_id: organizationId } = row
  const source = { db: tx, services, organizationId, spaceId: row.id }
  // Objects are content-addressed and both spaces belong to one organization: nothing is copied.
  const { revision } = await getContent(source, row.revision_id)
  const copy = await createSpace(
    tx,
    {
      title: row.title.slice(0, longestTitle - suffix.length) + suffix,
      ...(row.emoji !== null && { emoji: row.emoji }),
      ...(row.language !== null && { language: row.language }),
    },
    { organizationId, collectionId: row.collection_id, userId, now },
    revision.snapshot,
  )
  await copyValues(tx, row, copy)
  await enqueueContentJobs(tx, { organizationId, spaceId: copy.id, now })
  return updateSpace(tx, copy, { default_level: row.default_level })
}

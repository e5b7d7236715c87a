/** Import targets: the head of a space or of a change request, or a new space. */
import type { OrganizationId, RevisionId, UserId } from '../../core/ids.js'
import type { Snapshot } from '../../core/pages/types.js'
import { ApiError } from '../../contract/errors.js'
import { createSink } from '../../store/content/sink.js'
import type { Db, Tx } from '../../store/db/database.js'
import { inBranch } from '../change-requests/branch.js'
import { requireChangeable } from '../change-requests/status.js'
import { type ChangeRequestRow, findChangeRequest, recordContribution } from '../change-requests/store.js'
import { enqueueContentJobs } from '../content/content-jobs.js'
import { commit } from '../content/commit.js'
import type { ContentServices } from '../content/expansion.js'
import { type ContentContext, getContent } from '../content/content.js'
import { type NewSpaceInput, createSpace } from '../spaces/create.js'
import { type SpaceKey, type SpaceRow, findSpace, lockSpace, updateSpace } from '../spaces/store.js'

export interface ImportTarget {
  readonly organizationId: OrganizationId
  /** Returns the content to replace, null when there is none. */
  findBase(db: Db): Promise<ContentContext | null>
  /** Locks the head against other writers until the transaction ends. */
  lock(tx: Tx): Promise<void>
  /** Replaces the base with the snapshot; throws `content_moved` when the base is no longer the head. */
  commit(tx: Tx, arriving: ImportedSnapshot): Promise<RevisionId>
}

interface ImportedSnapshot {
  readonly snapshot: Snapshot
  readonly base: ContentContext | null
  /** Used when the space has no language. */
  readonly language: string | undefined
}

interface Author {
  readonly services: ContentServices
  readonly userId: UserId
  readonly now: number
}

/** Returns the target for the head of a space. */
export function intoSpace(
  { id, organization_id: organizationId }: SpaceKey,
  { services, userId, now }: Author,
): ImportTarget {
  async function load(db: Db, row: SpaceRow | undefined): Promise<ContentContext> {
    if (row === undefined) throw new ApiError('not_found', { thing: 'space' })
    return getContent({ db, services, organizationId, spaceId: id }, row.revision_id)
  }
  return {
    organizationId,
    findBase: async (db) => load(db, await findSpace(db, organizationId, id)),
    lock: async (tx) => void (await lockSpace(tx, organizationId, id)),
    async commit(tx, { snapshot, base, language }) {
      const row = await lockSpace(tx, organizationId, id)
      const head = await load(tx, row)
      if (head.revision.id !== base?.revision.id) throw new ApiError('content_moved')
      if (row.language === null && language !== undefined) await updateSpace(tx, row, { language })
      const sink = createSink(organizationId, services.objects)
      const message = 'Import'
      return (await commit(tx, head, { type: 'edits', snapshot, sink, userId, now, message })).id
    },
  }
}

/**
 * Returns the target for the branch of a change request; it must be open for changes, checked again when the head is
 * moved.
 */
export function intoChangeRequest(
  { id: spaceId, organization_id: organizationId }: SpaceKey,
  { id }: Pick<ChangeRequestRow, 'id'>,
  { services, userId, now }: Author,
): ImportTarget {
  async function load(db: Db): Promise<ContentContext & { readonly row: ChangeRequestRow }> {
    const row = await findChangeRequest(db, { organization_id: organizationId, id: spaceId }, id)
    if (row === undefined) throw new ApiError('not_found', { thing: 'change request' })
    requireChangeable(row)
    const location = { db, services, organizationId, spaceId }
    return { ...inBranch(await getContent(location, row.revision_id), row), row }
  }
  return {
    organizationId,
    findBase: load,
    lock: async (tx) => void (await lockSpace(tx, organizationId, spaceId)),
    async commit(tx, { snapshot, base }) {
      const head = await load(tx)
      if (head.revision.id !== base?.revision.id) throw new ApiError('content_moved')
      await recordContribution(tx, head.row, userId, now)
      const sink = createSink(organizationId, services.objects)
      const message = 'Import'
      return (await commit(tx, head, { type: 'edits', snapshot, sink, userId, now, message })).id
    },
  }
}

/**
 * Returns the target for a new space that is created with its content, under an id that the caller has chosen.
 * Importing into the same id again, or concurrently, replaces its content: there is never a second space.
 */
export function intoNewSpace(key: SpaceKey, input: NewSpaceInput, author: Author): ImportTarget {
  const { organization_id: organizationId, id } = key
  const { userId, now } = author
  const existing = intoSpace(key, author)
  const spaceExists = async (db: Db): Promise<boolean> =>
    (await findSpace(db, organizationId, id)) !== undefined
  return {
    organizationId,
    findBase: async (db) => ((await spaceExists(db)) ? existing.findBase(db) : null),
    async lock(tx) {
      if (await spaceExists(tx)) await existing.lock(tx)
    },
    async commit(tx, arriving) {
      const { snapshot, base, language } = arriving
      if (base !== null) return existing.commit(tx, arriving)
      if (await spaceExists(tx)) throw new ApiError('content_moved')
      const space = { ...(language !== undefined && { language }), ...input }
      const row = await createSpace(tx, space, { id, organizationId, userId, now }, snapshot)
      await enqueueContentJobs(tx, { organizationId, spaceId: id, now })
      return row.revision_id
    },
  }
}

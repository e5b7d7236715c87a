/**
 * Access check on OpenAPI specifications referenced by content, whose readers see them. An author without access to the
 * organization's specifications may reference public ones only: a guest who edits one space must not discover others
 * by guessing names or source URLs.
 */
import type { OrganizationId, UserId } from '../../core/ids.js'
import { addedSpecifications } from '../../core/openapi/expand-computed-pages.js'
import type { Snapshot } from '../../core/pages/types.js'
import { authorizeInOrganization } from '../../access/rules/levels.js'
import { ApiError } from '../../contract/errors.js'
import type { Revision, RevisionType } from '../../store/content/revisions.js'
import type { ObjectSink } from '../../store/content/sink.js'
import type { Tx } from '../../store/db/database.js'
import { findPublicNames } from '../openapi-specs/store.js'
import { findOrganizationOf } from '../organizations/store.js'

interface NewRevision {
  readonly organizationId: OrganizationId
  readonly type: RevisionType
  readonly snapshot: Snapshot
  readonly parents: readonly Revision[]
  readonly sink: ObjectSink
  readonly userId: UserId
}

/** Revisions that repeat references which were checked when first written. */
const typesWithoutNewReferences: ReadonlySet<RevisionType> = new Set(['rollback', 'computed'])

/** Throws 403 when a revision references a specification that none of its parents does and its author may not see. */
export async function requireSpecificationAccess(tx: Tx, revision: NewRevision): Promise<void> {
  const { organizationId, type, snapshot, parents, sink, userId } = revision
  if (typesWithoutNewReferences.has(type)) return
  const before = parents.map((parent) => parent.snapshot)
  const added = await sink.run(tx, addedSpecifications(snapshot, before))
  if (added.size === 0) return
  const organization = await findOrganizationOf(tx, userId, organizationId)
  if (authorizeInOrganization(organization?.role, 'view') === 'yes') return
  const isPublic = await findPublicNames(tx, organizationId)
  const slug = [...added].find((one) => !isPublic.has(one))
  if (slug !== undefined) throw new ApiError('specification_unseen', { slug })
}

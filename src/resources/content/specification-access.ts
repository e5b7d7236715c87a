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
import type { Db, Tx } from '../../store/db/database.js'
import { type LatestVersion, findPublicNames, listLatestVersions } from '../openapi-specs/store.js'
import { findOrganizationOf } from '../organizations/store.js'
import type { ContentContext } from './content.js'

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
  const isReadable = await findReadableNames(tx, { organizationId, userId })
  const slug = [...added].find((one) => !isReadable(one))
  if (slug !== undefined) throw new ApiError('specification_unseen', { slug })
}

/** Returns which specifications, by slug or source URL, the user may reference in content. */
async function findReadableNames(
  db: Db,
  { organizationId, userId }: Pick<NewRevision, 'organizationId' | 'userId'>,
): Promise<(name: string) => boolean> {
  const organization = await findOrganizationOf(db, userId, organizationId)
  if (authorizeInOrganization(organization?.role, 'view') === 'yes') return () => true
  const publicNames = await findPublicNames(db, organizationId)
  return (name) => publicNames.has(name)
}

/** Returns the specifications that the user may reference in content, and those that it displays already. */
export async function listReferenceableVersions(
  db: Db,
  { organizationId, revision, run }: ContentContext,
  userId: UserId,
): Promise<readonly LatestVersion[]> {
  const isReadable = await findReadableNames(db, { organizationId, userId })
  const displayed = await run(addedSpecifications(revision.snapshot, []))
  const isReferenceable = (name: string | null) => name !== null && (isReadable(name) || displayed.has(name))
  const versions = await listLatestVersions(db, organizationId)
  return versions.filter(({ slug, address }) => isReferenceable(slug) || isReferenceable(address))
}

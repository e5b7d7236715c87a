/**
 * What content names of the organization's OpenAPI specifications, its readers are shown. So whoever may not see them
 * names none but public ones: not a guest who writes in one space, and tries the names that a specification may have,
 * or the addresses from which it may be fetched.
 */
import type { OrganizationId, UserId } from '../../core/ids.js'
import { addedSpecifications } from '../../core/openapi/expand.js'
import type { Snapshot } from '../../core/pages/types.js'
import { judgeInOrganization } from '../../access/rules/levels.js'
import { ApiError } from '../../contract/errors.js'
import type { Revision, RevisionType } from '../../store/content/revisions.js'
import type { ObjectSink } from '../../store/content/sink.js'
import type { Tx } from '../../store/db/database.js'
import { findPublicNames } from '../openapi-specs/store.js'
import { findOrganizationOf } from '../organizations/store.js'

interface Written {
  readonly organizationId: OrganizationId
  readonly type: RevisionType
  readonly snapshot: Snapshot
  readonly parents: readonly Revision[]
  readonly sink: ObjectSink
  readonly userId: UserId
}

/** What these say was judged when somebody wrote it. */
const repeating: ReadonlySet<RevisionType> = new Set(['rollback', 'computed'])

/** Throws 403 where a revision names what none of its parents does, and its author may not see. */
export async function requireSeenSpecifications(tx: Tx, written: Written): Promise<void> {
  const { organizationId, type, snapshot, parents, sink, userId } = written
  if (repeating.has(type)) return
  const before = parents.map((parent) => parent.snapshot)
  const added = await sink.run(tx, addedSpecifications(snapshot, before))
  if (added.size === 0) return
  const organization = await findOrganizationOf(tx, userId, organizationId)
  if (judgeInOrganization(organization?.role, 'view') === 'yes') return
  const isPublic = await findPublicNames(tx, organizationId)
  const slug = [...added].find((one) => !isPublic.has(one))
  if (slug !== undefined) throw new ApiError('specification_unseen', { slug })
}

/**
 * Grants: the roles of users and teams on spaces and collections.
 *
 * No foreign key removes the rows, so code that deletes a target or grantee calls one of the removals below.
 */
import type { CollectionId, OrganizationId, SpaceId, TeamId, UserId } from '../../core/ids.js'
import type { Role } from '../../contract/shapes.js'
import type { Tx } from '../../store/db/database.js'
import type { ContentKind } from './level-facts.js'

export interface GrantTarget {
  readonly organizationId: OrganizationId
  readonly kind: ContentKind
  readonly id: SpaceId | CollectionId
}

export type Grantee =
  | { readonly kind: 'user'; readonly id: UserId }
  | { readonly kind: 'team'; readonly id: TeamId }

/** Grants the role to each, replacing an earlier one. */
export async function grant(
  tx: Tx,
  { organizationId, kind, id }: GrantTarget,
  grantees: readonly Grantee[],
  { role, now }: { role: Role; now: number },
): Promise<void> {
  for (const grantee of grantees) {
    await tx
      .insertInto('grants')
      .values({
        organization_id: organizationId,
        target_kind: kind,
        target_id: id,
        grantee_kind: grantee.kind,
        grantee_id: grantee.id,
        role,
        created_at: now,
      })
      .onConflict((conflict) =>
        conflict.columns(['organization_id', 'target_id', 'grantee_id']).doUpdateSet({ role }),
      )
      .execute()
  }
}

/** Removes the grant of a user or team on a resource; false when there was none. */
export async function removeGrant(
  tx: Tx,
  { organizationId, id }: Pick<GrantTarget, 'organizationId' | 'id'>,
  granteeId: Grantee['id'],
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('grants')
    .where('organization_id', '=', organizationId)
    .where('target_id', '=', id)
    .where('grantee_id', '=', granteeId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Removes all grants on these resources of an organization, and the invite links to them. */
export async function removeGrantsOn(
  tx: Tx,
  organizationId: OrganizationId,
  targetIds: readonly GrantTarget['id'][],
): Promise<void> {
  for (let at = 0; at < targetIds.length; at += 500) {
    const part = targetIds.slice(at, at + 500)
    for (const table of ['grants', 'link_invites'] as const) {
      await tx
        .deleteFrom(table)
        .where('organization_id', '=', organizationId)
        .where('target_id', 'in', part)
        .execute()
    }
  }
}

/** Removes all grants of a user or team in an organization. */
export async function removeGrantsOf(
  tx: Tx,
  organizationId: OrganizationId,
  granteeId: Grantee['id'],
): Promise<void> {
  await tx
    .deleteFrom('grants')
    .where('organization_id', '=', organizationId)
    .where('grantee_id', '=', granteeId)
    .execute()
}

/**
 * Removes the invite links that a user created: a former admin must not return, or regain a role, through one of their
 * own.
 */
export async function removeInvitesBy(tx: Tx, organizationId: OrganizationId, userId: UserId): Promise<void> {
  await tx
    .deleteFrom('link_invites')
    .where('organization_id', '=', organizationId)
    .where('created_by', '=', userId)
    .execute()
}

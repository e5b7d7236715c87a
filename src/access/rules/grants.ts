/**
 * Rows of grants: the roles given by name, to users and teams, on spaces and collections.
 *
 * No foreign key removes them, so whoever removes what they name calls one of the removals here.
 */
import type { CollectionId, OrganizationId, SpaceId, TeamId, UserId } from '../../core/ids.js'
import type { Role } from '../../contract/shapes.js'
import type { Tx } from '../../store/db/database.js'
import type { ContentKind } from './facts.js'

export interface Target {
  readonly organizationId: OrganizationId
  readonly kind: ContentKind
  readonly id: SpaceId | CollectionId
}

export type Grantee =
  | { readonly kind: 'user'; readonly id: UserId }
  | { readonly kind: 'team'; readonly id: TeamId }

/** Gives the role to each, in the place of what they had. */
export async function grant(
  tx: Tx,
  { organizationId, kind, id }: Target,
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

/** Takes back what somebody was given on a thing; false when it was nothing. */
export async function removeGrant(
  tx: Tx,
  { organizationId, id }: Pick<Target, 'organizationId' | 'id'>,
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

/** Takes back everything that was given on these things of an organization, links that would give it again included. */
export async function removeGrantsOn(
  tx: Tx,
  organizationId: OrganizationId,
  targetIds: readonly Target['id'][],
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

/** Takes back everything that a user or team was given in an organization. */
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

/** Removes the links that somebody made: who is no admin any more must not come back, or rise again, by their own. */
export async function removeInvitesBy(tx: Tx, organizationId: OrganizationId, userId: UserId): Promise<void> {
  await tx
    .deleteFrom('link_invites')
    .where('organization_id', '=', organizationId)
    .where('created_by', '=', userId)
    .execute()
}

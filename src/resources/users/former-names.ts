/**
 * Former names of users who left an organization before accepting their membership: an identity provider may have signed
 * them in, so authors and audit entries may refer to them, and their profile remains private to them.
 *
 * A user is never both a member and in this table: a new membership has its own name.
 */
import type { OrganizationId, UserId } from '../../core/ids.js'
import type { Tx } from '../../store/db/database.js'

interface FormerNameKey {
  readonly organizationId: OrganizationId
  readonly userId: UserId
}

export async function insertFormerName(
  tx: Tx,
  { organizationId, userId }: FormerNameKey,
  knownAs: string,
): Promise<void> {
  await tx
    .insertInto('former_names')
    .values({ organization_id: organizationId, user_id: userId, known_as: knownAs })
    .execute()
}

/** Called when the user becomes a member: the membership has the name from then on. */
export async function deleteFormerName(tx: Tx, { organizationId, userId }: FormerNameKey): Promise<void> {
  await tx
    .deleteFrom('former_names')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .execute()
}

/** On a transfer between organizations: copies the names of users who are unknown to the target. */
export async function copyFormerNames(tx: Tx, from: OrganizationId, to: OrganizationId): Promise<void> {
  await tx
    .insertInto('former_names')
    .columns(['organization_id', 'user_id', 'known_as'])
    .expression((db) => {
      const invited = db
        .selectFrom('members')
        .select(['user_id', 'known_as'])
        .where('organization_id', '=', from)
        .where('known_as', 'is not', null)
      const former = db
        .selectFrom('former_names')
        .select(['user_id', 'known_as'])
        .where('organization_id', '=', from)
      return db
        .selectFrom(invited.unionAll(former).as('known'))
        .select(({ val, ref }) => [
          val(to).as('organization_id'),
          'known.user_id as user_id',
          ref('known.known_as').$notNull().as('known_as'),
        ])
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('members')
                .select('members.user_id')
                .where('members.organization_id', '=', to)
                .whereRef('members.user_id', '=', 'known.user_id'),
            ),
          ),
        )
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

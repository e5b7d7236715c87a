/**
 * By which name an organization knew people who went before they had accepted their membership: an identity provider
 * may have signed them in, so something there may say that it was them. Their profile stays none of its business.
 *
 * Nobody is both a member and here: who comes back is known as what the new membership says.
 */
import type { OrganizationId, UserId } from '../../core/ids.js'
import type { Tx } from '../../store/db/database.js'

interface Named {
  readonly organizationId: OrganizationId
  readonly userId: UserId
}

export async function keepName(tx: Tx, { organizationId, userId }: Named, knownAs: string): Promise<void> {
  await tx
    .insertInto('former_names')
    .values({ organization_id: organizationId, user_id: userId, known_as: knownAs })
    .execute()
}

/** Somebody becomes a member: from now on the membership says by which name. */
export async function forgetName(tx: Tx, { organizationId, userId }: Named): Promise<void> {
  await tx
    .deleteFrom('former_names')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .execute()
}

/** What one organization gives another names its people as before to whom they are strangers. */
export async function carryNames(tx: Tx, from: OrganizationId, to: OrganizationId): Promise<void> {
  await tx
    .insertInto('former_names')
    .columns(['organization_id', 'user_id', 'known_as'])
    .expression((db) => {
      const waiting = db
        .selectFrom('members')
        .select(['user_id', 'known_as'])
        .where('organization_id', '=', from)
        .where('known_as', 'is not', null)
      const gone = db
        .selectFrom('former_names')
        .select(['user_id', 'known_as'])
        .where('organization_id', '=', from)
      return db
        .selectFrom(waiting.unionAll(gone).as('known'))
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

/**
 * What somebody may see, as a filter for lists: the same rule as `levels.ts`, said to the database.
 * It goes into the query before the limit, so that counts and pages show nothing else.
 */
import type { ExpressionBuilder, ExpressionWrapper, SqlBool } from 'kysely'
import type { UserId } from '../../core/ids.js'
import type { Tables } from '../../store/db/tables.js'

/** True for the spaces that the user may read; for queries over `spaces`. Deleted spaces are in no list. */
export function isVisibleSpace(
  where: ExpressionBuilder<Tables, 'spaces'>,
  userId: UserId,
): ExpressionWrapper<Tables, 'spaces', SqlBool> {
  return where.and([where('spaces.deleted_at', 'is', null), isReadableSpace(where, userId)])
}

function isReadableSpace(
  where: ExpressionBuilder<Tables, 'spaces'>,
  userId: UserId,
): ExpressionWrapper<Tables, 'spaces', SqlBool> {
  return where.exists(
    where
      .selectFrom('members')
      .select('members.user_id')
      .whereRef('members.organization_id', '=', 'spaces.organization_id')
      .where('members.user_id', '=', userId)
      .where('members.disabled', '=', 0)
      .where((member) =>
        member.or([
          member('members.role', '=', 'admin'),
          member.and([
            member('members.role', 'is not', null),
            member.or([
              member('spaces.default_level', 'is not', null),
              member('spaces.created_by', '=', userId),
            ]),
          ]),
        ]),
      ),
  )
}

/** True for the sites that the user may see: who may read one of its spaces, and any member while it has none. */
export function isVisibleSite(
  where: ExpressionBuilder<Tables, 'sites'>,
  userId: UserId,
): ExpressionWrapper<Tables, 'sites', SqlBool> {
  return where.exists(
    where
      .selectFrom('members')
      .select('members.user_id')
      .whereRef('members.organization_id', '=', 'sites.organization_id')
      .where('members.user_id', '=', userId)
      .where('members.disabled', '=', 0)
      .where('members.role', 'is not', null)
      .where((member) =>
        member.or([
          member('members.role', '=', 'admin'),
          member.not(
            member.exists(
              member
                .selectFrom('site_spaces')
                .select('site_spaces.id')
                .whereRef('site_spaces.site_id', '=', 'sites.id'),
            ),
          ),
          member.exists(
            member
              .selectFrom('site_spaces')
              .innerJoin('spaces', 'spaces.id', 'site_spaces.space_id')
              .select('site_spaces.id')
              .whereRef('site_spaces.site_id', '=', 'sites.id')
              .where(
                (space) =>
                  isReadableSpace(space as unknown as ExpressionBuilder<Tables, 'spaces'>, userId) as never,
              ),
          ),
        ]),
      ),
  )
}

/** Routes of users: the authenticated user and others. */
import { getPreferences, updatePreferences } from '../../contract/preferences.js'
import { getAuthenticatedUser, getUser, updateUser } from '../../contract/users.js'
import { type Route, route } from '../../access/route/route.js'
import { ownAccount, signedIn } from '../../access/route/scope.js'
import { changePreferences, findPreferences } from './preferences.js'
import { presentUser } from './present.js'
import { inUser } from './scope.js'
import { updateUserRow } from './store.js'

export const userRoutes: readonly Route[] = [
  route(getAuthenticatedUser, {
    at: signedIn,
    allow: 'ask',
    handle: async ({ actor: { user }, services }) =>
      presentUser(services.addresses, {
        id: user.id,
        display_name: user.displayName,
        email: user.email,
        photo_url: user.photoUrl,
      }),
  }),

  route(getPreferences, {
    at: ownAccount,
    allow: 'ask',
    handle: ({ db, actor }) => findPreferences(db, actor.userId),
  }),

  route(updatePreferences, {
    at: ownAccount,
    allow: 'ask',
    locks: 'people',
    handle: ({ tx, actor, body }) => changePreferences(tx, actor.userId, body),
  }),

  route(getUser, {
    at: inUser,
    allow: 'view',
    handle: async ({ user, services }) => presentUser(services.addresses, user.row),
  }),

  route(updateUser, {
    at: inUser,
    allow: 'change',
    locks: 'people',
    handle: async ({ tx, user, body, now, services }) => {
      const row = await updateUserRow(tx, user.row.id, {
        updated_at: now,
        ...(body.displayName !== undefined && { display_name: body.displayName }),
        ...(body.photoURL !== undefined && { photo_url: body.photoURL }),
      })
      return presentUser(services.addresses, row)
    },
  }),
]

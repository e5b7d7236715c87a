/** Users: who am I. */
import { getAuthenticatedUser } from '../../contract/users.js'
import { type Route, route } from '../../access/route/route.js'
import { signedIn } from '../../access/route/scope.js'
import { presentUser } from './present.js'

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
]

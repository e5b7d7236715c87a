/** Route scope `/users/:userId`: users see themselves and members of their organizations, and change only themselves. */
import type { UserId } from '../../core/ids.js'
import { resourceScope, signedIn } from '../../access/route/scope.js'
import { findKnownUser } from './store.js'

type UserAction = 'view' | 'change'

export const inUser = resourceScope(signedIn, 'userId', {
  key: 'user',
  noun: 'user',
  find: async ({ db, actor }, id) => {
    const row = await findKnownUser(db, actor, id as UserId)
    return row && { row, isSelf: row.id === actor.userId }
  },
  authorize: (action: UserAction, { user }) => (action === 'view' || user.isSelf ? 'yes' : 'own'),
  visibleIf: 'view',
})

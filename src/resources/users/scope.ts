/** The step `/users/:userId`: people see themselves and those they work with, and change only themselves. */
import type { UserId } from '../../core/ids.js'
import { place, signedIn } from '../../access/route/scope.js'
import { findKnownUser } from './store.js'

type UserAction = 'view' | 'change'

export const inUser = place(signedIn, 'userId', {
  key: 'user',
  thing: 'user',
  find: async ({ db, actor }, id) => {
    const row = await findKnownUser(db, actor, id as UserId)
    return row && { row, isSelf: row.id === actor.userId }
  },
  judge: (action: UserAction, { user }) => (action === 'view' || user.isSelf ? 'yes' : 'own'),
  seen: 'view',
})

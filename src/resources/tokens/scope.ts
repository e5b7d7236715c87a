/** Route scope of the actor's own API tokens. */
import { ownAccount, subresourceScope } from '../../access/route/scope.js'
import { findToken } from './store.js'

export const atToken = subresourceScope(ownAccount, 'tokenId', {
  key: 'token',
  noun: 'token',
  find: ({ db, actor }, id) => findToken(db, actor, id),
  organizationOf: ({ organization_id }) => organization_id,
})

/** The step to one of one's own API tokens. */
import { asOneself, within } from '../../access/route/scope.js'
import { findToken } from './store.js'

export const atToken = within(asOneself, 'tokenId', {
  key: 'token',
  thing: 'token',
  find: ({ db, actor }, id) => findToken(db, actor, id),
})

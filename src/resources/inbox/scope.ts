/** Route scope of an entry of the actor's own inbox. */
import type { InboxEntryId } from '../../core/ids.js'
import { ownAccount, subresourceScope } from '../../access/route/scope.js'
import { findReaders } from './readers.js'
import { findEntry } from './store.js'

export const inInboxEntry = subresourceScope(ownAccount, 'inboxEntryId', {
  key: 'entry',
  noun: 'inbox entry',
  find: async ({ db, actor }, id) => findEntry(db, await findReaders(db, actor), id as InboxEntryId),
})

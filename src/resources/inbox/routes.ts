/** Routes of the inbox. Marking is no change that an audit log records. */
import { type Route, route } from '../../access/route/route.js'
import { unchanged } from '../../access/route/responses.js'
import { ownAccount } from '../../access/route/scope.js'
import { ApiError } from '../../contract/errors.js'
import { listInboxEntries, markInboxRead, updateInboxEntry } from '../../contract/inbox.js'
import type { InboxEntryId } from '../../core/ids.js'
import { findReaders } from './readers.js'
import { inInboxEntry } from './scope.js'
import { showEntries } from './show.js'
import { countUnread, findEntry, listEntries, markEntry, markRead } from './store.js'

export const inboxRoutes: readonly Route[] = [
  route(listInboxEntries, {
    at: ownAccount,
    allow: 'ask',
    handle: async ({ db, actor, query, services }) => {
      const { read, kind, organization } = query
      const readers = await findReaders(db, actor, organization)
      const list = await listEntries(db, readers, { read, kind }, query)
      const [items, unread] = [
        await showEntries(db, services.addresses, list.items),
        await countUnread(db, readers),
      ]
      return { ...list, items, unread }
    },
  }),

  route(updateInboxEntry, {
    at: inInboxEntry,
    allow: 'ask',
    handle: async ({ tx, entry, body, now, services }) => {
      const readAt = body.read ? (entry.read_at ?? now) : null
      await markEntry(tx, entry, { read_at: readAt })
      const [presented] = await showEntries(tx, services.addresses, [{ ...entry, read_at: readAt }])
      return unchanged(presented!)
    },
  }),

  route(markInboxRead, {
    at: ownAccount,
    allow: 'ask',
    handle: async ({ tx, actor, body, now }) => {
      const readers = await findReaders(tx, actor, body?.organization)
      const through =
        body?.through === undefined ? undefined : await findEntry(tx, readers, body.through as InboxEntryId)
      if (body?.through !== undefined && through === undefined)
        throw new ApiError('invalid_reference', { member: 'through', thing: 'an entry of your inbox' })
      for (const reader of readers) await markRead(tx, reader, through, now)
      return unchanged({ unread: await countUnread(tx, readers) })
    },
  }),
]

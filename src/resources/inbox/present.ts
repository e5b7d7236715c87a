/** Wire format of inbox entries. */
import { parseFragment } from '../../core/markdown/parse.js'
import { plainText } from '../../core/document/plain-text.js'
import type { Addresses } from '../../contract/addresses.js'
import type { InboxEntry } from '../../contract/inbox.js'
import { presentUser } from '../users/present.js'
import type { UserRow } from '../users/store.js'
import type { InboxEntryRow } from './store.js'

/** Characters of a comment that are returned, and that are parsed for them. */
const excerptLength = 200
const parsedLength = 800

export function presentEntry(
  addresses: Addresses,
  row: InboxEntryRow,
  actor: UserRow | undefined,
): InboxEntry {
  return {
    object: 'inbox-entry',
    id: row.id,
    kind: row.kind as InboxEntry['kind'],
    read: row.read_at !== null,
    createdAt: new Date(row.at).toISOString(),
    ...(row.read_at !== null && { readAt: new Date(row.read_at).toISOString() }),
    ...(actor !== undefined && { actor: presentUser(addresses, actor) }),
    organization: { id: row.organization_id, title: row.organization_title },
    space: { id: row.space_id, title: row.space_title },
    ...(row.change_request_id !== null && {
      changeRequest: {
        id: row.change_request_id,
        number: row.request_number!,
        subject: row.request_subject!,
        status: row.request_status as NonNullable<InboxEntry['changeRequest']>['status'],
      },
    }),
    ...(row.comment_id !== null && {
      comment: {
        id: row.comment_parent ?? row.comment_id,
        ...(row.comment_parent !== null && { reply: row.comment_id }),
        excerpt: excerptOf(row.comment_body!),
      },
    }),
    ...(row.review_id !== null &&
      row.review_status !== null && {
        review: {
          id: row.review_id,
          status: row.review_status as NonNullable<InboxEntry['review']>['status'],
        },
      }),
    ...(row.team_id !== null &&
      row.team_title !== null && { team: { id: row.team_id, title: row.team_title } }),
    urls: { location: addresses.api(`/user/inbox/${row.id}`), app: addresses.app(appPathOf(row)) },
  }
}

function excerptOf(markdown: string): string {
  const words = plainText(parseFragment(markdown.slice(0, parsedLength)).document)
    .replace(/\s+/g, ' ')
    .trim()
  const characters = [...words]
  return characters.length > excerptLength ? `${characters.slice(0, excerptLength - 1).join('')}…` : words
}

/** The comment is in the query: a fragment would be lost on the way through the sign-in page. */
function appPathOf(row: InboxEntryRow): string {
  const comment = row.comment_parent ?? row.comment_id
  const query = comment === null ? '' : `?comment=${comment}`
  if (row.request_number === null) return `/s/${row.space_id}/${query}`
  const isConversation = comment !== null || row.review_id !== null
  const tab = isConversation ? '~/conversation/' : ''
  return `/s/${row.space_id}/~/changes/${row.request_number}/${tab}${query}`
}

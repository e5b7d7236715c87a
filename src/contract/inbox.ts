/** The inbox of a user: what they are notified of, in all their organizations. */
import Type, { type Static } from 'typebox'
import { changeRequestStatuses } from './change-requests.js'
import { endpoint } from './endpoint.js'
import { reviewStatuses } from './reviews.js'
import { Identifier, IdentifierOf, ListOf, Timestamp, Words, listQueryWith, shape } from './shapes.js'
import { User } from './users.js'

export const inboxKinds = ['review-requested', 'mentioned', 'replied', 'merged', 'assigned'] as const
export type InboxKind = (typeof inboxKinds)[number]

const Named = Type.Object({ id: Type.String(), title: Type.String() })

export const InboxEntry = shape(
  'InboxEntry',
  Type.Object({
    object: Type.Literal('inbox-entry'),
    id: Type.String(),
    kind: Words(inboxKinds, {
      description:
        'Whether you are asked for a review, mentioned, replied to, your change request or one that you reviewed is merged, or a team of yours is asked for a review ("assigned").',
    }),
    read: Type.Boolean(),
    createdAt: Timestamp,
    readAt: Type.Optional(Timestamp),
    actor: Type.Optional(User),
    organization: Named,
    space: Named,
    changeRequest: Type.Optional(
      Type.Object({
        id: Type.String(),
        number: Type.Integer(),
        subject: Type.String(),
        status: Words(changeRequestStatuses),
      }),
    ),
    comment: Type.Optional(
      Type.Object({
        id: Type.String(),
        reply: Type.Optional(
          Type.String({ description: 'Id of the reply to the comment that the entry is about.' }),
        ),
        excerpt: Type.String({ description: 'The first words, without markup.' }),
      }),
    ),
    review: Type.Optional(Type.Object({ id: Type.String(), status: Words(reviewStatuses) })),
    team: Type.Optional(Named),
    urls: Type.Object({
      location: Type.String(),
      app: Type.String({ description: 'Where the app displays what the entry is about.' }),
    }),
  }),
)
export type InboxEntry = Static<typeof InboxEntry>

const Unread = Type.Integer({ description: 'Number of unread entries, whatever the other filters.' })
const OrganizationFilter = Type.Optional(IdentifierOf('an organization, for its entries only'))

const InboxEntries = ListOf(InboxEntry)

export const listInboxEntries = endpoint('listInboxEntries', 'GET', '/user/inbox', {
  summary: 'List the entries of your inbox',
  description:
    'Returns what you are notified of, newest first, as far as you may read the space of it. Entries are retained for 180 days, the last thousand of each organization.',
  tag: 'Inbox',
  query: listQueryWith({
    read: Type.Optional(Type.Boolean({ description: 'Only entries that are read, or are not.' })),
    kind: Type.Optional(Words(inboxKinds, { description: 'Only entries of this kind.' })),
    organization: OrganizationFilter,
  }),
  reply: Type.Object({ ...InboxEntries.properties, unread: Unread }),
})

export const updateInboxEntry = endpoint('updateInboxEntry', 'PATCH', '/user/inbox/:inboxEntryId', {
  summary: 'Mark an entry of your inbox',
  description: 'Marks an entry as read or unread.',
  tag: 'Inbox',
  body: Type.Object({ read: Type.Boolean() }, { additionalProperties: false }),
  reply: InboxEntry,
})

export const markInboxRead = endpoint('markInboxRead', 'POST', '/user/inbox/read', {
  summary: 'Mark your inbox as read',
  description: 'Marks all entries as read, or one and all older ones.',
  tag: 'Inbox',
  body: Type.Object(
    {
      through: Type.Optional({
        ...Identifier,
        description: 'Id of an entry: it and older ones are marked, so that what has just come stays unread.',
      }),
      organization: OrganizationFilter,
    },
    { additionalProperties: false },
  ),
  bodyRequired: false,
  success: 200,
  reply: Type.Object({ unread: Unread }),
})

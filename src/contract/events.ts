/** Events of spaces and sites: their types, for webhooks and for live updates in a browser. */
import Type, { type Static } from 'typebox'
import { endpoint } from './endpoint.js'
import { Timestamp, shape } from './shapes.js'

/** Every event type with its meaning, in the order in which they are documented. */
export const eventTypes = {
  space_content_updated: 'The content of a space has a new revision.',
  space_created: 'A space was made.',
  space_updated: 'Settings of a space were changed.',
  space_deleted: 'A space was moved to the trash.',
  space_restored: 'A space came back from the trash.',
  change_request_created: 'A change request was begun.',
  change_request_updated:
    'A change request has new content, another subject, description, status or reviewers, or a review was withdrawn.',
  change_request_reviewed: 'A review of a change request was submitted.',
  change_request_merged: 'A change request was merged.',
  comment_created: 'A comment or a reply was posted.',
  comment_updated: 'A comment or a reply was changed, resolved, or reacted to.',
  comment_deleted: 'A comment or a reply was removed.',
  site_created: 'A site was made.',
  site_updated: 'Settings, structure or looks of a site were changed.',
  site_deleted: 'A site was deleted.',
  site_published: 'A site went live.',
  site_unpublished: 'A site was taken offline.',
  page_feedback: 'A reader said what they think of a page.',
} as const
export type EventType = keyof typeof eventTypes

/** Event type for one person alone, which comes on streams only: their inbox has a new entry about the space. */
export const inboxEventType = 'inbox_updated'

/** Event type of a test delivery. */
export const pingType = 'webhook_ping'

export const eventTypeNames = Object.keys(eventTypes) as EventType[]

const eventMembers = {
  number: Type.Integer({ description: 'Sequence number of the event in its space or site.' }),
  eventId: Type.String(),
  type: Type.String(),
  createdAt: Timestamp,
  isOwn: Type.Boolean({ description: 'Whether you caused the event yourself.' }),
  changeRequestId: Type.Optional(Type.String()),
  revisionId: Type.Optional(Type.String()),
  reviewId: Type.Optional(Type.String()),
  commentId: Type.Optional(Type.String()),
  commentReplyId: Type.Optional(Type.String()),
}

export const Events = shape(
  'Events',
  Type.Object({
    items: Type.Array(Type.Object(eventMembers)),
    last: Type.Integer({ description: 'Pass it as `after` in the next request.' }),
    missed: Type.Boolean({ description: 'True if events after `after` are no longer stored.' }),
  }),
)
export type Events = Static<typeof Events>
export type EventItem = Events['items'][number]

const EventsQuery = Type.Object({
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Number of the last event that is known; without it no past events are returned.',
    }),
  ),
})

/** Events in one reply at most. */
export const maxEventsPerReply = 100

function eventsBelow<const Path extends string>(path: Path, noun: string, thing: string) {
  return endpoint(`list${noun}Events`, 'GET', path, {
    summary: `List the events of ${thing}`,
    description:
      'Returns the events after a known one. With the header `Accept: text/event-stream` the response is a stream of the events from now on.',
    tag: 'Events',
    query: EventsQuery,
    reply: Events,
  })
}

export const spaceEvents = eventsBelow('/spaces/:spaceId/events', 'Space', 'a space')
export const changeRequestEvents = eventsBelow(
  '/spaces/:spaceId/change-requests/:changeRequestId/events',
  'ChangeRequest',
  'a change request',
)
export const siteEvents = eventsBelow('/orgs/:organizationId/sites/:siteId/events', 'Site', 'a site')

export const OrganizationEvents = shape(
  'OrganizationEvents',
  Type.Object({
    items: Type.Array(
      Type.Object({
        ...eventMembers,
        space: Type.Optional(Type.String({ description: 'Id of the space that it happened in.' })),
        site: Type.Optional(Type.String({ description: 'Id of the site that it happened to.' })),
      }),
    ),
    last: Type.String({ description: 'Pass it as `after` in the next request.' }),
    missed: Type.Boolean({ description: 'True if events after `after` are no longer stored.' }),
    total: Type.Integer({ description: 'Number of events so far.' }),
  }),
)
export type OrganizationEvents = Static<typeof OrganizationEvents>

/** Characters of a position: a header of that length is accepted everywhere. */
export const maxPositionLength = 6_000

export const organizationEvents = endpoint('listOrganizationEvents', 'GET', '/orgs/:organizationId/events', {
  summary: 'List the events of an organization',
  description:
    'Returns the events after a known position, of all spaces and sites that you may see. With the header `Accept: text/event-stream` the response is a stream of the events from now on.',
  tag: 'Events',
  query: Type.Object({
    after: Type.Optional(
      Type.String({
        maxLength: maxPositionLength,
        description: '`last` of the previous response; without it no past events are returned.',
      }),
    ),
  }),
  reply: OrganizationEvents,
})

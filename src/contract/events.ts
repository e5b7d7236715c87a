/** What can happen in spaces and sites: the names of events, for webhooks and for what is open in a browser. */

/** Every kind of event, with what it means; in the order in which they are documented. */
export const eventTypes = {
  space_content_updated: 'The content of a space has a new revision.',
  space_created: 'A space was made.',
  space_updated: 'Settings of a space were changed.',
  space_deleted: 'A space was moved to the trash.',
  space_restored: 'A space came back from the trash.',
  change_request_created: 'A change request was begun.',
  change_request_updated:
    'A change request has new content, another subject, description, status or reviewers.',
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

/** What is sent to a webhook that is tried out. */
export const pingType = 'webhook_ping'

export const eventTypeNames = Object.keys(eventTypes) as EventType[]

/** Garbage collection: the last put of objects and files, removed revisions of an organization, and an index for each expiry. */
import type { Migration } from './types.js'

export const collection: Migration = {
  name: '0015-collection',
  statements: ({ text, integer, end }) => [
    `alter table objects add column put_at ${integer} not null default 0`,
    `alter table blobs add column put_at ${integer} not null default 0`,
    `create table departures (
      organization_id ${text} primary key references organizations (id) on delete cascade,
      count ${integer} not null
    ${end}`,
    // All revisions of an organization, in an order that skips none while others are added.
    'create index revisions_by_organization on revisions (organization_id, id)',
    'create index sign_in_links_by_expiry on sign_in_links (expires_at)',
    'create index known_devices_by_expiry on known_devices (expires_at)',
    'create index api_tokens_by_expiry on api_tokens (expires_at) where expires_at is not null',
    'create index api_tokens_by_revocation on api_tokens (revoked_at) where revoked_at is not null',
    'create index audit_events_by_age on audit_events (at)',
    'create index jobs_by_type on jobs (type, created_at)',
    'create index jobs_given_up on jobs (created_at) where due_at is null',
  ],
}

/**
 * Inboxes: entries of members about change requests and comments, with which they are deleted. They are listed by person,
 * and counted while unread.
 */
import type { Migration } from './types.js'

export const inbox: Migration = {
  name: '0078-inbox',
  statements: ({ text, integer, end }) => [
    `create table inbox_entries (
      organization_id ${text} not null,
      user_id ${text} not null,
      id ${text} not null,
      kind ${text} not null,
      actor_id ${text} not null,
      space_id ${text} not null,
      change_request_id ${text},
      comment_id ${text},
      review_id ${text},
      team_id ${text},
      at ${integer} not null,
      read_at ${integer},
      mailed_at ${integer},
      primary key (organization_id, user_id, id),
      foreign key (organization_id, user_id) references members (organization_id, user_id) on delete cascade,
      foreign key (organization_id, space_id) references spaces (organization_id, id) on delete cascade,
      foreign key (organization_id, change_request_id)
        references change_requests (organization_id, id) on delete cascade,
      foreign key (organization_id, comment_id) references comments (organization_id, id) on delete cascade
    ${end}`,
    'create index inbox_entries_by_time on inbox_entries (organization_id, user_id, at, id)',
    'create index inbox_entries_unread on inbox_entries (organization_id, user_id) where read_at is null',
    // Found by what they are deleted with.
    'create index inbox_entries_of_spaces on inbox_entries (organization_id, space_id)',
    `create index inbox_entries_of_change_requests
      on inbox_entries (organization_id, change_request_id) where change_request_id is not null`,
    `create index inbox_entries_of_comments
      on inbox_entries (organization_id, comment_id) where comment_id is not null`,
    'create index inbox_entries_by_age on inbox_entries (at)',
  ],
}

/**
 * Comments and their replies, which are comments on comments, and how many are open at a space and a change request.
 *
 * A comment on a block stores the hash of the block's text, and its key there.
 */
import type { Migration } from './types.js'

export const comments: Migration = {
  name: '0024-comments',
  statements: ({ text, integer, end }) => [
    `alter table spaces add column comments ${integer} not null default 0`,
    `alter table change_requests add column comments ${integer} not null default 0`,

    `create table comments (
      organization_id ${text} not null,
      id ${text} not null,
      space_id ${text} not null,
      change_request_id ${text},
      comment_id ${text},
      revision_id ${text} not null,
      page_id ${text},
      text_hash ${text},
      node ${text},
      preview ${text},
      body ${text} not null,
      posted_by ${text} not null,
      posted_at ${integer} not null,
      edited_at ${integer},
      resolved_at ${integer},
      resolved_by ${text},
      replies ${integer} not null default 0,
      primary key (organization_id, id),
      foreign key (organization_id, space_id) references spaces (organization_id, id) on delete cascade,
      foreign key (organization_id, change_request_id)
        references change_requests (organization_id, id) on delete cascade,
      foreign key (organization_id, comment_id) references comments (organization_id, id) on delete cascade
    ${end}`,
    `create index comments_of_spaces on comments (organization_id, space_id, posted_at, id)
      where comment_id is null`,
    `create index comments_of_change_requests on comments (organization_id, change_request_id, posted_at, id)
      where comment_id is null`,
    'create index comments_by_page on comments (organization_id, space_id, page_id) where comment_id is null',
    'create index replies_by_posted on comments (organization_id, comment_id, posted_at, id)',

    `create table comment_reactions (
      organization_id ${text} not null,
      space_id ${text} not null,
      comment_id ${text} not null,
      emoji ${text} not null,
      user_id ${text} not null,
      reacted_at ${integer} not null,
      primary key (organization_id, comment_id, emoji, user_id),
      foreign key (organization_id, comment_id) references comments (organization_id, id) on delete cascade
    ${end}`,
  ],
}

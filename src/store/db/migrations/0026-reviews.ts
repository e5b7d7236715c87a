/**
 * Reviews of change requests, and review requests, which end with the review, with the reviewer, and with the change
 * request. A comment names its review; reviews are deleted only with their change request, and its comments with it.
 */
import type { Migration } from './types.js'

export const reviews: Migration = {
  name: '0026-reviews',
  statements: ({ text, integer, end }) => [
    `create table reviews (
      organization_id ${text} not null,
      id ${text} not null,
      change_request_id ${text} not null,
      number ${integer} not null,
      revision_id ${text} not null,
      status ${text} not null,
      reviewer_id ${text} not null,
      requested_by ${text},
      created_at ${integer} not null,
      primary key (organization_id, id),
      foreign key (organization_id, change_request_id)
        references change_requests (organization_id, id) on delete cascade
    ${end}`,
    'create unique index reviews_by_number on reviews (organization_id, change_request_id, number)',
    'create index reviews_by_reviewer on reviews (organization_id, change_request_id, reviewer_id, number)',

    `create table requested_reviewers (
      organization_id ${text} not null,
      id ${text} not null,
      change_request_id ${text} not null,
      user_id ${text},
      team_id ${text},
      revision_id ${text} not null,
      requested_by ${text} not null,
      created_at ${integer} not null,
      primary key (organization_id, id),
      foreign key (organization_id, change_request_id)
        references change_requests (organization_id, id) on delete cascade,
      foreign key (organization_id, user_id) references members (organization_id, user_id) on delete cascade,
      foreign key (organization_id, team_id) references teams (organization_id, id) on delete cascade
    ${end}`,
    `create unique index requested_reviewers_by_user
      on requested_reviewers (organization_id, change_request_id, user_id) where user_id is not null`,
    `create unique index requested_reviewers_by_team
      on requested_reviewers (organization_id, change_request_id, team_id) where team_id is not null`,
    `create index requested_reviewers_by_created
      on requested_reviewers (organization_id, change_request_id, created_at, id)`,
    // Found by user or team, with which they are deleted.
    'create index requested_reviewers_of_users on requested_reviewers (organization_id, user_id)',
    'create index requested_reviewers_of_teams on requested_reviewers (organization_id, team_id)',

    `alter table comments add column review_id ${text}`,
    'create index comments_of_reviews on comments (organization_id, review_id) where review_id is not null',
  ],
}

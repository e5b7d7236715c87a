/**
 * Teams, collections, and grants on spaces and collections.
 *
 * Grants and link invites name two kinds of target in one column, so no foreign key removes them: code that
 * removes a target, a team or a member removes its grants in the same transaction.
 */
import type { Migration } from './types.js'

export const people: Migration = {
  name: '0003-people',
  statements: ({ text, integer, end }) => [
    `create table email_domains (
      domain ${text} not null,
      organization_id ${text} not null references organizations (id) on delete cascade,
      primary key (domain, organization_id)
    ${end}`,
    'create index email_domains_by_organization on email_domains (organization_id)',

    `create table teams (
      id ${text} primary key,
      organization_id ${text} not null references organizations (id) on delete cascade,
      title ${text} not null,
      created_at ${integer} not null,
      updated_at ${integer} not null
    ${end}`,
    'create index teams_by_created on teams (organization_id, created_at, id)',

    `create table team_members (
      organization_id ${text} not null,
      team_id ${text} not null references teams (id) on delete cascade,
      user_id ${text} not null,
      role ${text} not null,
      joined_at ${integer} not null,
      primary key (team_id, user_id),
      foreign key (organization_id, user_id) references members (organization_id, user_id) on delete cascade
    ${end}`,
    'create index team_members_by_user on team_members (organization_id, user_id)',

    `create table collections (
      id ${text} primary key,
      organization_id ${text} not null references organizations (id) on delete cascade,
      parent_id ${text} references collections (id),
      position ${text} not null,
      title ${text} not null,
      description ${text},
      default_level ${text} default 'inherit',
      created_by ${text} not null,
      created_at ${integer} not null,
      updated_at ${integer} not null
    ${end}`,
    'create index collections_by_position on collections (organization_id, parent_id, position, id)',
    'create index collections_by_parent on collections (parent_id)',

    `create table grants (
      organization_id ${text} not null references organizations (id) on delete cascade,
      target_kind ${text} not null,
      target_id ${text} not null,
      grantee_kind ${text} not null,
      grantee_id ${text} not null,
      role ${text} not null,
      created_at ${integer} not null,
      primary key (target_id, grantee_id)
    ${end}`,
    // All grants of a user in an organization, from a covering index.
    'create index grants_by_grantee on grants (organization_id, grantee_id, target_id, role)',

    `create table link_invites (
      id ${text} primary key,
      organization_id ${text} not null references organizations (id) on delete cascade,
      target_kind ${text} not null,
      target_id ${text} not null,
      role ${text},
      created_by ${text} not null,
      created_at ${integer} not null
    ${end}`,
    'create index link_invites_by_created on link_invites (organization_id, target_kind, created_at, id)',
    'create index link_invites_by_target on link_invites (target_id)',
  ],
}

/**
 * The first tables: people, organizations, spaces with their content, sites, the outbox.
 *
 * Foreign keys exist where a row makes no sense without the other. They are omitted on purpose where the
 * other may be gone (who created something), where both name each other (a space and its head), and for
 * objects and blobs, of which thousands are written together. Columns: tables.ts.
 */
import type { Migration } from './types.js'

export const foundation: Migration = {
  name: '0001-foundation',
  statements: ({ text, integer, bytes, end }) => [
    `create table users (
      id ${text} primary key,
      display_name ${text} not null,
      email ${text} unique,
      photo_url ${text},
      password_hash ${text},
      created_at ${integer} not null,
      updated_at ${integer} not null
    ${end}`,

    `create table organizations (
      id ${text} primary key,
      title ${text} not null,
      hostname ${text} not null unique,
      type ${text} not null,
      use_case ${text},
      community_type ${text},
      email_domains ${text} not null,
      default_role ${text},
      default_content ${text},
      sso ${integer} not null,
      ai ${integer} not null,
      invite_links ${integer} not null,
      logo_url ${text},
      blocked_reason ${text},
      created_at ${integer} not null,
      updated_at ${integer} not null
    ${end}`,

    `create table members (
      organization_id ${text} not null references organizations (id) on delete cascade,
      user_id ${text} not null references users (id) on delete cascade,
      role ${text},
      disabled ${integer} not null,
      sso ${integer} not null,
      joined_at ${integer} not null,
      last_seen_at ${integer},
      primary key (organization_id, user_id)
    ${end}`,
    'create index members_by_user on members (user_id)',
    'create index members_by_joined on members (organization_id, joined_at, user_id)',

    `create table api_tokens (
      id ${text} primary key,
      user_id ${text} not null references users (id) on delete cascade,
      label ${text} not null,
      token_hash ${text} not null unique,
      created_at ${integer} not null,
      expires_at ${integer},
      last_used_at ${integer},
      revoked_at ${integer}
    ${end}`,
    'create index api_tokens_by_user on api_tokens (user_id)',

    `create table sessions (
      id ${text} primary key,
      user_id ${text} not null references users (id) on delete cascade,
      token_hash ${text} not null unique,
      created_at ${integer} not null,
      expires_at ${integer} not null,
      last_seen_at ${integer} not null,
      user_agent ${text},
      ip ${text}
    ${end}`,
    'create index sessions_by_user on sessions (user_id)',
    'create index sessions_by_expiry on sessions (expires_at)',

    `create table sign_in_links (
      token_hash ${text} primary key,
      user_id ${text} not null references users (id) on delete cascade,
      expires_at ${integer} not null,
      used_at ${integer}
    ${end}`,
    'create index sign_in_links_by_user on sign_in_links (user_id)',

    `create table spaces (
      id ${text} primary key,
      organization_id ${text} not null references organizations (id) on delete cascade,
      collection_id ${text},
      position ${text} not null,
      title ${text} not null,
      emoji ${text},
      visibility ${text} not null,
      edit_mode ${text} not null,
      default_level ${text} default 'inherit',
      revision_id ${text} not null,
      next_change_request_number ${integer} not null default 1,
      language ${text},
      created_by ${text} not null,
      created_at ${integer} not null,
      updated_at ${integer} not null,
      deleted_at ${integer}
    ${end}`,
    'create index spaces_by_created on spaces (organization_id, created_at, id)',
    'create index spaces_by_position on spaces (organization_id, collection_id, position, id)',

    `create table change_requests (
      id ${text} primary key,
      organization_id ${text} not null,
      space_id ${text} not null references spaces (id) on delete cascade,
      number ${integer} not null,
      status ${text} not null,
      subject ${text} not null,
      created_by ${text} not null,
      created_at ${integer} not null,
      updated_at ${integer} not null,
      revision_id ${text} not null,
      revision_initial_id ${text} not null,
      revision_merged_ancestor_id ${text} not null,
      revision_merged_id ${text},
      agent_task_id ${text},
      merged_by ${text},
      merged_at ${integer},
      conflicts ${text},
      unique (space_id, number)
    ${end}`,
    'create index change_requests_by_status on change_requests (space_id, status, number)',
    'create index change_requests_by_creator on change_requests (organization_id, created_by)',

    `create table contributions (
      organization_id ${text} not null,
      change_request_id ${text} not null references change_requests (id) on delete cascade,
      user_id ${text} not null,
      updated_at ${integer} not null,
      count ${integer} not null,
      primary key (change_request_id, user_id)
    ${end}`,

    `create table revisions (
      id ${text} primary key,
      organization_id ${text} not null,
      space_id ${text} not null references spaces (id) on delete cascade,
      change_request_id ${text},
      type ${text} not null,
      snapshot ${text} not null,
      parents ${text} not null,
      created_by ${text} not null,
      created_at ${integer} not null,
      merged_from ${text},
      message ${text},
      git ${text}
    ${end}`,
    'create index revisions_by_space on revisions (space_id, change_request_id, created_at, id)',

    `create table objects (
      organization_id ${text} not null,
      hash ${text} not null,
      bytes ${bytes} not null,
      primary key (organization_id, hash)
    ${end}`,

    `create table blobs (
      organization_id ${text} not null,
      hash ${text} not null,
      size ${integer} not null,
      created_at ${integer} not null,
      primary key (organization_id, hash)
    ${end}`,
    // Checked before bytes are deleted: whether another organization references them.
    'create index blobs_by_hash on blobs (hash)',

    `create table sites (
      id ${text} primary key,
      organization_id ${text} not null references organizations (id) on delete cascade,
      type ${text} not null,
      title ${text} not null,
      basename ${text} not null,
      hostname ${text} unique,
      visibility ${text} not null,
      published ${integer} not null,
      published_at ${integer},
      adaptive_content ${integer} not null,
      proxy ${text},
      icon ${text},
      customization ${text} not null,
      created_at ${integer} not null,
      updated_at ${integer} not null,
      unique (organization_id, basename)
    ${end}`,
    'create index sites_by_created on sites (organization_id, created_at, id)',

    `create table site_spaces (
      id ${text} primary key,
      organization_id ${text} not null,
      site_id ${text} not null references sites (id) on delete cascade,
      section_id ${text},
      space_id ${text} not null references spaces (id) on delete cascade,
      path ${text} not null,
      position ${text} not null,
      is_default ${integer} not null,
      condition ${text},
      unique (site_id, space_id)
    ${end}`,
    'create index site_spaces_by_position on site_spaces (site_id, section_id, position, id)',
    'create index site_spaces_by_space on site_spaces (space_id)',

    `create table jobs (
      id ${text} primary key,
      organization_id ${text},
      type ${text} not null,
      key ${text},
      payload ${text} not null,
      due_at ${integer},
      attempts ${integer} not null default 0,
      claim ${text},
      error ${text},
      created_at ${integer} not null
    ${end}`,
    'create index jobs_by_due on jobs (due_at) where due_at is not null',
    // Only unclaimed jobs are merged: a retry must not collide with a job that was enqueued meanwhile.
    'create unique index jobs_not_begun on jobs (type, key) where key is not null and attempts = 0',
  ],
}

/**
 * State of the search index: its head on the space's branch, its folding version, the lease for changing it, and the texts
 * that are not indexed.
 *
 * The index is derived from the content, so its state starts empty: each space is compared completely once.
 */
import type { Migration } from './types.js'

export const indexState: Migration = {
  name: '0014-index-state',
  statements: ({ text, integer, end }) => [
    `alter table spaces add column head_number ${integer} not null default 0`,

    'drop table search_spaces',
    `create table search_spaces (
      organization_id ${text} not null,
      space_id ${text} primary key,
      revision_id ${text},
      head_number ${integer} not null,
      version ${integer} not null,
      builder ${text},
      builder_until ${integer}
    ${end}`,

    `alter table search_pages add column version ${integer} not null default 0`,
    `alter table search_pages add column failure ${text}`,
    'create index search_pages_failed on search_pages (space_id) where failure is not null',

    // Of one key only one job runs at a time: each claim checks for a running one.
    'create index jobs_in_work on jobs (type, key) where claim is not null',
  ],
}

/**
 * Revisions of a change request that later saves of the same person amended: they have the number of the later one, and
 * are removed after a while. The change request says whose next save amends its head.
 */
import type { Migration } from './types.js'

export const amendedRevisions: Migration = {
  name: '0074-amended-revisions',
  statements: ({ text, integer }) => [
    `alter table revisions add column saves ${integer} not null default 1`,
    'drop index revisions_by_line',
    `create unique index revisions_by_line
      on revisions (organization_id, space_id, coalesce(change_request_id, ''), number, saves)`,
    `alter table change_requests add column amendable_by ${text}`,
    `alter table change_requests add column amendable_since ${integer}`,
    `alter table change_requests add column amendable_credential ${text}`,
  ],
}

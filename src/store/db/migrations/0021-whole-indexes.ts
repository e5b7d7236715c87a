/**
 * Covering indexes. Of two indexes that begin with the organization, SQLite takes the one
 * that covers every selected column, also when it is less selective: then it scans the whole organization.
 */
import type { Migration } from './types.js'

export const wholeIndexes: Migration = {
  name: '0021-whole-indexes',
  statements: () => [
    'drop index team_members_by_user',
    'create index team_members_by_user on team_members (organization_id, user_id, team_id)',
    'drop index site_spaces_by_space',
    'create index site_spaces_by_space on site_spaces (organization_id, space_id, site_id)',
  ],
}

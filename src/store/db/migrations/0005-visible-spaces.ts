/**
 * Columns that the filter of visible spaces reads of each space of an organization, in the order of lists: both the count
 * and the page are answered from the index, and a page ends where it is full.
 */
import type { Migration } from './types.js'

export const visibleSpaces: Migration = {
  name: '0005-visible-spaces',
  statements: () => [
    `create index spaces_by_access on spaces
      (organization_id, position, id, deleted_at, default_level, collection_id, created_by)`,
  ],
}

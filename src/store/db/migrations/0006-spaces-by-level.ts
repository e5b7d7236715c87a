/** Finds the spaces that are open by their default level, or through the collection around them, without the others. */
import type { Migration } from './types.js'

export const spacesByLevel: Migration = {
  name: '0006-spaces-by-level',
  statements: () => [
    `create index spaces_by_level on spaces
      (organization_id, default_level, collection_id, created_by, deleted_at, id)`,
  ],
}

/** Index of the comment authors of a change request. */
import type { Migration } from './types.js'

export const authors: Migration = {
  name: '0030-authors',
  statements: () => [
    `create index comments_by_author on comments
      (organization_id, change_request_id, posted_by, posted_at)`,
  ],
}

/** Compressed objects, and texts as the difference from an earlier one; what is stored already stays as it is. */
import type { Migration } from './types.js'

export const storedForms: Migration = {
  name: '0073-stored-forms',
  statements: ({ text, integer }) => [
    `alter table objects add column encoding ${integer} not null default 0`,
    `alter table objects add column base ${text}`,
    // Garbage collection reads all deltas, and no row: those hold the bytes.
    'create index objects_by_base on objects (organization_id, hash, base, put_at) where base is not null',
  ],
}

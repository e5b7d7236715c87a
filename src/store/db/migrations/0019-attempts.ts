/**
 * Attempts, counted by all processes on one PostgreSQL; on SQLite the table stays empty. The columns and their order
 * are those of the library that counts. A crash may lose them: the table is unlogged.
 */
import type { Migration } from './types.js'

export const attempts: Migration = {
  name: '0019-attempts',
  statements: ({ engine, text, integer, end }) => [
    `create ${engine === 'postgres' ? 'unlogged ' : ''}table attempts (
      key ${text} primary key,
      points ${integer} not null,
      expire ${integer}
    ${end}`,
    'create index attempts_by_end on attempts (expire)',
  ],
}

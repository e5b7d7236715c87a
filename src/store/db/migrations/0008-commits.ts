/**
 * The commit log: the organizations of each commit, so that cached rows of others stay valid.
 *
 * Rows are only added, and those that every process has read are removed. PostgreSQL commits in another order than
 * it numbers rows; there a row knows its transaction, and a snapshot tells which of them can be seen.
 */
import type { Migration } from './types.js'

export const commits: Migration = {
  name: '0008-commits',
  statements: ({ engine, text, serial, end }) => [
    `create table commits (
      id ${serial},
      concerns ${text} not null
    ${end}`,

    ...(engine === 'postgres'
      ? [
          'alter table commits add column xid xid8 not null default pg_current_xact_id()',
          'alter table commits add column at timestamptz not null default clock_timestamp()',
          'create index commits_by_xid on commits (xid)',
        ]
      : []),

    "insert into commits (concerns) values ('everybody')",
  ],
}

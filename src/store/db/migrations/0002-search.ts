/**
 * The search index: the same pages and sections on both engines, and each engine's own way to find words.
 *
 * SQLite stores the words in a contentless FTS5 table, joined by row id; PostgreSQL stores them in a
 * column that is built from our own tokens, never by its own parser. Weights: A title, B heading, D body.
 */
import type { Migration } from './types.js'

export const search: Migration = {
  name: '0002-search',
  statements: ({ engine, text, integer, serial, end }) => [
    `create table search_spaces (
      organization_id ${text} not null,
      space_id ${text} primary key,
      revision_id ${text} not null
    ${end}`,

    `create table search_pages (
      organization_id ${text} not null,
      space_id ${text} not null,
      page_id ${text} not null,
      title ${text} not null,
      path ${text} not null,
      primary key (space_id, page_id)
    ${end}`,

    `create table search_sections (
      id ${serial},
      organization_id ${text} not null,
      space_id ${text} not null,
      page_id ${text} not null,
      ordinal ${integer} not null,
      anchor ${text},
      heading ${text} not null,
      body ${text} not null,
      unique (space_id, page_id, ordinal)
    ${end}`,

    ...(engine === 'sqlite'
      ? [
          // `scope` contains the space as one word, so that the index itself filters by visible spaces.
          // Categories: marks are part of their word, or Hindi and Thai words would be split.
          `create virtual table search_words using fts5 (
            scope, title, heading, body,
            content = '', contentless_delete = 1, prefix = '2 3',
            tokenize = "unicode61 remove_diacritics 2 categories 'L* M* N* Co'"
          )`,
        ]
      : [
          'alter table search_sections add column words tsvector not null',
          'create index search_sections_by_words on search_sections using gin (words)',
        ]),
  ],
}

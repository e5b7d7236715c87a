/**
 * The search index: the same pages and sections on both engines, and each engine's own way to find words.
 *
 * SQLite keeps the words in an FTS5 table without content, joined by row number; PostgreSQL keeps them in a
 * column that is made from finished lexemes, never by its own parser. Weights: A title, B heading, D body.
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
          // `scope` holds the space as one word, so that the index itself keeps to the spaces one may see.
          // Categories: marks belong to the word they stand in, or Hindi and Thai would fall apart.
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

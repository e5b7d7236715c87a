/**
 * The words of each space with their document frequency, so that a search knows which words are rare, which
 * are inflections of each other and which one was meant by a mistyped one. Pages store theirs, to be subtracted again.
 */
import type { Migration } from './types.js'

export const vocabulary: Migration = {
  name: '0022-vocabulary',
  statements: ({ text, integer, end }) => [
    `alter table search_pages add column words ${text} not null default ''`,
    `create table search_vocabulary (
      organization_id ${text} not null,
      space_id ${text} not null,
      word ${text} not null,
      backwards ${text},
      pages ${integer} not null,
      primary key (organization_id, space_id, word)
    ${end}`,
    `create index search_vocabulary_backwards on search_vocabulary (organization_id, space_id, backwards, word)
      where backwards is not null`,
  ],
}

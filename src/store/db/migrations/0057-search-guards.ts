/**
 * What stands under conditions is in the index of words, too, each part by the conditions that guard it; and the pages
 * of the index say which stand before the whole of them.
 */
import type { Migration } from './types.js'

export const searchGuards: Migration = {
  name: '0057-search-guards',
  statements: ({ text, end }) => [
    `alter table search_pages add column guard ${text} not null default ''`,
    `create table search_guards (
      organization_id ${text} not null,
      space_id ${text} not null,
      id ${text} not null,
      conditions ${text} not null,
      primary key (organization_id, space_id, id),
      foreign key (organization_id, space_id) references spaces (organization_id, id) on delete cascade
    ${end}`,
  ],
}

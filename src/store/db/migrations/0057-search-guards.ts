/**
 * Conditional content is indexed as well, each part under its conditions (guards); indexed pages have the conditions of
 * the whole page.
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

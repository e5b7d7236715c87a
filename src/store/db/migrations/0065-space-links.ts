/** Links from texts of a space's head to pages of other spaces: a derived index for backlinks. */
import type { Migration } from './types.js'

export const spaceLinks: Migration = {
  name: '0065-space-links',
  statements: ({ text, integer, end }) => [
    `create table space_links (
      organization_id ${text} not null,
      space_id ${text} not null,
      place ${text} not null,
      number ${integer} not null,
      target_id ${text} not null,
      path ${text} not null,
      primary key (organization_id, space_id, place, number),
      foreign key (organization_id, space_id) references spaces (organization_id, id) on delete cascade
    ${end}`,
    'create index space_links_by_target on space_links (organization_id, target_id, path)',

    `create table space_link_states (
      organization_id ${text} not null,
      space_id ${text} not null,
      revision_id ${text} not null,
      application ${text} not null,
      primary key (organization_id, space_id),
      foreign key (organization_id, space_id) references spaces (organization_id, id) on delete cascade
    ${end}`,
  ],
}

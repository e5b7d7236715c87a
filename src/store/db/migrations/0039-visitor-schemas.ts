/** Visitor attribute schemas of sites. */
import type { Migration } from './types.js'

export const visitorSchemas: Migration = {
  name: '0039-visitor-schemas',
  statements: ({ text, integer, end }) => [
    `create table site_visitor_schemas (
      organization_id ${text} not null,
      site_id ${text} not null,
      json_schema ${text} not null,
      updated_at ${integer} not null,
      primary key (organization_id, site_id),
      foreign key (organization_id, site_id) references sites (organization_id, id) on delete cascade
    ${end}`,
  ],
}

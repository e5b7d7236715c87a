/** Former paths of sections and spaces of sites, which redirect to the current ones. */
import type { Migration } from './types.js'

export const formerPaths: Migration = {
  name: '0033-former-paths',
  statements: ({ text, end }) => [
    `create table site_former_paths (
      organization_id ${text} not null,
      site_id ${text} not null,
      scope ${text} not null,
      path ${text} not null,
      target_id ${text} not null,
      primary key (organization_id, site_id, scope, path),
      foreign key (organization_id, site_id) references sites (organization_id, id) on delete cascade
    ${end}`,
  ],
}

/** Share links of sites, and signing keys and sign-in URLs of visitors. */
import type { Migration } from './types.js'

export const siteAudience: Migration = {
  name: '0034-site-audience',
  statements: ({ text, integer, end }) => [
    `alter table sites add column key_generation ${integer} not null default 0`,
    `alter table sites add column login_url ${text}`,
    `alter table sites add column logout_url ${text}`,
    `create table site_share_links (
      organization_id ${text} not null,
      id ${text} not null,
      site_id ${text} not null,
      name ${text},
      active ${integer} not null,
      created_at ${integer} not null,
      primary key (organization_id, id),
      foreign key (organization_id, site_id) references sites (organization_id, id) on delete cascade
    ${end}`,
    'create index site_share_links_by_created on site_share_links (organization_id, site_id, created_at, id)',
  ],
}

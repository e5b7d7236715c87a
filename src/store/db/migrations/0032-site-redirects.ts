/** Redirects of sites: former addresses and their destinations. */
import type { Migration } from './types.js'

export const siteRedirects: Migration = {
  name: '0032-site-redirects',
  statements: ({ text, integer, end }) => [
    `create table site_redirects (
      organization_id ${text} not null,
      id ${text} not null,
      site_id ${text} not null,
      source ${text} not null,
      source_key ${text} not null,
      destination ${text} not null,
      permanent ${integer} not null,
      created_at ${integer} not null,
      updated_at ${integer},
      primary key (organization_id, id),
      foreign key (organization_id, site_id) references sites (organization_id, id) on delete cascade
    ${end}`,
    'create unique index site_redirects_by_source on site_redirects (organization_id, site_id, source_key)',
    'create index site_redirects_by_created on site_redirects (organization_id, site_id, created_at, id)',
  ],
}

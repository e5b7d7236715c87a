/** Page feedback of site readers, and page views. */
import type { Migration } from './types.js'

export const siteInsights: Migration = {
  name: '0037-site-insights',
  statements: ({ text, integer, end }) => [
    `create table page_feedback (
      organization_id ${text} not null,
      id ${text} not null,
      site_id ${text} not null,
      space_id ${text} not null,
      page_id ${text} not null,
      rating ${text} not null,
      comment ${text},
      created_at ${integer} not null,
      primary key (organization_id, id),
      foreign key (organization_id, site_id) references sites (organization_id, id) on delete cascade
    ${end}`,
    'create index page_feedback_by_created on page_feedback (organization_id, site_id, created_at, id)',
    'create index page_feedback_by_page on page_feedback (organization_id, site_id, space_id, page_id, rating)',
    `create table page_views (
      organization_id ${text} not null,
      site_id ${text} not null,
      space_id ${text} not null,
      page_id ${text} not null,
      day ${integer} not null,
      views ${integer} not null,
      primary key (organization_id, site_id, day, space_id, page_id),
      foreign key (organization_id, site_id) references sites (organization_id, id) on delete cascade
    ${end}`,
  ],
}

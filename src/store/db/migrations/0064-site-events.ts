/** Analytics events of sites, counted by the hour and later by the day; and the analytics settings of a site. */
import type { Migration } from './types.js'

export const siteEvents: Migration = {
  name: '0064-site-events',
  statements: ({ text, integer, end }) => [
    `create table site_events (
      organization_id ${text} not null,
      site_id ${text} not null,
      hours ${integer} not null,
      hour ${integer} not null,
      key ${text} not null,
      type ${text} not null,
      context ${text},
      site_space_id ${text},
      section_id ${text},
      space_id ${text},
      page_id ${text},
      device ${text},
      browser ${text},
      system ${text},
      bot ${text},
      language ${text},
      country ${text},
      referrer ${text},
      authenticated ${integer},
      claims ${text},
      detail ${text},
      events ${integer} not null,
      visitors ${integer} not null,
      sessions ${integer} not null,
      primary key (organization_id, site_id, hours, hour, key),
      foreign key (organization_id, site_id) references sites (organization_id, id) on delete cascade
    ${end}`,
    `alter table sites add column insights ${text}`,
  ],
}

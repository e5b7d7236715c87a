/**
 * Sections of sites, and the groups that they are gathered in. A section has spaces of its own, one of them its default.
 *
 * No site had sections before, so none of the spaces that sites show is in one.
 */
import type { Migration } from './types.js'

export const siteSections: Migration = {
  name: '0028-site-sections',
  statements: ({ engine, text, integer, end }) => [
    `create table site_section_groups (
      organization_id ${text} not null,
      id ${text} not null,
      site_id ${text} not null,
      parent_id ${text},
      title ${text} not null,
      icon ${text},
      position ${text} not null,
      primary key (organization_id, id),
      foreign key (organization_id, site_id) references sites (organization_id, id) on delete cascade,
      foreign key (organization_id, parent_id) references site_section_groups (organization_id, id) on delete cascade
    ${end}`,
    `create index site_section_groups_by_position
      on site_section_groups (organization_id, site_id, parent_id, position, id)`,
    'create index site_section_groups_by_place on site_section_groups (organization_id, site_id, position, id)',
    'create index site_section_groups_by_parent on site_section_groups (organization_id, parent_id)',

    `create table site_sections (
      organization_id ${text} not null,
      id ${text} not null,
      site_id ${text} not null,
      group_id ${text},
      title ${text} not null,
      description ${text},
      path ${text} not null,
      icon ${text},
      position ${text} not null,
      is_default ${integer} not null,
      condition ${text},
      draft ${integer} not null default 0,
      primary key (organization_id, id),
      foreign key (organization_id, site_id) references sites (organization_id, id) on delete cascade,
      foreign key (organization_id, group_id) references site_section_groups (organization_id, id) on delete cascade
    ${end}`,
    'create index site_sections_by_position on site_sections (organization_id, site_id, group_id, position, id)',
    'create index site_sections_by_place on site_sections (organization_id, site_id, position, id)',
    'create index site_sections_by_group on site_sections (organization_id, group_id)',
    'create unique index site_sections_by_path on site_sections (organization_id, site_id, path)',
    `create unique index site_sections_by_default on site_sections (organization_id, site_id)
      where is_default = 1`,

    ...(engine === 'sqlite' ? siteSpacesAnew : siteSpacesChanged),
    `create unique index site_spaces_by_default on site_spaces (organization_id, site_id, coalesce(section_id, ''))
      where is_default = 1`,
    'create index site_spaces_by_section on site_spaces (organization_id, section_id)',
  ],
}

/** PostgreSQL adds the foreign key to the existing table. */
const siteSpacesChanged = [
  'drop index site_spaces_by_default',
  'update site_spaces set section_id = null where section_id is not null',
  'alter table site_spaces add column title text collate "C"',
  'alter table site_spaces add column draft bigint not null default 0',
  'alter table site_spaces add column hidden bigint not null default 0',
  `alter table site_spaces add foreign key (organization_id, section_id)
    references site_sections (organization_id, id) on delete cascade`,
]

/** SQLite rebuilds the table; nothing refers to it. */
const siteSpacesAnew = [
  `create table new_site_spaces (
    id text not null,
    organization_id text not null,
    site_id text not null,
    section_id text,
    space_id text not null,
    path text not null,
    position text not null,
    is_default integer not null,
    condition text,
    title text,
    draft integer not null default 0,
    hidden integer not null default 0,
    primary key (organization_id, id),
    unique (organization_id, site_id, space_id),
    foreign key (organization_id, site_id) references sites (organization_id, id) on delete cascade,
    foreign key (organization_id, section_id) references site_sections (organization_id, id) on delete cascade,
    foreign key (organization_id, space_id) references spaces (organization_id, id) on delete cascade
  ) strict`,
  `insert into new_site_spaces
    (id, organization_id, site_id, space_id, path, position, is_default, condition)
    select id, organization_id, site_id, space_id, path, position, is_default, condition from site_spaces`,
  'drop table site_spaces',
  'alter table new_site_spaces rename to site_spaces',
  'create index site_spaces_by_position on site_spaces (organization_id, site_id, section_id, position, id)',
  'create index site_spaces_by_place on site_spaces (organization_id, site_id, position, id)',
  'create index site_spaces_by_space on site_spaces (organization_id, space_id, site_id)',
  `create unique index site_spaces_by_path
    on site_spaces (organization_id, site_id, coalesce(section_id, ''), path)`,
]

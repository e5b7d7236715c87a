/**
 * Every key of the tables of organizations begins with the organization, and what refers from one of them to another
 * stays in it, so that their rows can be spread by organization: over partitions, or over servers.
 *
 * SQLite cannot change keys, so the tables are rebuilt; PostgreSQL changes what is different. Rows that
 * named a wrong organization are corrected first.
 */
import { type KeyedTable, keyedTables } from './keyed-tables.js'
import type { Migration } from './types.js'

/** Sets the organization of rows to that of their parents. */
const follow = (table: string, parent: string, column: string) =>
  `update ${table} set organization_id =
    (select parent.organization_id from ${parent} as parent where parent.id = ${table}.${column})
    where organization_id <>
      (select parent.organization_id from ${parent} as parent where parent.id = ${table}.${column})`

const putRight = [
  follow('change_requests', 'spaces', 'space_id'),
  follow('revisions', 'spaces', 'space_id'),
  follow('contributions', 'change_requests', 'change_request_id'),
  follow('saml_requests', 'saml_providers', 'provider_id'),
  follow('saml_assertions', 'saml_providers', 'provider_id'),
  `update collections set parent_id = null where parent_id is not null and not exists
    (select 1 from collections as around
      where around.id = collections.parent_id and around.organization_id = collections.organization_id)`,
  `delete from team_members where not exists
    (select 1 from teams where teams.id = team_members.team_id and
      teams.organization_id = team_members.organization_id)`,
  `delete from site_spaces where not exists
    (select 1 from sites join spaces on spaces.organization_id = sites.organization_id
      where sites.id = site_spaces.site_id and spaces.id = site_spaces.space_id and
        sites.organization_id = site_spaces.organization_id)`,
]

const indexesOf = ({ name, indexes = {} }: KeyedTable, ifMissing = '') =>
  Object.entries(indexes).map(([index, definition]) => {
    const [, unique = '', columns] = /^(unique )?(.*)$/s.exec(definition)!
    return `create ${unique}index ${ifMissing}${index} on ${name} ${columns}`
  })

/** Creates the table under another name, fills it, and replaces the old one. */
function rebuild(table: KeyedTable): string[] {
  const { name, columns, keys, references = [] } = table
  const lines = columns.split('\n').map((line) => line.trim())
  const names = lines.map((line) => line.split(' ')[0]!).join(', ')
  return [
    `create table new_${name} (${[...lines, ...keys, ...references].join(', ')}) strict`,
    `insert into new_${name} (${names}) select ${names} from ${name}`,
    `drop table ${name}`,
    `alter table new_${name} rename to ${name}`,
    ...indexesOf(table),
  ]
}

const onSqlite = [
  ...keyedTables.flatMap(rebuild),
  // The number stays the row id, which the word index refers to.
  `create table new_search_sections (
    id integer primary key,
    organization_id text not null,
    space_id text not null,
    page_id text not null,
    ordinal integer not null,
    anchor text,
    heading text not null,
    body text not null,
    unique (organization_id, space_id, page_id, ordinal)
  ) strict`,
  `insert into new_search_sections (id, organization_id, space_id, page_id, ordinal, anchor, heading, body)
    select id, organization_id, space_id, page_id, ordinal, anchor, heading, body from search_sections`,
  'drop table search_sections',
  'alter table new_search_sections rename to search_sections',
]

const alter = (name: string, changes: readonly string[]) =>
  changes.length === 0 ? [] : [`alter table ${name} ${changes.join(', ')}`]
const drop = (constraint: string) => `drop constraint ${constraint}`
const add = (constraint: string) => `add ${constraint}`

/** References to a key are dropped before it and created after it. */
const onPostgres = [
  ...keyedTables.flatMap(({ name, formerReferences = [] }) => alter(name, formerReferences.map(drop))),
  ...keyedTables.flatMap(({ name, keys, formerKeys }) =>
    alter(name, [...formerKeys.map(drop), ...keys.map(add)]),
  ),
  ...keyedTables.flatMap(({ name, references = [] }) => alter(name, references.map(add))),
  ...keyedTables.flatMap((table) => [
    ...(table.formerIndexes ?? []).map((index) => `drop index ${index}`),
    ...indexesOf(table, 'if not exists '),
  ]),
  `alter table search_sections
    drop constraint search_sections_pkey,
    drop constraint search_sections_space_id_page_id_ordinal_key,
    add primary key (organization_id, id),
    add unique (organization_id, space_id, page_id, ordinal)`,
]

export const keys: Migration = {
  name: '0018-keys',
  remakesTables: true,
  statements: ({ engine }) => [...putRight, ...(engine === 'sqlite' ? onSqlite : onPostgres)],
}

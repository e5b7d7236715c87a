import { describe, expect, it } from 'vitest'
import { findUnnamed } from './named-organization.js'

describe('a statement that names the organization of each tenant table', () => {
  it.each([
    'select * from spaces where organization_id = ? and id = ?',
    'select "id" from "spaces" where "organization_id" in (?, ?)',
    `select hash from objects where organization_id = 'o' and hash = any($1)`,
    'select * from spaces where organization_id is not distinct from $1 and id = ?',
    'select * from organizations where hostname = $1::text',
    'select * from users where id = ?',
    'select 1',
    'select * from spaces where (organization_id = ? and id = ?) and (title = ? or emoji = ?)',
    'select * from spaces as s join site_spaces as l on l.space_id = s.id and l.organization_id = s.organization_id where s.organization_id = ?',
    'select * from "spaces" inner join "organizations" on "organizations"."id" = "spaces"."organization_id" where "organizations"."id" = ?',
    'select * from spaces, sites where spaces.organization_id = ? and sites.organization_id = spaces.organization_id',
    'select * from spaces left join members on members.organization_id = spaces.organization_id where spaces.organization_id = ?',
    'select * from audit_events left join members on members.organization_id = ? and members.user_id = actor_id where audit_events.organization_id = ?',
    'select * from spaces where organization_id = ? and exists (select 1 from grants where grants.organization_id = spaces.organization_id)',
    'select * from (select * from spaces where organization_id = ?) as seen',
    'with recursive way (id, organization_id) as (select id, organization_id from collections where organization_id = ? union all select above.id, above.organization_id from collections as above join way on way.organization_id = above.organization_id) select * from way',
    'select id from spaces where organization_id = ? union all select id from collections where organization_id = ?',
    'select count(*) as count from ((select id from spaces where organization_id = ?) union (select id from sites where organization_id = ?)) as both',
    'insert into spaces (id, organization_id) values (?, ?) on conflict (id) do update set title = ?',
    'insert into blobs (organization_id, hash) select ?, hash from blobs where organization_id = ? and hash in (?)',
    'insert into jobs (id, type) values (?, ?) returning id',
    'update spaces set organization_id = ? where organization_id = ? and id = ?',
    'delete from spaces where organization_id = ? and id in (select space_id from site_spaces where organization_id = ?)',
    'select distinct on (id) id from spaces where organization_id = ? and title is distinct from emoji for update skip locked',
    'create index spaces_by_title on spaces (title)',
  ])('passes: %s', (sql) => expect(findUnnamed(sql)).toEqual([]))

  it.each<[string, ...string[]]>([
    ['select * from spaces where id = ?', 'spaces'],
    ['select "s"."id" from "spaces" as "s"', 's'],
    ['select * from spaces where organization_id <> ?', 'spaces'],
    ['select * from spaces where organization_id is distinct from ?', 'spaces'],
    ['select * from spaces where organization_id is not null', 'spaces'],
    ['select * from spaces where organization_id = ? or id = ?', 'spaces'],
    ['select * from spaces where not (organization_id = ?)', 'spaces'],
    ['select * from spaces where case when id = ? and organization_id = ? then 1 end = 1', 'spaces'],
    ['select * from spaces where (organization_id = ?) is null', 'spaces'],
    ['select * from spaces where organization_id = title', 'spaces'],
    [
      'select * from spaces where organization_id in (select organization_id from members)',
      'spaces',
      'members',
    ],
    ['select * from spaces join sites on sites.organization_id = spaces.organization_id', 'spaces', 'sites'],
    [
      'select * from spaces join site_spaces on space_id = spaces.id where spaces.organization_id = ?',
      'site_spaces',
    ],
    [
      'select * from spaces left join members on spaces.organization_id = ? and members.organization_id = ?',
      'spaces',
    ],
    [
      'select * from sessions join members on members.organization_id = sessions.organization_id where sessions.id = ?',
      'members',
    ],
    [
      'select * from spaces where organization_id = ? and exists (select 1 from grants where target_id = spaces.id)',
      'grants',
    ],
    ['select (select count(*) from members) as count', 'members'],
    ['with seen as (select * from spaces) select * from seen where organization_id = ?', 'spaces'],
    ['select * from (select * from spaces) as seen where seen.organization_id = ?', 'spaces'],
    ['select id from spaces where organization_id = ? union all select id from collections', 'collections'],
    ['insert into spaces (id) values (?)', 'spaces'],
    ['insert into blobs (organization_id, hash) select ?, hash from blobs', 'blobs'],
    ['update spaces set organization_id = ? where id = ?', 'spaces'],
    ['update users set photo_url = (select title from spaces) where id = ?', 'spaces'],
    ['delete from spaces where id = ?', 'spaces'],
    ['explain query plan select * from spaces', 'spaces'],
  ])('refuses: %s', (sql, ...unnamed) => expect(findUnnamed(sql)).toEqual(unnamed))
})

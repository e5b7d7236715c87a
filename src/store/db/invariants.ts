/**
 * Invariants of the rows, which hold at all times under concurrent writers: checked for the whole database.
 *
 * Each invariant is a query for its violations, portable to both engines. The same list is checked by
 * `octavo doctor` and after every race of the tests. What foreign keys and indexes guarantee is not repeated.
 */
import { type RawBuilder, sql } from 'kysely'
import { acrossOrganizations } from './cross-tenant.js'
import type { Db, Tx } from './database.js'
import { directoryFromTables, rebuildDirectory } from './directory.js'

export interface Violation {
  /** A sentence without a full stop. */
  readonly problem: string
  readonly ids: readonly string[]
  /** Rebuilds the rows, where they are derived from others. */
  readonly repair: ((tx: Tx) => Promise<void>) | undefined
}

interface Invariant {
  readonly problem: string
  readonly query: RawBuilder<{ id: string }>
  readonly repair?: (tx: Tx) => Promise<void>
}

/** A table whose rows belong to a space and its organization, without a foreign key. */
const inOrganizationOfSpace = (table: string, id: string): Invariant => ({
  problem: `rows of ${table} belong to another organization than their space`,
  query: sql`select ${sql.ref(`inner_row.${id}`)} as id from ${sql.table(table)} as inner_row
    join spaces on spaces.id = inner_row.space_id
    where inner_row.organization_id <> spaces.organization_id`,
})

const invariants: readonly Invariant[] = [
  {
    problem: 'spaces stand in a collection that is gone or belongs to another organization',
    query: sql`select spaces.id from spaces left join collections
        on collections.id = spaces.collection_id and collections.organization_id = spaces.organization_id
      where spaces.collection_id is not null and collections.id is null`,
  },
  {
    problem: 'collections stand inside themselves',
    query: sql`with recursive reached (organization_id, id) as (
        select organization_id, id from collections where parent_id is null
        union all
        select collections.organization_id, collections.id from collections join reached
          on collections.organization_id = reached.organization_id and collections.parent_id = reached.id
      )
      select id from collections where id not in (select id from reached)`,
  },
  {
    problem: 'sites or sections that show spaces have no default among them, or several',
    query: sql`select coalesce(section_id, site_id) as id from site_spaces
      group by site_id, section_id having sum(is_default) <> 1`,
  },
  {
    problem: 'sites that have sections have no default section, or several',
    query: sql`select site_id as id from site_sections group by site_id having sum(is_default) <> 1`,
  },
  {
    problem: 'sites with sections show spaces outside of them, or in those of another site',
    query: sql`select id from site_spaces where section_id is null and exists
        (select 1 from site_sections where site_sections.organization_id = site_spaces.organization_id
          and site_sections.site_id = site_spaces.site_id)
      union all
      select site_spaces.id from site_spaces join site_sections
        on site_sections.organization_id = site_spaces.organization_id
          and site_sections.id = site_spaces.section_id
      where site_sections.site_id <> site_spaces.site_id`,
  },
  {
    problem: 'sections and groups stand in groups of another site, or in themselves',
    query: sql`with recursive reached (organization_id, site_id, id) as (
        select organization_id, site_id, id from site_section_groups where parent_id is null
        union all
        select inner_row.organization_id, inner_row.site_id, inner_row.id
        from site_section_groups as inner_row join reached
          on inner_row.organization_id = reached.organization_id and inner_row.parent_id = reached.id
            and inner_row.site_id = reached.site_id
      )
      select id from site_section_groups where id not in (select id from reached)
      union all
      select site_sections.id from site_sections join site_section_groups
        on site_section_groups.organization_id = site_sections.organization_id
          and site_section_groups.id = site_sections.group_id
      where site_section_groups.site_id <> site_sections.site_id`,
  },
  {
    problem: 'OpenAPI specifications do not name the newest of their versions as the last',
    query: sql`select openapi_specs.id from openapi_specs left join openapi_spec_versions as last
        on last.organization_id = openapi_specs.organization_id and last.spec_id = openapi_specs.id
          and last.id = openapi_specs.last_version_id
      where coalesce(last.number, 0) <> (select coalesce(max(number), 0) from openapi_spec_versions as any_version
        where any_version.organization_id = openapi_specs.organization_id
          and any_version.spec_id = openapi_specs.id)`,
  },
  {
    problem: 'texts of OpenAPI specifications, or PDFs, are not among the files of their organization',
    query: sql`select named.id from (
        select organization_id, id, hash from openapi_spec_versions
        union all select organization_id, id, raw_hash as hash from openapi_spec_versions
        union all select organization_id, id, source_hash as hash from openapi_specs where source_hash is not null
        union all select organization_id, space_id as id, hash from pdfs where hash is not null
      ) as named left join blobs
        on blobs.organization_id = named.organization_id and blobs.hash = named.hash
      where blobs.hash is null`,
  },
  {
    problem: 'sites show two spaces at one path',
    query: sql`select site_id as id from site_spaces
      group by site_id, coalesce(section_id, ''), path having count(*) > 1`,
  },
  {
    problem: 'spaces that everybody reads can be edited live',
    query: sql`select distinct spaces.id from spaces
      join site_spaces
        on site_spaces.organization_id = spaces.organization_id and site_spaces.space_id = spaces.id
      join sites on sites.organization_id = spaces.organization_id and sites.id = site_spaces.site_id
      where sites.published = 1 and sites.visibility in ('public', 'unlisted') and spaces.edit_mode <> 'locked'`,
  },
  {
    problem: 'heads of spaces stand on a revision that is missing, of another space or of a change request',
    query: sql`select spaces.id from spaces left join revisions
        on revisions.organization_id = spaces.organization_id and revisions.id = spaces.revision_id
      where revisions.id is null or revisions.space_id <> spaces.id or revisions.change_request_id is not null`,
  },
  {
    problem: 'heads of change requests stand on a line that is not theirs',
    query: sql`select change_requests.id from change_requests
      left join revisions on revisions.organization_id = change_requests.organization_id
        and revisions.id = change_requests.revision_id
      where revisions.id is null or revisions.space_id <> change_requests.space_id or
        (revisions.change_request_id is null and revisions.id <> change_requests.revision_initial_id) or
        revisions.change_request_id <> change_requests.id`,
  },
  {
    problem: 'heads stand on a revision that is not the newest of its line',
    query: sql`select revisions.id from revisions join spaces
        on spaces.organization_id = revisions.organization_id and spaces.revision_id = revisions.id
      where exists (select 1 from revisions as newer where newer.organization_id = revisions.organization_id
        and newer.space_id = revisions.space_id and coalesce(newer.change_request_id, '') = ''
        and (newer.number, newer.saves) > (revisions.number, revisions.saves))
      union all
      select revisions.id from revisions join change_requests
        on change_requests.organization_id = revisions.organization_id
        and change_requests.revision_id = revisions.id and change_requests.id = revisions.change_request_id
      where exists (select 1 from revisions as newer where newer.organization_id = revisions.organization_id
        and newer.space_id = revisions.space_id
        and coalesce(newer.change_request_id, '') = revisions.change_request_id
        and (newer.number, newer.saves) > (revisions.number, revisions.saves))`,
  },
  {
    problem: 'change requests took in a revision that is not on the line of their space',
    query: sql`select change_requests.id from change_requests
      left join revisions on revisions.organization_id = change_requests.organization_id
        and revisions.id = change_requests.revision_merged_ancestor_id
      where revisions.id is null or revisions.space_id <> change_requests.space_id or
        revisions.change_request_id is not null`,
  },
  {
    problem: 'change requests are merged by their status or by their revision alone',
    query: sql`select change_requests.id from change_requests
      left join revisions on revisions.organization_id = change_requests.organization_id
        and revisions.id = change_requests.revision_merged_id
      where (change_requests.status = 'merged') <> (change_requests.revision_merged_id is not null) or
        (change_requests.revision_merged_id is not null and
          (revisions.id is null or revisions.merged_from is null or revisions.merged_from <> change_requests.id))`,
  },
  {
    problem: 'spaces give out a number of change requests for the second time',
    query: sql`select spaces.id from spaces where next_change_request_number <=
      (select coalesce(max(number), 0) from change_requests where
        change_requests.organization_id = spaces.organization_id and change_requests.space_id = spaces.id)`,
  },
  {
    problem: 'spaces say another number of open comments than they have',
    query: sql`select spaces.id from spaces where comments <>
      (select count(*) from comments
        left join change_requests on change_requests.organization_id = comments.organization_id
          and change_requests.id = comments.change_request_id
        where comments.organization_id = spaces.organization_id and comments.space_id = spaces.id
          and comments.comment_id is null and comments.resolved_at is null
          and (comments.change_request_id is null or change_requests.status = 'merged'))`,
  },
  {
    problem: 'change requests say another number of open comments than they have',
    query: sql`select change_requests.id from change_requests where comments <>
      (select count(*) from comments
        where comments.organization_id = change_requests.organization_id
          and comments.change_request_id = change_requests.id
          and comments.comment_id is null and comments.resolved_at is null)`,
  },
  {
    problem: 'comments say another number of replies than they have',
    query: sql`select said.id from comments as said where said.replies <>
      (select count(*) from comments as reply
        where reply.organization_id = said.organization_id and reply.comment_id = said.id)`,
  },
  {
    problem: 'comments say what a review says that is gone, or is of another change request',
    query: sql`select comments.id from comments left join reviews
        on reviews.organization_id = comments.organization_id and reviews.id = comments.review_id
      where comments.review_id is not null and
        (reviews.id is null or reviews.change_request_id <> comments.change_request_id)`,
  },
  {
    problem: 'organizations with members have no admin who can come in',
    query: sql`select organization_id as id from members group by organization_id
      having sum(case when role = 'admin' and disabled = 0 then 1 else 0 end) = 0`,
  },
  {
    problem: 'roles are given on what is gone or belongs to another organization',
    query: sql`select grants.target_id as id from grants
      left join spaces on spaces.id = grants.target_id and spaces.organization_id = grants.organization_id
      left join collections
        on collections.id = grants.target_id and collections.organization_id = grants.organization_id
      where spaces.id is null and collections.id is null`,
  },
  {
    problem: 'roles are given to people or teams that are not in the organization',
    query: sql`select grants.grantee_id as id from grants
      left join members
        on members.user_id = grants.grantee_id and members.organization_id = grants.organization_id
      left join teams on teams.id = grants.grantee_id and teams.organization_id = grants.organization_id
      where members.user_id is null and teams.id is null`,
  },
  {
    problem: 'links invite to what is gone or belongs to another organization',
    query: sql`select link_invites.id from link_invites
      left join spaces on spaces.id = link_invites.target_id and spaces.organization_id = link_invites.organization_id
      left join collections
        on collections.id = link_invites.target_id and collections.organization_id = link_invites.organization_id
      where link_invites.target_id <> link_invites.organization_id and spaces.id is null and collections.id is null`,
  },
  inOrganizationOfSpace('search_spaces', 'space_id'),
  inOrganizationOfSpace('search_pages', 'page_id'),
  {
    problem: 'things stand in the directory under another organization, or not at all',
    query: sql`select thing.id from (${directoryFromTables}) as thing left join directory
        on directory.id = thing.id and directory.kind = thing.kind
        and directory.organization_id = thing.organization_id
      where directory.id is null`,
    repair: rebuildDirectory,
  },
  {
    problem: 'the directory names what is gone',
    query: sql`select directory.id from directory left join (${directoryFromTables}) as thing
        on thing.id = directory.id and thing.kind = directory.kind
      where thing.id is null`,
    repair: rebuildDirectory,
  },
]

/** Returns the violated invariants, each with the ids of up to ten rows. */
export async function listViolations(db: Db): Promise<Violation[]> {
  const all = acrossOrganizations(db, 'invariants of the whole database')
  const violations: Violation[] = []
  for (const { problem, query, repair } of invariants) {
    const { rows } = await sql<{ id: string }>`${query} limit 10`.execute(all)
    if (rows.length > 0) violations.push({ problem, ids: rows.map(({ id }) => id), repair })
  }
  return violations
}

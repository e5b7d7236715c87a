/**
 * The position of a revision on its branch, counted from 1: the order of history, independent of clocks.
 *
 * Existing revisions are counted along the first parents, back from the head; unreachable ones come first.
 */
import type { Migration } from './types.js'

export const lines: Migration = {
  name: '0025-lines',
  statements: ({ integer }) => {
    // Ids of revisions are 20 characters: a list of them begins with `["`.
    const firstParent = (table: string) => `substr(${table}.parents, 3, 20)`
    return [
      `alter table revisions add column number ${integer} not null default 0`,
      `with recursive way (organization_id, id, line, parent, distance) as (
        select revisions.organization_id, revisions.id, '', ${firstParent('revisions')}, 0
        from spaces join revisions
          on revisions.organization_id = spaces.organization_id and revisions.id = spaces.revision_id
        union all
        select revisions.organization_id, revisions.id, change_requests.id, ${firstParent('revisions')}, 0
        from change_requests join revisions
          on revisions.organization_id = change_requests.organization_id
          and revisions.id = change_requests.revision_id
          and revisions.change_request_id = change_requests.id
        union all
        select earlier.organization_id, earlier.id, way.line, ${firstParent('earlier')}, way.distance + 1
        from way join revisions as earlier
          on earlier.organization_id = way.organization_id and earlier.id = way.parent
          and coalesce(earlier.change_request_id, '') = way.line
      )
      update revisions set number = counted.number
      from (
        select one.organization_id, one.id, row_number() over (
          partition by one.organization_id, one.space_id, coalesce(one.change_request_id, '')
          order by coalesce(-way.distance, -1000000000), one.created_at, one.id
        ) as number
        from revisions as one left join way
          on way.organization_id = one.organization_id and way.id = one.id
      ) as counted
      where counted.organization_id = revisions.organization_id and counted.id = revisions.id`,
      'drop index revisions_by_space',
      `create unique index revisions_by_line
        on revisions (organization_id, space_id, coalesce(change_request_id, ''), number)`,
    ]
  },
}

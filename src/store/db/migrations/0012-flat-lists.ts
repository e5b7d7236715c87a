/**
 * An index for each order in which something is listed, and for each name by which a site is looked up, so that a
 * page of a list is read from where it begins, whatever the length of the list.
 */
import type { Migration } from './types.js'

export const flatLists: Migration = {
  name: '0012-flat-lists',
  statements: () => [
    'create index members_by_role on members (organization_id, role, joined_at, user_id)',
    'create index members_by_last_seen on members (organization_id, last_seen_at, user_id)',
    'create index team_members_by_joined on team_members (team_id, joined_at, user_id)',
    'create index collections_by_place on collections (organization_id, position, id)',
    'create index grants_by_target on grants (target_id, grantee_kind, created_at, grantee_id)',
    'create index change_requests_by_created on change_requests (organization_id, created_at, id)',
    'create index audit_events_by_action on audit_events (organization_id, action, at, id)',
    'create index sites_by_publication on sites (published, visibility, published_at, id)',
    // Addresses are case-insensitive.
    'create index sites_by_name on sites (organization_id, lower(basename))',
    'create index site_spaces_by_place on site_spaces (site_id, position, id)',
  ],
}

/** Fixtures: the fewest rows that a test of the store needs, with arbitrary values. */
import type { OrganizationId, RevisionId, SpaceId, UserId } from '../src/core/ids.js'
import { acrossOrganizations } from '../src/store/db/cross-tenant.js'
import type { Db, Tx } from '../src/store/db/database.js'
import { addToDirectory } from '../src/store/db/directory.js'
import type { NewRow } from '../src/store/db/tables.js'

/** Inserts an organization and answers its id. */
export async function insertOrganization(tx: Tx, id: string): Promise<OrganizationId> {
  const row: NewRow<'organizations'> = {
    id: id as OrganizationId,
    title: id,
    hostname: id.toLowerCase(),
    type: 'business',
    use_case: null,
    community_type: null,
    email_domains: '[]',
    default_role: null,
    default_content: null,
    sso: 0,
    ai: 0,
    invite_links: 0,
    logo_url: null,
    blocked_reason: null,
    created_at: 0,
    updated_at: 0,
  }
  await tx.insertInto('organizations').values(row).execute()
  return row.id
}

/** Inserts a space whose head is the revision `<id>-head`, which need not exist, and answers its id. */
export async function insertSpace(
  tx: Tx,
  organizationId: OrganizationId,
  id: string,
  position = 'a0',
): Promise<SpaceId> {
  const row = spaceRow(organizationId, id, position)
  await tx.insertInto('spaces').values(row).execute()
  await addToDirectory(tx, 'space', organizationId, [row.id])
  return row.id
}

/** Returns the row of such a space. */
export function spaceRow(organizationId: OrganizationId, id: string, position = 'a0') {
  return {
    id: id as SpaceId,
    organization_id: organizationId,
    collection_id: null,
    position,
    title: id,
    emoji: null,
    visibility: 'private',
    edit_mode: 'live',
    default_level: 'inherit',
    revision_id: `${id}-head` as RevisionId,
    language: null,
    created_by: 'user' as UserId,
    created_at: 0,
    updated_at: 0,
    deleted_at: null,
  } satisfies NewRow<'spaces'>
}

/** The database for statements of a test that read rows of all organizations, or find rows by an id alone. */
export function acrossTestOrganizations(db: Db): Db {
  return acrossOrganizations(db, 'a test knows whose rows there are')
}

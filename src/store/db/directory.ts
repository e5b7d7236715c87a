/**
 * The directory: a global index from ids of resources, and hosts of sites, to their organization, for requests that do
 * not name it. Creating, deleting or transferring such a resource updates it in the same transaction; ids are unique in
 * the installation. Organizations are in their own table, with their hostnames.
 */
import { type RawBuilder, sql } from 'kysely'
import type { OrganizationId } from '../../core/ids.js'
import { acrossOrganizations } from './cross-tenant.js'
import type { Db, Tx } from './database.js'
import { prepared } from './prepared.js'

export type DirectoryKind = 'space' | 'collection' | 'site' | 'saml-provider' | 'host'

const idsPerQuery = 500

/** The first path parameters of resource paths. */
export const ownerParameters = ['organizationId', 'spaceId', 'collectionId'] as const

/** Returns the organization of the resource with the id, or of the site at a host; undefined when there is none. */
export async function findInDirectory(db: Db, id: string): Promise<OrganizationId | undefined> {
  return (await selectEntry(db, { id })).rows[0]?.organization_id
}

const selectEntry = prepared<{ readonly id: string }>()((db, { id }) =>
  db.selectFrom('directory').select('organization_id').where('id', '=', id),
)

/** Returns the organizations of the ids that are in the directory. */
export async function findManyInDirectory(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, OrganizationId>> {
  const found = new Map<string, OrganizationId>()
  for (let at = 0; at < ids.length; at += idsPerQuery) {
    const rows = await db
      .selectFrom('directory')
      .select(['id', 'organization_id'])
      .where('id', 'in', ids.slice(at, at + idsPerQuery))
      .execute()
    for (const row of rows) found.set(row.id, row.organization_id)
  }
  return found
}

/** Adds resources that are created in this transaction. */
export async function addToDirectory(
  tx: Tx,
  kind: DirectoryKind,
  organizationId: OrganizationId,
  ids: readonly string[],
): Promise<void> {
  const entries = ids.map((id) => ({ id, kind, organization_id: organizationId }))
  await tx.insertInto('directory').values(entries).execute()
}

/** Removes a resource that is deleted in this transaction. */
export async function removeFromDirectory(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('directory').where('id', '=', id).execute()
}

/** Updates the organization of a resource that is transferred in this transaction. */
export async function moveInDirectory(tx: Tx, id: string, organizationId: OrganizationId): Promise<void> {
  await tx.updateTable('directory').set({ organization_id: organizationId }).where('id', '=', id).execute()
}

/** All entries of the directory, derived from the tables. */
export const directoryFromTables: RawBuilder<{ id: string; kind: DirectoryKind; organization_id: string }> =
  sql`
  select id, 'space' as kind, organization_id from spaces
  union all select id, 'collection', organization_id from collections
  union all select id, 'site', organization_id from sites
  union all select id, 'saml-provider', organization_id from saml_providers
  union all select hostname, 'host', organization_id from sites where hostname is not null`

/** Rebuilds the directory from the tables. */
export async function rebuildDirectory(tx: Tx): Promise<void> {
  await sql`delete from directory`.execute(tx)
  const all = acrossOrganizations(tx, 'derived from the tables of all organizations')
  await sql`insert into directory (id, kind, organization_id) ${directoryFromTables}`.execute(all)
}

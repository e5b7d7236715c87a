/**
 * The directory: which organization something belongs to that is reached by its id, or a site by its host, without
 * naming the organization. Whoever makes, removes or gives away such a thing writes it in the same transaction, and
 * no two things of the installation have one id. Organizations stand in their own table, with their hostnames.
 */
import { type RawBuilder, sql } from 'kysely'
import type { OrganizationId } from '../../core/ids.js'
import { acrossOrganizations } from './cross-tenant.js'
import type { Db, Tx } from './database.js'

export type DirectoryKind = 'space' | 'collection' | 'site' | 'saml-provider' | 'host'

const idsPerQuery = 500

/** Path parameters by which a place begins. */
export const beginnings = ['organizationId', 'spaceId', 'collectionId'] as const

/** Returns the organization of what has the id, or of the site at a host; undefined when nothing has. */
export async function findInDirectory(db: Db, id: string): Promise<OrganizationId | undefined> {
  const entry = await db
    .selectFrom('directory')
    .select('organization_id')
    .where('id', '=', id)
    .executeTakeFirst()
  return entry?.organization_id
}

/** Returns the organizations of those of the ids that are in the directory. */
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

/** Returns the organization of the place that a path begins with; undefined when its id names nothing. */
export async function findOrganizationOfPlace(
  db: Db,
  { organizationId, spaceId, collectionId }: Readonly<Record<string, string | undefined>>,
): Promise<OrganizationId | undefined> {
  if (organizationId !== undefined) return organizationId as OrganizationId
  const id = spaceId ?? collectionId
  return id === undefined ? undefined : findInDirectory(db, id)
}

/** Enters things that are made in this transaction. */
export async function enterDirectory(
  tx: Tx,
  kind: DirectoryKind,
  organizationId: OrganizationId,
  ids: readonly string[],
): Promise<void> {
  const entries = ids.map((id) => ({ id, kind, organization_id: organizationId }))
  await tx.insertInto('directory').values(entries).execute()
}

/** Takes out what is removed in this transaction. */
export async function leaveDirectory(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('directory').where('id', '=', id).execute()
}

/** Notes that something is given to another organization in this transaction. */
export async function moveInDirectory(tx: Tx, id: string, organizationId: OrganizationId): Promise<void> {
  await tx.updateTable('directory').set({ organization_id: organizationId }).where('id', '=', id).execute()
}

/** Everything that stands in the directory, as the tables have it. */
export const directoryOfTables: RawBuilder<{ id: string; kind: DirectoryKind; organization_id: string }> =
  sql`
  select id, 'space' as kind, organization_id from spaces
  union all select id, 'collection', organization_id from collections
  union all select id, 'site', organization_id from sites
  union all select id, 'saml-provider', organization_id from saml_providers
  union all select hostname, 'host', organization_id from sites where hostname is not null`

/** Makes the directory anew, which follows from the tables. */
export async function rebuildDirectory(tx: Tx): Promise<void> {
  await sql`delete from directory`.execute(tx)
  const all = acrossOrganizations(tx, 'it follows from the tables of all')
  await sql`insert into directory (id, kind, organization_id) ${directoryOfTables}`.execute(all)
}

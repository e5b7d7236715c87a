/** Rows of SAML providers. */
import type { OrganizationId, SamlProviderId } from '../../core/ids.js'
import type { Db, Tx } from '../../store/db/database.js'
import { enterDirectory, leaveDirectory, findInDirectory } from '../../store/db/directory.js'
import { type ListPage, type PageRequest, listPage } from '../../store/db/page.js'
import type { NewRow, Row, RowUpdate } from '../../store/db/tables.js'

export type SamlProviderRow = Row<'saml_providers'>
type ProviderKey = Pick<SamlProviderRow, 'organization_id' | 'id'>

export function listProviders(
  db: Db,
  organizationId: OrganizationId,
  list: PageRequest,
): Promise<ListPage<SamlProviderRow>> {
  const query = db.selectFrom('saml_providers').selectAll().where('organization_id', '=', organizationId)
  return listPage(db, query, {
    ...list,
    order: [{ column: 'saml_providers.created_at', type: 'integer', direction: 'asc' }],
    id: 'saml_providers.id',
  })
}

/** Returns all providers of an organization that can be used, oldest first. */
export function listUsableProviders(db: Db, organizationId: OrganizationId): Promise<SamlProviderRow[]> {
  return db
    .selectFrom('saml_providers')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('entity_id', 'is not', null)
    .where('sso_url', 'is not', null)
    .where('certificate', 'is not', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

export function findProvider(
  db: Db,
  organizationId: OrganizationId,
  id: SamlProviderId,
): Promise<SamlProviderRow | undefined> {
  return db
    .selectFrom('saml_providers')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** The same for the doors of a provider, whose addresses name nothing but its id. */
export async function findProviderAnywhere(db: Db, id: SamlProviderId): Promise<SamlProviderRow | undefined> {
  const organizationId = await findInDirectory(db, id)
  return organizationId && findProvider(db, organizationId, id)
}

export async function insertProvider(tx: Tx, row: NewRow<'saml_providers'>): Promise<void> {
  await enterDirectory(tx, 'saml-provider', row.organization_id, [row.id])
  await tx.insertInto('saml_providers').values(row).execute()
}

export async function updateProvider(
  tx: Tx,
  { organization_id: organizationId, id }: ProviderKey,
  change: RowUpdate<'saml_providers'>,
): Promise<void> {
  await tx
    .updateTable('saml_providers')
    .set(change)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()
}

/** Removes a provider, and the sessions and tokens that came through it: nobody vouches for them any more. */
export async function deleteProvider(
  tx: Tx,
  { organization_id: organizationId, id }: ProviderKey,
): Promise<void> {
  await tx.deleteFrom('sessions').where('saml_provider_id', '=', id).execute()
  await tx.deleteFrom('api_tokens').where('saml_provider_id', '=', id).execute()
  await tx
    .deleteFrom('saml_providers')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()
  await leaveDirectory(tx, id)
}

export async function isOrganizationBlocked(db: Db, organizationId: OrganizationId): Promise<boolean> {
  const row = await db
    .selectFrom('organizations')
    .select('blocked_reason')
    .where('id', '=', organizationId)
    .executeTakeFirst()
  return row === undefined || row.blocked_reason !== null
}

/** Tells whether the organization exists and returns its title. */
export function findOrganizationTitle(
  db: Db,
  organizationId: OrganizationId,
): Promise<{ readonly title: string } | undefined> {
  return db.selectFrom('organizations').select('title').where('id', '=', organizationId).executeTakeFirst()
}

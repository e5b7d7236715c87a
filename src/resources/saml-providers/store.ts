/** Table of SAML providers. */
import type { OrganizationId, SamlProviderId } from '../../core/ids.js'
import { acrossOrganizations } from '../../store/db/cross-tenant.js'
import type { Db, Tx } from '../../store/db/database.js'
import { addToDirectory, removeFromDirectory, findInDirectory } from '../../store/db/directory.js'
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

/** Returns all fully configured providers of an organization, oldest first. */
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

/** The same by the id alone, for the provider's SAML endpoints. */
export async function findProviderById(db: Db, id: SamlProviderId): Promise<SamlProviderRow | undefined> {
  const organizationId = await findInDirectory(db, id)
  return organizationId && findProvider(db, organizationId, id)
}

export async function insertProvider(tx: Tx, row: NewRow<'saml_providers'>): Promise<void> {
  await addToDirectory(tx, 'saml-provider', row.organization_id, [row.id])
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

/** Deletes a provider with the sessions and tokens opened through it, which nothing vouches for any more. */
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
  await removeFromDirectory(tx, id)
}

export async function isOrganizationBlocked(db: Db, organizationId: OrganizationId): Promise<boolean> {
  const row = await db
    .selectFrom('organizations')
    .select('blocked_reason')
    .where('id', '=', organizationId)
    .executeTakeFirst()
  return row === undefined || row.blocked_reason !== null
}

/** Returns the title of the organization, undefined when it does not exist. */
export function findOrganizationTitle(
  db: Db,
  organizationId: OrganizationId,
): Promise<{ readonly title: string } | undefined> {
  return db.selectFrom('organizations').select('title').where('id', '=', organizationId).executeTakeFirst()
}

/** Returns whether any organization has a fully configured provider. */
export async function hasUsableProvider(db: Db): Promise<boolean> {
  const row = await acrossOrganizations(db, 'the sign-in page offers single sign-on where there is any')
    .selectFrom('saml_providers')
    .select('id')
    .where('entity_id', 'is not', null)
    .where('sso_url', 'is not', null)
    .where('certificate', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

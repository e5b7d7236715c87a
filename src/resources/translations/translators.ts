/**
 * Translator settings of an organization: one row, and its API key.
 *
 * The key is encrypted at rest (AES-256-GCM) with a key derived from the secret of the installation: a copy of the
 * database alone does not reveal it. It is bound to its organization and endpoint, and is never returned.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Services } from '../../access/route/scope.js'
import type { OrganizationId } from '../../core/ids.js'
import type { Db, Tx } from '../../store/db/database.js'
import type { NewRow, Row } from '../../store/db/tables.js'

export type TranslatorRow = Row<'organization_translators'>

const cipher = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

function keyFor(
  { addresses }: Pick<Services, 'addresses'>,
  organizationId: OrganizationId,
  endpoint: string,
): Buffer {
  return Buffer.from(addresses.sealingKey(`translator ${organizationId} ${endpoint}`), 'base64url')
}

type KeyBinding = Pick<TranslatorRow, 'organization_id' | 'endpoint'>

/** Returns the encrypted secret for the row. */
export function sealKey(
  services: Pick<Services, 'addresses'>,
  { organization_id: id, endpoint }: KeyBinding,
  secret: string,
): string {
  const nonce = randomBytes(nonceBytes)
  const sealing = createCipheriv(cipher, keyFor(services, id, endpoint), nonce)
  const sealed = Buffer.concat([sealing.update(secret), sealing.final()])
  return Buffer.concat([nonce, sealing.getAuthTag(), sealed]).toString('base64url')
}

/**
 * Returns the decrypted secret; undefined when there is none, or when it was encrypted under another installation
 * secret.
 */
export function openKey(services: Pick<Services, 'addresses'>, row: TranslatorRow): string | undefined {
  if (row.sealed_key === null) return undefined
  const bytes = Buffer.from(row.sealed_key, 'base64url')
  try {
    const opening = createDecipheriv(
      cipher,
      keyFor(services, row.organization_id, row.endpoint),
      bytes.subarray(0, nonceBytes),
    )
    opening.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
    return Buffer.concat([opening.update(bytes.subarray(nonceBytes + tagBytes)), opening.final()]).toString()
  } catch {
    return undefined
  }
}

export function findTranslator(db: Db, organizationId: OrganizationId): Promise<TranslatorRow | undefined> {
  return db
    .selectFrom('organization_translators')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
}

export function putTranslatorRow(tx: Tx, row: NewRow<'organization_translators'>): Promise<TranslatorRow> {
  const { organization_id: _, ...values } = row
  return tx
    .insertInto('organization_translators')
    .values(row)
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(values))
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function deleteTranslatorRow(tx: Tx, organizationId: OrganizationId): Promise<void> {
  await tx.deleteFrom('organization_translators').where('organization_id', '=', organizationId).execute()
}

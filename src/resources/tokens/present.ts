/** Wire format of an API token, for its owner; never includes the secret. */
import type { ApiToken } from '../../contract/tokens.js'
import type { TokenRow } from './store.js'

export function presentToken(row: TokenRow): ApiToken {
  return {
    object: 'api-token',
    id: row.id,
    label: row.label,
    createdAt: new Date(row.created_at).toISOString(),
    ...(row.expires_at !== null && { expiresAt: new Date(row.expires_at).toISOString() }),
    ...(row.last_used_at !== null && { lastUsedAt: new Date(row.last_used_at).toISOString() }),
    ...(row.organization_id !== null && { organization: row.organization_id }),
  }
}

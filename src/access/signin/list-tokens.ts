/** Lists the API tokens of a user without their secrets, and revokes one. */
import type { UserId } from '../../core/ids.js'
import type { Db, Tx } from '../../store/db/database.js'

export interface TokenSummary {
  readonly id: string
  readonly label: string
  /** Milliseconds since 1970, like all times in this file. */
  readonly createdAt: number
  readonly expiresAt: number | null
  readonly lastUsedAt: number | null
}

/** Returns the tokens that were not revoked, oldest first. */
export async function listTokens(db: Db, userId: UserId): Promise<TokenSummary[]> {
  const rows = await db
    .selectFrom('api_tokens')
    .select(['id', 'label', 'created_at', 'expires_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    label: row.label,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
  }))
}

/** Revokes a token and all tokens made with it, whoever owns it; false when no valid token has this id. */
export async function revokeToken(tx: Tx, id: string, now: number): Promise<boolean> {
  const revoked = await tx
    .withRecursive('line', (line) =>
      line
        .selectFrom('api_tokens')
        .select('id')
        .where('id', '=', id)
        .where('revoked_at', 'is', null)
        .unionAll(
          line
            .selectFrom('api_tokens as child')
            .innerJoin('line', 'line.id', 'child.parent_id')
            .select('child.id'),
        ),
    )
    .updateTable('api_tokens')
    .set({ revoked_at: now })
    .where('id', 'in', (lines) => lines.selectFrom('line').select('line.id'))
    .where('revoked_at', 'is', null)
    .returning('id')
    .execute()
  return revoked.length > 0
}

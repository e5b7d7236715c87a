/** Table of API tokens, for their owner; a credential limited to one organization sees only tokens of that organization. */
import type { Actor } from '../../access/signin/actor.js'
import type { Db } from '../../store/db/database.js'
import { type ListPage, type PageRequest, listPage } from '../../store/db/page.js'
import type { Row } from '../../store/db/tables.js'

const columns = ['id', 'label', 'created_at', 'expires_at', 'last_used_at', 'organization_id'] as const

export type TokenRow = Pick<Row<'api_tokens'>, (typeof columns)[number]>

function tokensOf(db: Db, { userId, onlyIn }: Actor) {
  const own = db
    .selectFrom('api_tokens')
    .select(columns)
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
  return onlyIn === null ? own : own.where('organization_id', '=', onlyIn)
}

export function listTokens(db: Db, actor: Actor, list: PageRequest): Promise<ListPage<TokenRow>> {
  return listPage(db, tokensOf(db, actor), {
    ...list,
    order: [{ column: 'api_tokens.created_at', type: 'integer', direction: 'desc' }],
    id: 'api_tokens.id',
  })
}

export function findToken(db: Db, actor: Actor, id: string): Promise<TokenRow | undefined> {
  return tokensOf(db, actor).where('id', '=', id).executeTakeFirst()
}

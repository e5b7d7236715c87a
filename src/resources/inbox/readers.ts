/** In which organizations a person reads their inbox, and with which role: those that their credential opens. */
import type { OrganizationId, UserId } from '../../core/ids.js'
import type { Reader } from '../../access/rules/levels.js'
import type { Actor } from '../../access/signin/actor.js'
import { opensOrganization } from '../../access/signin/credential-scope.js'
import type { Db } from '../../store/db/database.js'
import { listOrganizationsOf } from '../organizations/store.js'

/** Organizations of one person whose entries are listed together. */
const maxOrganizations = 200

/** Returns the actor as a reader of each organization, or of the given one. */
export async function findReaders(db: Db, actor: Actor, only?: string): Promise<readonly Reader[]> {
  const readers = await findReadersOf(db, actor)
  return readers.filter(
    ({ organizationId }) =>
      opensOrganization(actor, organizationId) && (only === undefined || only === organizationId),
  )
}

/** The same for mail, which no credential limits. */
export async function findReadersOf(
  db: Db,
  { userId, onlyIn }: { readonly userId: UserId; readonly onlyIn: OrganizationId | null },
): Promise<readonly Reader[]> {
  const { items } = await listOrganizationsOf(db, { userId, onlyIn }, { limit: maxOrganizations })
  return items.map(({ row, role }) => ({ userId, organizationId: row.id, role }))
}

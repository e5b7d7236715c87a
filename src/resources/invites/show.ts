/** Responses of invite links, with their target, for those who manage them. */
import type { Addresses } from '../../contract/addresses.js'
import type { LinkInvite } from '../../contract/invites.js'
import type { Db } from '../../store/db/database.js'
import { presentCollection } from '../collections/present.js'
import { showSpace } from '../spaces/show.js'
import { presentContentInvite, presentOrganizationInvite } from './present.js'
import type { InviteContext } from './scope.js'

export async function showInvite(
  db: Db,
  addresses: Addresses,
  { row, target }: InviteContext,
): Promise<LinkInvite> {
  const { level } = target
  if (target.kind === 'organization') return presentOrganizationInvite(addresses, row, level)
  if (target.kind === 'collection') {
    const collection = presentCollection(addresses, target.collection.row, level)
    return presentContentInvite(addresses, row, level, { collection })
  }
  const space = await showSpace(db, addresses, { row: target.space.row, level })
  return presentContentInvite(addresses, row, level, { space })
}

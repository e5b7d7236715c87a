/** An invite link with what it leads to, as one of those who manage it sees it. */
import type { Addresses } from '../../contract/addresses.js'
import type { LinkInvite } from '../../contract/invites.js'
import type { Db } from '../../store/db/database.js'
import { presentCollection } from '../collections/present.js'
import { showSpace } from '../spaces/show.js'
import { presentContentInvite, presentOrganizationInvite } from './present.js'
import type { InviteHere } from './scope.js'

export async function showInvite(
  db: Db,
  addresses: Addresses,
  { row, target }: InviteHere,
): Promise<LinkInvite> {
  const { level } = target
  if (target.kind === 'organization') return presentOrganizationInvite(row, level)
  if (target.kind === 'collection') {
    const collection = presentCollection(addresses, target.collection.row, level)
    return presentContentInvite(row, level, { collection })
  }
  const space = await showSpace(db, addresses, { row: target.space.row, level })
  return presentContentInvite(row, level, { space })
}

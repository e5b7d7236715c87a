/** Wire format of a collection. */
import { type Level, collectionActions, reaches } from '../../access/rules/levels.js'
import type { Addresses } from '../../contract/addresses.js'
import type { Collection } from '../../contract/collections.js'
import type { CollectionRow } from './store.js'

export function presentCollection(addresses: Addresses, row: CollectionRow, level: Level): Collection {
  const isAdmin = reaches(level, collectionActions.administer)
  return {
    object: 'collection',
    id: row.id,
    title: row.title,
    ...(row.description !== null && { description: row.description }),
    organization: row.organization_id,
    ...(row.parent_id !== null && { parent: row.parent_id }),
    defaultLevel: row.default_level as Collection['defaultLevel'],
    urls: {
      location: addresses.api(`/collections/${row.id}`),
      app: addresses.app(`/o/${row.organization_id}/c/${row.id}/`),
    },
    permissions: {
      view: reaches(level, collectionActions.view),
      admin: isAdmin,
      viewInviteLinks: isAdmin,
      create: isAdmin,
    },
  }
}

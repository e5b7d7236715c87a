/** Responses of collections: loads the reader's levels besides the rows. */
import { loadLevels } from '../../access/rules/level-facts.js'
import type { Reader } from '../../access/rules/levels.js'
import type { Addresses } from '../../contract/addresses.js'
import type { Collection } from '../../contract/collections.js'
import type { Db } from '../../store/db/database.js'
import { presentCollection } from './present.js'
import type { CollectionRow } from './store.js'

/** Returns collections of the reader's organization on the wire; their levels take one query. */
export async function showCollections(
  db: Db,
  addresses: Addresses,
  reader: Reader,
  rows: readonly CollectionRow[],
): Promise<Collection[]> {
  const ids = rows.map(({ id }) => id)
  const levels = await loadLevels(db, reader, 'collection', ids)
  return rows.map((row) => presentCollection(addresses, row, levels.get(row.id)!))
}

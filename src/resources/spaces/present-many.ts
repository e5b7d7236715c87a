/** Spaces on the wire, many at once: their levels in one query, their surroundings in two. */
import { loadLevels } from '../../access/rules/facts.js'
import type { Reader } from '../../access/rules/levels.js'
import type { Addresses } from '../../contract/addresses.js'
import type { Space } from '../../contract/spaces.js'
import type { Db } from '../../store/db/database.js'
import { presentSpace } from './present.js'
import { type SpaceRow, loadSurroundings } from './store.js'

/** Returns the spaces, all of the reader's organization, as the reader sees them. */
export async function presentSpaces(
  db: Db,
  addresses: Addresses,
  reader: Reader,
  rows: readonly SpaceRow[],
): Promise<Space[]> {
  const ids = rows.map(({ id }) => id)
  const levels = await loadLevels(db, reader, 'space', ids)
  const surroundings = await loadSurroundings(db, reader.organizationId, ids)
  return rows.map((row) => presentSpace(addresses, row, levels.get(row.id)!, surroundings.get(row.id)!))
}

/** Spaces with what stands around them, as somebody of their organization sees them. */
import { loadLevels } from '../../access/rules/facts.js'
import type { Reader } from '../../access/rules/levels.js'
import type { Addresses } from '../../contract/addresses.js'
import type { Space } from '../../contract/spaces.js'
import type { Db } from '../../store/db/database.js'
import { loadSaid } from '../custom-fields/store.js'
import { presentSpace, presentToReaders } from './present.js'
import type { SpaceHere } from './scope.js'
import { type SpaceRow, loadSurroundings } from './store.js'

/** Returns spaces of the reader's organization: their levels take one query, their surroundings two, what they say one. */
export async function showSpaces(
  db: Db,
  addresses: Addresses,
  reader: Reader,
  rows: readonly SpaceRow[],
): Promise<Space[]> {
  const ids = rows.map(({ id }) => id)
  const levels = await loadLevels(db, reader, 'space', ids)
  const surroundings = await loadSurroundings(db, reader.organizationId, ids)
  const said = await loadSaid(db, reader.organizationId, ids)
  const spaces = rows.map((row) =>
    presentSpace(addresses, row, levels.get(row.id)!, surroundings.get(row.id)!, said.get(row.id)),
  )
  return reader.shown === undefined ? spaces : spaces.map(presentToReaders)
}

export async function showSpace(
  db: Db,
  addresses: Addresses,
  { row, level, isForReaders }: Pick<SpaceHere, 'row' | 'level' | 'isForReaders'>,
): Promise<Space> {
  const surroundings = await loadSurroundings(db, row.organization_id, [row.id])
  const said = await loadSaid(db, row.organization_id, [row.id])
  const space = presentSpace(addresses, row, level, surroundings.get(row.id)!, said.get(row.id))
  return isForReaders ? presentToReaders(space) : space
}

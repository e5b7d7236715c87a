/** Presents spaces with counters, sites and custom fields, for a reader of their organization. */
import { loadLevels } from '../../access/rules/level-facts.js'
import type { Reader } from '../../access/rules/levels.js'
import type { Addresses } from '../../contract/addresses.js'
import type { Space } from '../../contract/spaces.js'
import type { Db } from '../../store/db/database.js'
import { loadFieldTexts } from '../custom-fields/store.js'
import { presentSpace, presentSpaceToReaders } from './present.js'
import type { SpaceContext } from './scope.js'
import { type SpaceRow, loadRelations } from './store.js'

/** Returns spaces of the reader's organization in four queries: one for levels, two for relations, one for field values. */
export async function showSpaces(
  db: Db,
  addresses: Addresses,
  reader: Reader,
  rows: readonly SpaceRow[],
): Promise<Space[]> {
  const ids = rows.map(({ id }) => id)
  const [levels, relations, fieldValues] = await Promise.all([
    loadLevels(db, reader, 'space', ids),
    loadRelations(db, reader.organizationId, ids),
    loadFieldTexts(db, reader.organizationId, ids),
  ])
  const spaces = rows.map((row) =>
    presentSpace(addresses, row, levels.get(row.id)!, relations.get(row.id)!, fieldValues.get(row.id)),
  )
  return reader.visibleSpaces === undefined ? spaces : spaces.map(presentSpaceToReaders)
}

export async function showSpace(
  db: Db,
  addresses: Addresses,
  { row, level, isForReaders }: Pick<SpaceContext, 'row' | 'level' | 'isForReaders'>,
): Promise<Space> {
  const [relations, fieldValues] = await Promise.all([
    loadRelations(db, row.organization_id, [row.id]),
    loadFieldTexts(db, row.organization_id, [row.id]),
  ])
  const space = presentSpace(addresses, row, level, relations.get(row.id)!, fieldValues.get(row.id))
  return isForReaders ? presentSpaceToReaders(space) : space
}

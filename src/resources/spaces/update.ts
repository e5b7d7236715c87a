/** Updates a space's settings. */
import { ApiError } from '../../contract/errors.js'
import type { SpaceMergeRules } from '../../contract/merge-rules.js'
import type { DefaultLevel } from '../../contract/shapes.js'
import type { Tx } from '../../store/db/database.js'
import type { RowUpdate } from '../../store/db/tables.js'
import { writeMergeRules } from '../organizations/merge-rules.js'
import { emojiCode } from './present.js'
import { type SpaceRow, loadRelations, updateSpace } from './store.js'

export interface SpaceChange {
  readonly title?: string
  readonly emoji?: string
  readonly editMode?: 'live' | 'locked'
  readonly defaultLevel?: DefaultLevel
  readonly language?: string | null
  readonly mergeRules?: SpaceMergeRules
}

/** Updates and returns the row; throws 409 when live edits are requested for a publicly readable space. */
export async function changeSpace(
  tx: Tx,
  row: SpaceRow,
  change: SpaceChange,
  now: number,
): Promise<SpaceRow> {
  if (change.editMode === 'live') await requireUnlockable(tx, row)
  const update: RowUpdate<'spaces'> = { updated_at: now }
  if (change.title !== undefined) update.title = change.title
  if (change.emoji !== undefined) update.emoji = emojiCode(change.emoji)
  if (change.editMode !== undefined) update.edit_mode = change.editMode
  if (change.defaultLevel !== undefined) update.default_level = change.defaultLevel
  if (change.language !== undefined) update.language = change.language
  if (change.mergeRules !== undefined)
    update.merge_rules = await writeMergeRules(tx, row.organization_id, change.mergeRules, 'inherit')
  return updateSpace(tx, row, update)
}

async function requireUnlockable(tx: Tx, row: SpaceRow): Promise<void> {
  const { published } = (await loadRelations(tx, row.organization_id, [row.id])).get(row.id)!
  const visibility = published?.site.visibility
  if (visibility === 'public' || visibility === 'unlisted')
    throw new ApiError('space_visible_publicly', { visibility })
}

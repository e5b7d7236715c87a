/** Whether everybody may read the files of a space, because a site shows all of it. */
import { askNobody } from '../../core/conditions/asker.js'
import type { Db } from '../../store/db/database.js'
import type { SpaceKey } from '../spaces/store.js'
import { shownSections } from './shown.js'
import { listOpenSitesOf, withStructure } from './store.js'

/**
 * True while a published site shows the space to anybody, as it is: naming it is not enough, it may be a draft there,
 * and an adaptive site judges for each reader what it shows of it.
 */
export async function isOpenToAll(db: Db, space: SpaceKey): Promise<boolean> {
  for (const row of await listOpenSitesOf(db, space)) {
    if (row.adaptive_content === 1) continue
    const shown = shownSections(await withStructure(db, row), askNobody())
    if (shown.some(({ links }) => links.some(({ link }) => link.space_id === space.id))) return true
  }
  return false
}

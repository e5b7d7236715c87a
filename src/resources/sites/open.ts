/** Whether everybody may read a space, because a site shows it. */
import { askNobody } from '../../core/conditions/asker.js'
import type { Db } from '../../store/db/database.js'
import type { SpaceKey } from '../spaces/store.js'
import { shownSections } from './shown.js'
import { listOpenSitesOf, withStructure } from './store.js'

/** True while a published site shows the space to anybody: naming it is not enough, it may be a draft there. */
export async function isOpenToAll(db: Db, space: SpaceKey): Promise<boolean> {
  for (const row of await listOpenSitesOf(db, space)) {
    const shown = shownSections(await withStructure(db, row), askNobody())
    if (shown.some(({ links }) => links.some(({ link }) => link.space_id === space.id))) return true
  }
  return false
}

/** Public spaces: whether the files of a space are readable without an account, because a site shows all of it. */
import { createAnonymousReader } from '../../core/conditions/claim-reader.js'
import type { Db } from '../../store/db/database.js'
import type { SpaceKey } from '../spaces/store.js'
import { publishedSections } from './published-structure.js'
import { listOpenSitesOf, withStructure } from './store.js'

/**
 * True while a published site shows the whole space to the public. A link alone is not enough: it may be a draft, and
 * an adaptive site decides per reader what is visible.
 */
export async function isPublicSpace(db: Db, space: SpaceKey): Promise<boolean> {
  for (const row of await listOpenSitesOf(db, space)) {
    if (row.adaptive_content === 1) continue
    const sections = publishedSections(await withStructure(db, row), createAnonymousReader())
    if (sections.some(({ links }) => links.some(({ link }) => link.space_id === space.id))) return true
  }
  return false
}

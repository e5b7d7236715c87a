/** Making one space the default of its section, or of a site without sections; URLs of the former default redirect to its own path. */
import type { Row } from '../../store/db/tables.js'
import type { Tx } from '../../store/db/database.js'
import { rememberDefault } from './former-paths.js'
import type { SiteWithSpaces } from './store.js'
import { setDefaultLink } from './structure-store.js'

export async function makeDefault(tx: Tx, site: SiteWithSpaces, wanted: Row<'site_spaces'>): Promise<void> {
  const current = site.spaces.find(
    ({ link }) => link.section_id === wanted.section_id && link.is_default === 1 && link.id !== wanted.id,
  )
  if (current !== undefined) await rememberDefault(tx, site.row, wanted.section_id ?? '', current.link.id)
  await setDefaultLink(tx, site.row, wanted)
}

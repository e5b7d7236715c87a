/** Creating a site: it shows spaces that exist, or a new one; publishing it is a step of its own. */
import { slugify } from '../../core/pages/paths.js'
import type { OrganizationId, SiteId } from '../../core/ids.js'
import { recordEvent } from '../../access/events/record.js'
import { newSiteId } from '../../access/ids.js'
import type { Reader } from '../../access/rules/levels.js'
import type { Services } from '../../access/route/scope.js'
import { ApiError } from '../../contract/errors.js'
import type { Tx } from '../../store/db/database.js'
import { writeFirstPage } from '../content/first-page.js'
import { createSpace } from '../spaces/create.js'
import type { SpaceRow } from '../spaces/store.js'
import { samplePage } from './sample.js'
import { getPublishable, requireAbsent, showSpace } from './spaces.js'
import { type LinkedSpace, type SiteRow, insertSite, isBasenameTaken } from './store.js'
import { trimBothOf } from '../../core/trim.js'

export interface NewSite {
  readonly type?: string
  readonly title?: string
  readonly visibility?: string
  readonly spaces?: readonly string[] | 'sample' | 'empty'
}

interface Circumstances {
  /** That nothing else has; a new one when left out. */
  readonly id?: SiteId
  readonly organizationId: OrganizationId
  readonly reader: Reader
  readonly now: number
  readonly services: Services
}

const longestTitle = 128
/** Leaves room for a number below the 100 characters that a basename may have. */
const longestStem = 90

export async function createSite(tx: Tx, wanted: NewSite, circumstances: Circumstances): Promise<SiteRow> {
  const { id = newSiteId<SiteId>('site'), organizationId, reader, now } = circumstances
  const spaces = await spacesFor(tx, wanted, circumstances)
  const title = wanted.title ?? spaces[0]?.title.slice(0, longestTitle) ?? 'Untitled site'
  const site = await insertSite(tx, {
    id,
    organization_id: organizationId,
    type: wanted.type ?? 'basic',
    title,
    basename: await freeBasename(tx, organizationId, title),
    hostname: null,
    visibility: wanted.visibility ?? 'public',
    published: 0,
    published_at: null,
    adaptive_content: 0,
    proxy: null,
    icon: null,
    customization: '{}',
    created_at: now,
    updated_at: now,
  })
  const stream = { siteId: site.id }
  await recordEvent(tx, { organizationId, stream, type: 'site_created', userId: reader.userId, now })
  const shown: LinkedSpace[] = []
  for (const [index, space] of spaces.entries()) {
    const here = { row: site, spaces: shown }
    requireAbsent(here, space, `spaces[${index}]`)
    shown.push({ link: await showSpace(tx, here, space, { sectionId: null }), space })
  }
  return site
}

async function spacesFor(tx: Tx, wanted: NewSite, circumstances: Circumstances): Promise<SpaceRow[]> {
  const { organizationId, reader, now, services } = circumstances
  const { spaces = [], title } = wanted
  const maker = { organizationId, userId: reader.userId, now }
  if (spaces === 'empty' || spaces === 'sample') {
    const first = spaces === 'sample' ? { title: 'Welcome', text: samplePage } : undefined
    const snapshot = await writeFirstPage(tx, services, maker, first)
    return [await createSpace(tx, { title: title ?? 'Documentation' }, maker, snapshot)]
  }
  const found: SpaceRow[] = []
  for (const [index, id] of spaces.entries()) {
    const member = `spaces[${index}]`
    found.push(await getPublishable(tx, { organization_id: organizationId }, reader, { id, member }))
  }
  return found
}

async function freeBasename(tx: Tx, organizationId: OrganizationId, title: string): Promise<string> {
  const letters = slugify(title)
    .normalize('NFKD')
    .replace(/[^a-z0-9-]/g, '')
    .slice(0, longestStem)
  const plain = trimBothOf(letters, '-')
  const stem = plain === '' || (plain === 'page' && !/page/i.test(title)) ? 'site' : plain
  for (let count = 1; ; count++) {
    const candidate = count === 1 ? stem : `${stem}-${count}`
    if (!(await isBasenameTaken(tx, organizationId, candidate))) return candidate
  }
}

/** Throws 409 when another site of the organization answers at this name. */
export async function requireFreeBasename(tx: Tx, site: SiteRow, basename: string): Promise<void> {
  if (await isBasenameTaken(tx, site.organization_id, basename, site.id))
    throw new ApiError('already_taken', { member: 'basename', value: basename })
}

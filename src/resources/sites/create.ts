/** Creating a site with existing spaces or a new one; publishing is a separate step. */
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
import { samplePage } from './sample-page.js'
import { getPublishable, requireAbsent, addSpaceLink } from './spaces.js'
import { type LinkedSpace, type SiteRow, insertSite, isBasenameTaken } from './store.js'
import { trimBothOf } from '../../core/trim.js'

export interface NewSite {
  readonly type?: string
  readonly title?: string
  readonly visibility?: string
  readonly spaces?: readonly string[] | 'sample' | 'empty'
}

interface SiteCreationContext {
  /** An unused id; generated when omitted. */
  readonly id?: SiteId
  readonly organizationId: OrganizationId
  readonly reader: Reader
  readonly now: number
  readonly services: Services
}

const maxTitleLength = 128
/** Leaves room for a number within the 100 characters that a basename may have. */
const maxStemLength = 90

export async function createSite(tx: Tx, input: NewSite, context: SiteCreationContext): Promise<SiteRow> {
  const { id = newSiteId<SiteId>('site'), organizationId, reader, now } = context
  const spaces = await spacesFor(tx, input, context)
  const title = input.title ?? spaces[0]?.title.slice(0, maxTitleLength) ?? 'Untitled site'
  const site = await insertSite(tx, {
    id,
    organization_id: organizationId,
    type: input.type ?? 'basic',
    title,
    basename: await freeBasename(tx, organizationId, title),
    hostname: null,
    visibility: input.visibility ?? 'public',
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
  const linked: LinkedSpace[] = []
  for (const [index, space] of spaces.entries()) {
    const current = { row: site, spaces: linked }
    requireAbsent(current, space, `spaces[${index}]`)
    linked.push({ link: await addSpaceLink(tx, current, space, { sectionId: null }), space })
  }
  return site
}

async function spacesFor(tx: Tx, input: NewSite, context: SiteCreationContext): Promise<SpaceRow[]> {
  const { organizationId, reader, now, services } = context
  const { spaces = [], title } = input
  const creator = { organizationId, userId: reader.userId, now }
  if (spaces === 'empty' || spaces === 'sample') {
    const first = spaces === 'sample' ? { title: 'Welcome', text: samplePage } : undefined
    const snapshot = await writeFirstPage(tx, services, creator, first)
    return [await createSpace(tx, { title: title ?? 'Documentation' }, creator, snapshot)]
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
    .slice(0, maxStemLength)
  const plain = trimBothOf(letters, '-')
  const stem = plain === '' || (plain === 'page' && !/page/i.test(title)) ? 'site' : plain
  for (let count = 1; ; count++) {
    const candidate = count === 1 ? stem : `${stem}-${count}`
    if (!(await isBasenameTaken(tx, organizationId, candidate))) return candidate
  }
}

/** Throws 409 when another site of the organization has this basename. */
export async function requireFreeBasename(tx: Tx, site: SiteRow, basename: string): Promise<void> {
  if (await isBasenameTaken(tx, site.organization_id, basename, site.id))
    throw new ApiError('already_taken', { member: 'basename', value: basename })
}

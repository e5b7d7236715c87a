/** Sections of a site: each has spaces of its own, and the default section is at the site's root. */
import { parseExpression } from '../../core/conditions/parse.js'
import type { SiteSectionId } from '../../core/ids.js'
import { newSiteId } from '../../access/ids.js'
import { ApiError } from '../../contract/errors.js'
import type { Tx } from '../../store/db/database.js'
import type { RowUpdate } from '../../store/db/tables.js'
import type { SpaceRow } from '../spaces/store.js'
import { countClosure, mayClose } from './closures.js'
import { rememberPath, rememberLinkPath } from './former-paths.js'
import { makeDefault } from './make-default.js'
import { getGroup, positionAtEnd, requireSectionLimit } from './section-groups.js'
import { freePath, requireAbsent, addSpaceLink } from './spaces.js'
import type { SiteWithSpaces } from './store.js'
import { sectionsInOrder } from './structure.js'
import {
  type SectionRow,
  deleteSectionRow,
  gatherLinks,
  insertSection,
  setDefaultSection,
  updateSection,
} from './structure-store.js'

export interface NewSection {
  readonly title?: string | null
  readonly icon?: string | null
  readonly draft?: boolean
  readonly siteSectionGroupId?: string
}

export interface SectionChange {
  readonly title?: string
  readonly path?: string
  readonly description?: string | null
  readonly icon?: string | null
  readonly condition?: string | null
  readonly defaultSiteSpace?: string
  readonly draft?: boolean
  readonly siteSectionGroupId?: string | null
}

/** Adds a section with a space. The spaces of a site without sections move into a first section before it. */
export async function addSection(
  tx: Tx,
  site: SiteWithSpaces,
  space: SpaceRow,
  wanted: NewSection,
): Promise<SiteSectionId> {
  const { row, spaces, sections } = site
  requireAbsent(site, space, 'spaceId')
  requireSectionLimit(site, sections.length === 0 && spaces.length > 0 ? 2 : 1)
  const { title, icon, draft, siteSectionGroupId: group } = wanted
  const groupId = group === undefined ? null : getGroup(site, group, 'siteSectionGroupId').id
  const paths = new Set(sections.map(({ path }) => path))
  if (sections.length === 0 && spaces.length > 0) {
    const firstSection = await createSection(tx, site, paths, { title: row.title, isDefault: true })
    await gatherLinks(tx, row, firstSection)
    for (const { link } of spaces) await rememberLinkPath(tx, link)
  }
  const section = await createSection(tx, site, paths, {
    title: title ?? space.title,
    isDefault: sections.length === 0 && spaces.length === 0,
    groupId,
    icon: icon ?? null,
    draft: draft === true ? 1 : 0,
  })
  await addSpaceLink(tx, site, space, { sectionId: section })
  return section
}

interface SectionValues extends Pick<RowUpdate<'site_sections'>, 'icon' | 'draft'> {
  readonly title: string
  readonly isDefault: boolean
  readonly groupId?: SectionRow['group_id']
}

async function createSection(
  tx: Tx,
  { row }: SiteWithSpaces,
  paths: Set<string>,
  { title, isDefault, groupId = null, icon = null, draft = 0 }: SectionValues,
): Promise<SiteSectionId> {
  const path = freePath(title, paths)
  paths.add(path)
  const section = await insertSection(tx, {
    id: newSiteId<SiteSectionId>('sitesc'),
    organization_id: row.organization_id,
    site_id: row.id,
    group_id: groupId,
    title: sectionTitle(title),
    description: null,
    path,
    icon,
    is_default: isDefault ? 1 : 0,
    condition: null,
    draft,
  })
  return section.id
}

const [minTitleLength, maxTitleLength] = [2, 128]

/** Adjusts a space title to the length limits of section titles. */
function sectionTitle(title: string): string {
  const cut = title.trim().slice(0, maxTitleLength)
  return cut.length >= minTitleLength ? cut : `Section ${cut}`.trim()
}

/** Updates a section; throws 409 for a path that another one has. */
export async function changeSection(
  tx: Tx,
  site: SiteWithSpaces,
  section: SectionRow,
  change: SectionChange,
): Promise<void> {
  const { title, description, icon, draft } = change
  const update: RowUpdate<'site_sections'> = {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description: description === '' ? null : description }),
    ...(icon !== undefined && { icon: icon === '' ? null : icon }),
    ...(draft !== undefined && { draft: draft ? 1 : 0 }),
    ...(change.condition !== undefined && { condition: requireCondition(change.condition) }),
  }
  if (change.path !== undefined) {
    const others = site.sections.filter(({ id }) => id !== section.id)
    update.path = requireFreePath(change.path, others)
  }
  const { siteSectionGroupId: group } = change
  if (group !== undefined && group !== section.group_id) {
    const groupId = group === null ? null : getGroup(site, group, 'siteSectionGroupId').id
    update.group_id = groupId
    update.position = await positionAtEnd(tx, site.row, groupId, section.id)
  }
  await updateSection(tx, section, update)
  if (mayClose(update)) await countClosure(tx, site.row)
  if (update.path !== undefined && update.path !== section.path)
    await rememberPath(tx, site.row, { scope: '', path: section.path, target_id: section.id })
  if (change.defaultSiteSpace === undefined) return
  const wanted = site.spaces.find(
    ({ link }) => link.id === change.defaultSiteSpace && link.section_id === section.id,
  )
  if (wanted === undefined)
    throw new ApiError('invalid_reference', { member: 'defaultSiteSpace', thing: 'a space of the section' })
  await makeDefault(tx, site, wanted.link)
}

/** Deletes a section with its links; if it was the default, the first of the others becomes the default. */
export async function deleteSection(tx: Tx, site: SiteWithSpaces, section: SectionRow): Promise<void> {
  const hasOtherSpaces = site.spaces.some(({ link }) => link.section_id !== section.id)
  if (site.row.published === 1 && !hasOtherSpaces) throw new ApiError('site_needs_space')
  await deleteSectionRow(tx, section)
  await countClosure(tx, site.row)
  const next = sectionsInOrder(site).find(({ id }) => id !== section.id)
  if (section.is_default === 1 && next !== undefined) await setDefaultSection(tx, site.row, next.id)
}

/** Returns a condition that parses; throws 400 for any other. */
export function requireCondition(condition: string | null): string | null {
  if (condition === null) return null
  const parsed = parseExpression(condition)
  if (!parsed.ok) {
    const problem = parsed.problem.message.replace(/\.$/, '')
    throw new ApiError('invalid_expression', { member: 'condition', problem })
  }
  return condition
}

/** Returns a path as it is stored; throws 409 when one of the others has it, 400 for reserved paths. */
export function requireFreePath(wanted: string, others: readonly { readonly path: string }[]): string {
  const path = wanted.toLowerCase()
  if (reserved.has(path)) {
    const problem = `The member "path" cannot be "${path}": something else of every site stands there.`
    throw new ApiError('invalid_request', { problem })
  }
  if (others.some((other) => other.path === path))
    throw new ApiError('already_taken', { member: 'path', value: path })
  return path
}

/** Paths at the root of every site that are not pages. */
const reserved: ReadonlySet<string> = new Set(['robots.txt', 'sitemap.xml', 'llms.txt', 'llms-full.txt'])

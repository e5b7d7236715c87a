/** Groups of sections: menus, which may stand in each other. What is in a group stands in one order. */
import type { SiteSectionGroupId } from '../../core/ids.js'
import type { Position } from '../../core/order/position.js'
import { newSiteId } from '../../access/ids.js'
import { ApiError } from '../../contract/errors.js'
import { limits } from '../../contract/limits.js'
import type { Tx } from '../../store/db/database.js'
import { findGap, placeIn, placeLast } from '../../store/db/order.js'
import type { RowUpdate } from '../../store/db/tables.js'
import type { SiteWithSpaces } from './store.js'
import { deepestGroup, groupsAround, heightOf, treeOf } from './structure.js'
import {
  type SectionGroupRow,
  type SectionRow,
  type SiteKey,
  deleteGroupRow,
  insertGroup,
  setPosition,
  siblingsIn,
  updateGroup,
  updateSection,
} from './structure-store.js'

export interface NewGroup {
  readonly title: string
  readonly icon?: string | null
  readonly sections?: readonly string[]
  readonly parent?: string
}

export interface GroupChange {
  readonly title?: string
  readonly icon?: string | null
  readonly parentSectionGroupId?: string | null
}

/** Returns the group of the site with an id that a body named; else throws 400. */
export function getGroup(site: SiteWithSpaces, id: string, member: string): SectionGroupRow {
  const found = site.groups.find((row) => row.id === (id as SiteSectionGroupId))
  if (found === undefined) throw new ApiError('invalid_reference', { member, thing: 'a group of the site' })
  return found
}

/** Returns the section of the site with an id that a body named; else throws 400. */
export function getSection(site: SiteWithSpaces, id: string, member: string): SectionRow {
  const found = site.sections.find((row) => row.id === id)
  if (found === undefined) throw new ApiError('invalid_reference', { member, thing: 'a section of the site' })
  return found
}

/** Throws 409 when so many more sections or groups would be too many: every page shows them all. */
export function requireRoom({ sections, groups }: SiteWithSpaces, more: number): void {
  if (sections.length + groups.length + more > limits.siteSections)
    throw new ApiError('too_many_sections', { limit: limits.siteSections })
}

/** Answers the position behind all that stands in a group, or in the site itself, `except` left out. */
export function placeAtEnd(
  tx: Tx,
  site: SiteKey,
  group: SiteSectionGroupId | null,
  except = '',
): Promise<Position> {
  return placeLast(siblingsIn(tx, site, group, except))
}

/** Gathers sections in a group, in the order in which they are named. */
export async function addGroup(
  tx: Tx,
  site: SiteWithSpaces,
  { title, icon = null, sections = [], parent }: NewGroup,
): Promise<SectionGroupRow> {
  requireRoom(site, 1)
  const around = parent === undefined ? null : getGroup(site, parent, 'parent')
  requireDepth(site, around, 1, 'parent')
  const named = sections.map((id, at) => getSection(site, id, `sections[${at}]`))
  const { organization_id: organizationId, id: siteId } = site.row
  const row = await insertGroup(tx, {
    id: newSiteId<SiteSectionGroupId>('sitescg'),
    organization_id: organizationId,
    site_id: siteId,
    parent_id: around?.id ?? null,
    title,
    icon: icon === '' ? null : icon,
  })
  for (const section of named) await putIntoGroup(tx, site, section, row)
  return row
}

/** Changes a group; in another one it stands at the end. */
export async function changeGroup(
  tx: Tx,
  site: SiteWithSpaces,
  group: SectionGroupRow,
  { title, icon, parentSectionGroupId: parent }: GroupChange,
): Promise<void> {
  const update: RowUpdate<'site_section_groups'> = {
    ...(title !== undefined && { title }),
    ...(icon !== undefined && { icon: icon === '' ? null : icon }),
  }
  if (parent !== undefined && parent !== group.parent_id) {
    const around = parent === null ? null : getGroup(site, parent, 'parentSectionGroupId')
    requireOutside(site, group, around?.id ?? null, 'parentSectionGroupId')
    update.parent_id = around?.id ?? null
    update.position = await placeAtEnd(tx, site.row, update.parent_id, group.id)
  }
  await updateGroup(tx, group, update)
}

/** Removes a group; what is inside stands in its place, in its order. */
export async function deleteGroup(tx: Tx, site: SiteWithSpaces, group: SectionGroupRow): Promise<void> {
  for (const node of treeOf(site, group.id)) {
    const position = await placeBeside(tx, site.row, group, 'before', node.row.id)
    if (node.kind === 'section') await updateSection(tx, node.row, { group_id: group.parent_id, position })
    else await updateGroup(tx, node.row, { parent_id: group.parent_id, position })
  }
  await deleteGroupRow(tx, group)
}

/** Puts a section at the end of a group; one that is there already stays where it is. */
export async function putIntoGroup(
  tx: Tx,
  { row }: SiteWithSpaces,
  section: SectionRow,
  { id }: SectionGroupRow,
): Promise<void> {
  if (section.group_id === id) return
  await updateSection(tx, section, { group_id: id, position: await placeAtEnd(tx, row, id, section.id) })
}

/** Takes a section out of its group; it stands behind the group then. */
export async function takeOutOfGroup(
  tx: Tx,
  { row }: SiteWithSpaces,
  section: SectionRow,
  group: SectionGroupRow,
): Promise<void> {
  const position = await placeBeside(tx, row, group, 'after', section.id)
  await updateSection(tx, section, { group_id: group.parent_id, position })
}

async function placeBeside(
  tx: Tx,
  site: SiteKey,
  group: SectionGroupRow,
  side: 'before' | 'after',
  moved: string,
): Promise<Position> {
  const siblings = siblingsIn(tx, site, group.parent_id, moved)
  const gap = await findGap(siblings, { [side]: group.id })
  return placeIn(siblings, gap!, (id, position) => setPosition(tx, site, id, position))
}

/** Throws 400 when a group would come to stand inside itself, or too deep, by standing in another. */
export function requireOutside(
  site: SiteWithSpaces,
  group: SectionGroupRow,
  parent: SiteSectionGroupId | null,
  member: string,
): void {
  const around = groupsAround(site, parent)
  if (around.some(({ id }) => id === group.id))
    throw new ApiError('invalid_parent', { member, problem: 'a group cannot be put inside itself' })
  requireDepth(site, around[0] ?? null, heightOf(site, group.id), member)
}

function requireDepth(site: SiteWithSpaces, around: SectionGroupRow | null, height: number, member: string) {
  if (groupsAround(site, around?.id ?? null).length + height <= deepestGroup) return
  const problem = `groups stand in each other at most ${deepestGroup} deep`
  throw new ApiError('invalid_parent', { member, problem })
}

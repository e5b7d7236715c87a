/** Section groups: nested menus of sections. The sections and groups in a group share one order. */
import type { SiteSectionGroupId } from '../../core/ids.js'
import type { Position } from '../../core/order/position.js'
import { newSiteId } from '../../access/ids.js'
import { ApiError } from '../../contract/errors.js'
import { limits } from '../../contract/limits.js'
import type { Tx } from '../../store/db/database.js'
import { findGap, positionInGap, lastPosition } from '../../store/db/sibling-order.js'
import type { RowUpdate } from '../../store/db/tables.js'
import type { SiteWithSpaces } from './store.js'
import { maxGroupDepth, groupAncestry, heightOf, treeOf } from './structure.js'
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

/** Returns the group of the site with an id from the request body; throws 400 when there is none. */
export function getGroup(site: SiteWithSpaces, id: string, member: string): SectionGroupRow {
  const found = site.groups.find((row) => row.id === (id as SiteSectionGroupId))
  if (found === undefined) throw new ApiError('invalid_reference', { member, thing: 'a group of the site' })
  return found
}

/** Returns the section of the site with an id from the request body; throws 400 when there is none. */
export function getSection(site: SiteWithSpaces, id: string, member: string): SectionRow {
  const found = site.sections.find((row) => row.id === id)
  if (found === undefined) throw new ApiError('invalid_reference', { member, thing: 'a section of the site' })
  return found
}

/** Throws 409 when `more` sections or groups would exceed the limit: every page renders them all. */
export function requireSectionLimit({ sections, groups }: SiteWithSpaces, added: number): void {
  if (sections.length + groups.length + added > limits.siteSections)
    throw new ApiError('too_many_sections', { limit: limits.siteSections })
}

/** Returns the position after all siblings in a group, or in the site itself, ignoring `except`. */
export function positionAtEnd(
  tx: Tx,
  site: SiteKey,
  group: SiteSectionGroupId | null,
  except = '',
): Promise<Position> {
  return lastPosition(siblingsIn(tx, site, group, except))
}

/** Creates a group with these sections, in their order. */
export async function addGroup(
  tx: Tx,
  site: SiteWithSpaces,
  { title, icon = null, sections = [], parent }: NewGroup,
): Promise<SectionGroupRow> {
  requireSectionLimit(site, 1)
  const parentGroup = parent === undefined ? null : getGroup(site, parent, 'parent')
  requireDepth(site, parentGroup, 1, 'parent')
  const named = sections.map((id, at) => getSection(site, id, `sections[${at}]`))
  const { organization_id: organizationId, id: siteId } = site.row
  const row = await insertGroup(tx, {
    id: newSiteId<SiteSectionGroupId>('sitescg'),
    organization_id: organizationId,
    site_id: siteId,
    parent_id: parentGroup?.id ?? null,
    title,
    icon: icon === '' ? null : icon,
  })
  for (const section of named) await addToGroup(tx, site, section, row)
  return row
}

/** Updates a group; a new parent gets it at the end. */
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
    const parentGroup = parent === null ? null : getGroup(site, parent, 'parentSectionGroupId')
    requireValidParent(site, group, parentGroup?.id ?? null, 'parentSectionGroupId')
    update.parent_id = parentGroup?.id ?? null
    update.position = await positionAtEnd(tx, site.row, update.parent_id, group.id)
  }
  await updateGroup(tx, group, update)
}

/** Deletes a group; its children take its place, in their order. */
export async function deleteGroup(tx: Tx, site: SiteWithSpaces, group: SectionGroupRow): Promise<void> {
  for (const node of treeOf(site, group.id)) {
    const position = await positionBeside(tx, site.row, group, 'before', node.row.id)
    if (node.kind === 'section') await updateSection(tx, node.row, { group_id: group.parent_id, position })
    else await updateGroup(tx, node.row, { parent_id: group.parent_id, position })
  }
  await deleteGroupRow(tx, group)
}

/** Moves a section to the end of a group; one that is in it already keeps its position. */
export async function addToGroup(
  tx: Tx,
  { row }: SiteWithSpaces,
  section: SectionRow,
  { id }: SectionGroupRow,
): Promise<void> {
  if (section.group_id === id) return
  await updateSection(tx, section, { group_id: id, position: await positionAtEnd(tx, row, id, section.id) })
}

/** Moves a section out of its group, to the position after the group. */
export async function removeFromGroup(
  tx: Tx,
  { row }: SiteWithSpaces,
  section: SectionRow,
  group: SectionGroupRow,
): Promise<void> {
  const position = await positionBeside(tx, row, group, 'after', section.id)
  await updateSection(tx, section, { group_id: group.parent_id, position })
}

async function positionBeside(
  tx: Tx,
  site: SiteKey,
  group: SectionGroupRow,
  side: 'before' | 'after',
  moved: string,
): Promise<Position> {
  const siblings = siblingsIn(tx, site, group.parent_id, moved)
  const gap = await findGap(siblings, { [side]: group.id })
  return positionInGap(siblings, gap!, (id, position) => setPosition(tx, site, id, position))
}

/** Throws 400 when the new parent would put a group inside itself, or nest it too deep. */
export function requireValidParent(
  site: SiteWithSpaces,
  group: SectionGroupRow,
  parent: SiteSectionGroupId | null,
  member: string,
): void {
  const parentGroup = groupAncestry(site, parent)
  if (parentGroup.some(({ id }) => id === group.id))
    throw new ApiError('invalid_parent', { member, problem: 'a group cannot be put inside itself' })
  requireDepth(site, parentGroup[0] ?? null, heightOf(site, group.id), member)
}

function requireDepth(
  site: SiteWithSpaces,
  parentGroup: SectionGroupRow | null,
  height: number,
  member: string,
) {
  if (groupAncestry(site, parentGroup?.id ?? null).length + height <= maxGroupDepth) return
  const problem = `groups stand in each other at most ${maxGroupDepth} deep`
  throw new ApiError('invalid_parent', { member, problem })
}

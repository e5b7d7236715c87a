/**
 * Reordering the site structure: spaces among spaces, sections and groups among each other. The new neighbour
 * determines the target section or group; without a neighbour the item moves to the end of its current parent.
 */
import type { SiteSectionGroupId, SiteSectionId } from '../../core/ids.js'
import { ApiError } from '../../contract/errors.js'
import type { ItemPointer, ItemPosition } from '../../contract/site-structure.js'
import type { Tx } from '../../store/db/database.js'
import { type Gap, type Siblings, findGap, isInGap, positionInGap } from '../../store/db/sibling-order.js'
import { replaceDefault } from './change-site-space.js'
import { countClosure } from './closures.js'
import { rememberDefault, rememberLinkPath } from './former-paths.js'
import { requireValidParent } from './section-groups.js'
import type { SiteSpaceRow, SiteWithSpaces } from './store.js'
import {
  type SectionGroupRow,
  type SectionRow,
  linksIn,
  setPosition,
  siblingsIn,
  updateGroup,
  updateLink,
  updateSection,
} from './structure-store.js'

/** Moves a link; in another section it becomes a variant there, not the default. */
export async function moveLink(
  tx: Tx,
  site: SiteWithSpaces,
  link: SiteSpaceRow,
  position: ItemPosition = {},
): Promise<void> {
  const links = site.spaces.map((one) => one.link)
  const neighbour = neighbourOf(position, link.id, (id) => links.find((one) => one.id === id))
  const sectionId: SiteSectionId | null = (neighbour ?? link).section_id
  const isOtherSection = sectionId !== link.section_id
  const siblings = linksIn(tx, site.row, sectionId, link.id)
  const gap = await getGap(siblings, position)
  if (!isOtherSection && isInGap(gap, link)) return
  const isTaken = links.some((one) => one.section_id === sectionId && one.path === link.path)
  if (isOtherSection && isTaken) throw new ApiError('already_taken', { member: 'path', value: link.path })
  const newPosition = await positionInGap(siblings, gap, (id, at) =>
    updateLink(tx, { ...link, id: id as SiteSpaceRow['id'] }, { position: at }),
  )
  await updateLink(tx, link, {
    position: newPosition,
    ...(isOtherSection && { section_id: sectionId, is_default: 0 }),
  })
  if (isOtherSection) {
    await rememberLinkPath(tx, link)
    // That section may be a draft, or have a condition.
    await countClosure(tx, site.row)
  }
  if (isOtherSection && link.is_default === 1) {
    await rememberDefault(tx, site.row, link.section_id ?? '', link.id)
    await replaceDefault(tx, link)
  }
}

type Parent = SiteSectionGroupId | null
interface StructureItem {
  readonly id: string
  readonly parent: Parent
}

export async function moveSection(
  tx: Tx,
  site: SiteWithSpaces,
  section: SectionRow,
  position: ItemPosition = {},
): Promise<void> {
  const moved = { ...section, parent: section.group_id }
  const found = await resolvePosition(tx, site, moved, position)
  if (found !== undefined)
    await updateSection(tx, section, { group_id: found.parent, position: found.position })
}

export async function moveGroup(
  tx: Tx,
  site: SiteWithSpaces,
  group: SectionGroupRow,
  position: ItemPosition = {},
): Promise<void> {
  const moved = { ...group, parent: group.parent_id }
  const found = await resolvePosition(tx, site, moved, position, (parent) =>
    requireValidParent(site, group, parent, 'position'),
  )
  if (found !== undefined) await updateGroup(tx, group, { parent_id: found.parent, position: found.position })
}

/** Returns the parent and position of a section or group after a move; undefined when the move changes nothing. */
async function resolvePosition(
  tx: Tx,
  site: SiteWithSpaces,
  moved: StructureItem & { readonly position: string },
  position: ItemPosition,
  requireParent: (parent: Parent) => void = () => {},
): Promise<{ readonly parent: Parent; readonly position: string } | undefined> {
  const items: StructureItem[] = [
    ...site.sections.map(({ id, group_id: parent }) => ({ id, parent })),
    ...site.groups.map(({ id, parent_id: parent }) => ({ id, parent })),
  ]
  const neighbour = neighbourOf(position, moved.id, (id) => items.find((one) => one.id === id))
  const { parent } = neighbour ?? moved
  if (parent !== moved.parent) requireParent(parent)
  const siblings = siblingsIn(tx, site.row, parent, moved.id)
  const gap = await getGap(siblings, position)
  if (parent === moved.parent && isInGap(gap, moved)) return undefined
  const newPosition = await positionInGap(siblings, gap, (id, at) => setPosition(tx, site.row, id, at))
  return { parent, position: newPosition }
}

/** Returns the neighbour that a position names, undefined when it names none; throws 400 for an unknown id, and for the moved item. */
function neighbourOf<Item>(
  { before, after }: ItemPosition,
  moved: string,
  find: (id: string) => Item | undefined,
): Item | undefined {
  for (const [member, pointer] of [['before', before] as const, ['after', after] as const]) {
    if (pointer === undefined) continue
    if (idOf(pointer) === moved) throw invalidPosition(`"${member}" names what is to be moved itself`)
    if (find(idOf(pointer)) === undefined)
      throw invalidPosition(`"${member}" names nothing that it could stand beside`)
  }
  const pointer = before ?? after
  return pointer && find(idOf(pointer))
}

/** Returns the gap at a position; throws 400 when its two neighbours are not adjacent. */
async function getGap(siblings: Siblings, { before, after }: ItemPosition): Promise<Gap> {
  const neighbours = { before: before && idOf(before), after: after && idOf(after) }
  const gap = await findGap(siblings, neighbours)
  const isAdjacent =
    neighbours.before === undefined || neighbours.after === undefined || gap?.low?.id === neighbours.after
  if (gap === undefined || !isAdjacent)
    throw invalidPosition('"before" and "after" are not neighbours in this order')
  return gap
}

/** Returns the id in a pointer from whichever member is set; empty when none is. */
export function idOf({ id, siteSpace, siteSection }: ItemPointer): string {
  return id ?? siteSpace ?? siteSection ?? ''
}

function invalidPosition(problem: string): ApiError {
  return new ApiError('invalid_position', { problem })
}

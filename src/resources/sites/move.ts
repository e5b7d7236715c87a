/**
 * Moving the things of a structure: a space among spaces, sections and groups among each other. What is named as the
 * new neighbour says into which section or group it goes; without a neighbour it goes to the end of where it stands.
 */
import type { SiteSectionGroupId, SiteSectionId } from '../../core/ids.js'
import { ApiError } from '../../contract/errors.js'
import type { ItemPointer, ItemPosition } from '../../contract/site-structure.js'
import type { Tx } from '../../store/db/database.js'
import { type Gap, type Siblings, findGap, liesIn, placeIn } from '../../store/db/order.js'
import { replaceDefault } from './change-space.js'
import { rememberDefault, rememberPlace } from './former-paths.js'
import { requireOutside } from './section-groups.js'
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

/** Moves a link; in another section it is a variant among those of that section. */
export async function moveLink(
  tx: Tx,
  site: SiteWithSpaces,
  link: SiteSpaceRow,
  position: ItemPosition = {},
): Promise<void> {
  const links = site.spaces.map((one) => one.link)
  const neighbour = neighbourOf(position, link.id, (id) => links.find((one) => one.id === id))
  const sectionId: SiteSectionId | null = (neighbour ?? link).section_id
  const isElsewhere = sectionId !== link.section_id
  const siblings = linksIn(tx, site.row, sectionId, link.id)
  const gap = await getGap(siblings, position)
  if (!isElsewhere && liesIn(gap, link)) return
  const isTaken = links.some((one) => one.section_id === sectionId && one.path === link.path)
  if (isElsewhere && isTaken) throw new ApiError('already_taken', { member: 'path', value: link.path })
  const place = await placeIn(siblings, gap, (id, at) =>
    updateLink(tx, { ...link, id: id as SiteSpaceRow['id'] }, { position: at }),
  )
  await updateLink(tx, link, {
    position: place,
    ...(isElsewhere && { section_id: sectionId, is_default: 0 }),
  })
  if (isElsewhere) await rememberPlace(tx, link)
  if (isElsewhere && link.is_default === 1) {
    await rememberDefault(tx, site.row, link.section_id ?? '', link.id)
    await replaceDefault(tx, link)
  }
}

type Parent = SiteSectionGroupId | null
interface Placed {
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
  const found = await choosePlace(tx, site, moved, position)
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
  const found = await choosePlace(tx, site, moved, position, (parent) =>
    requireOutside(site, group, parent, 'position'),
  )
  if (found !== undefined) await updateGroup(tx, group, { parent_id: found.parent, position: found.position })
}

/** Answers where a section or group stands after a move, undefined where it stands there already. */
async function choosePlace(
  tx: Tx,
  site: SiteWithSpaces,
  moved: Placed & { readonly position: string },
  position: ItemPosition,
  requireParent: (parent: Parent) => void = () => {},
): Promise<{ readonly parent: Parent; readonly position: string } | undefined> {
  const placed: Placed[] = [
    ...site.sections.map(({ id, group_id: parent }) => ({ id, parent })),
    ...site.groups.map(({ id, parent_id: parent }) => ({ id, parent })),
  ]
  const neighbour = neighbourOf(position, moved.id, (id) => placed.find((one) => one.id === id))
  const { parent } = neighbour ?? moved
  if (parent !== moved.parent) requireParent(parent)
  const siblings = siblingsIn(tx, site.row, parent, moved.id)
  const gap = await getGap(siblings, position)
  if (parent === moved.parent && liesIn(gap, moved)) return undefined
  const place = await placeIn(siblings, gap, (id, at) => setPosition(tx, site.row, id, at))
  return { parent, position: place }
}

/** Returns what a position names, undefined when it names nothing; throws 400 for what is not there, and for itself. */
function neighbourOf<Item>(
  { before, after }: ItemPosition,
  moved: string,
  find: (id: string) => Item | undefined,
): Item | undefined {
  for (const [member, pointer] of [['before', before] as const, ['after', after] as const]) {
    if (pointer === undefined) continue
    if (idOf(pointer) === moved) throw misplaced(`"${member}" names what is to be moved itself`)
    if (find(idOf(pointer)) === undefined)
      throw misplaced(`"${member}" names nothing that it could stand beside`)
  }
  const meant = before ?? after
  return meant && find(idOf(meant))
}

/** Answers the gap at a position; throws 400 when its two neighbours have others between them. */
async function getGap(siblings: Siblings, { before, after }: ItemPosition): Promise<Gap> {
  const place = { before: before && idOf(before), after: after && idOf(after) }
  const gap = await findGap(siblings, place)
  const isWhole = place.before === undefined || place.after === undefined || gap?.low?.id === place.after
  if (gap === undefined || !isWhole) throw misplaced('"before" and "after" are not neighbours in this order')
  return gap
}

/** Returns the id in a pointer, by whichever member names it; empty when none does. */
export function idOf({ id, siteSpace, siteSection }: ItemPointer): string {
  return id ?? siteSpace ?? siteSection ?? ''
}

function misplaced(problem: string): ApiError {
  return new ApiError('invalid_position', { problem })
}

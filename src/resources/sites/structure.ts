/** The structure of a site as a tree: sections and groups in their order, spaces in their sections. Pure. */
import { groupBy } from '../../core/group.js'
import type { SiteSectionGroupId } from '../../core/ids.js'
import type { LinkedSpace, SiteWithSpaces } from './store.js'
import type { SectionGroupRow, SectionRow } from './structure-store.js'

export type StructureNode =
  | { readonly kind: 'section'; readonly row: SectionRow }
  | { readonly kind: 'group'; readonly row: SectionGroupRow; readonly children: readonly StructureNode[] }

type Parts = Pick<SiteWithSpaces, 'sections' | 'groups'>

/** How deep groups may stand in each other: a menu, and headings in it. */
export const deepestGroup = 3

/** Returns the sections and groups of a site, from the top; or of one of its groups. */
export function treeOf({ sections, groups }: Parts, top: SiteSectionGroupId | null = null): StructureNode[] {
  const sectionsOf = groupBy(sections, ({ group_id: group }) => group)
  const groupsOf = groupBy(groups, ({ parent_id: parent }) => parent)
  const below = (group: SiteSectionGroupId | null): StructureNode[] =>
    [
      ...(sectionsOf.get(group) ?? []).map((row) => ({ kind: 'section' as const, row })),
      ...(groupsOf.get(group) ?? []).map((row) => ({
        kind: 'group' as const,
        row,
        children: below(row.id),
      })),
    ].toSorted(byPlace)
  return below(top)
}

/** Byte by byte, as the database sorts. */
function byPlace({ row: a }: StructureNode, { row: b }: StructureNode): number {
  if (a.position !== b.position) return a.position < b.position ? -1 : 1
  return a.id < b.id ? -1 : 1
}

/** Returns the sections in the order in which they are read. */
export function sectionsInOrder(parts: Parts): SectionRow[] {
  const flat = (nodes: readonly StructureNode[]): SectionRow[] =>
    nodes.flatMap((node) => (node.kind === 'section' ? [node.row] : flat(node.children)))
  return flat(treeOf(parts))
}

/** Returns the links of each section in their order; those of a site without sections under null. */
export function linksBySection({ spaces }: Pick<SiteWithSpaces, 'spaces'>) {
  return groupBy(spaces, ({ link }: LinkedSpace) => link.section_id)
}

/** Returns the groups around a group, itself first. */
export function groupsAround({ groups }: Parts, id: SiteSectionGroupId | null): SectionGroupRow[] {
  const byId = new Map(groups.map((row) => [row.id, row]))
  const around: SectionGroupRow[] = []
  for (let row = id === null ? undefined : byId.get(id); row !== undefined;) {
    around.push(row)
    row = row.parent_id === null ? undefined : byId.get(row.parent_id)
  }
  return around
}

/** Returns how many groups stand in each other below a group, itself counted. */
export function heightOf({ groups }: Parts, id: SiteSectionGroupId): number {
  const groupsOf = groupBy(groups, ({ parent_id: parent }) => parent)
  const height = (group: SiteSectionGroupId): number =>
    1 + (groupsOf.get(group) ?? []).reduce((most, { id: inner }) => Math.max(most, height(inner)), 0)
  return height(id)
}

/** Tree of the site structure: sections and groups in order, spaces in their sections. Pure. */
import { groupBy } from '../../core/group.js'
import type { SiteSectionGroupId, SiteSectionId } from '../../core/ids.js'
import type { LinkedSpace, SiteWithSpaces } from './store.js'
import type { SectionGroupRow, SectionRow } from './structure-store.js'

export type StructureNode =
  | { readonly kind: 'section'; readonly row: SectionRow }
  | { readonly kind: 'group'; readonly row: SectionGroupRow; readonly children: readonly StructureNode[] }

type SectionTree = Pick<SiteWithSpaces, 'sections' | 'groups'>

/** How deep groups may be nested: a menu, and headings in it. */
export const maxGroupDepth = 3

/** Returns the sections and groups of a site, from the top; or of one of its groups. */
export function treeOf(
  { sections, groups }: SectionTree,
  top: SiteSectionGroupId | null = null,
): StructureNode[] {
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
    ].toSorted(byPosition)
  return below(top)
}

/** Bytewise, as the database sorts. */
function byPosition({ row: a }: StructureNode, { row: b }: StructureNode): number {
  if (a.position !== b.position) return a.position < b.position ? -1 : 1
  return a.id < b.id ? -1 : 1
}

/** A part of the structure with its sort key in reading order: position and id of each step from the top. */
export interface Sorted<Part> {
  readonly part: Part
  readonly key: readonly string[]
}

/** Returns the sections and groups in reading order (depth first), a group before what is inside. */
export function nodesInOrder(tree: SectionTree): Sorted<StructureNode>[] {
  const flat = (nodes: readonly StructureNode[], above: readonly string[]): Sorted<StructureNode>[] =>
    nodes.flatMap((node) => {
      const key = [...above, node.row.position, node.row.id]
      return [{ part: node, key }, ...(node.kind === 'group' ? flat(node.children, key) : [])]
    })
  return flat(treeOf(tree), [])
}

/** Returns the sections in reading order. */
export function sectionsInOrder(tree: SectionTree): SectionRow[] {
  return nodesInOrder(tree).flatMap(({ part }) => (part.kind === 'section' ? part.row : []))
}

/** Returns the spaces of the site in reading order: section by section, where it has any. */
export function spacesInOrder(site: SectionTree & Pick<SiteWithSpaces, 'spaces'>): Sorted<LinkedSpace>[] {
  const bySection = linksBySection(site)
  const inSection = (section: SiteSectionId | null, above: readonly string[]) =>
    (bySection.get(section) ?? []).map((part) => ({
      part,
      key: [...above, part.link.position, part.link.id],
    }))
  if (site.sections.length === 0) return inSection(null, [])
  return nodesInOrder(site).flatMap(({ part, key }) =>
    part.kind === 'section' ? inSection(part.row.id, key) : [],
  )
}

/** Returns the links of each section in their order; those of a site without sections under null. */
export function linksBySection({ spaces }: Pick<SiteWithSpaces, 'spaces'>) {
  return groupBy(spaces, ({ link }: LinkedSpace) => link.section_id)
}

/** Returns a group and its ancestors, innermost first. */
export function groupAncestry({ groups }: SectionTree, id: SiteSectionGroupId | null): SectionGroupRow[] {
  const byId = new Map(groups.map((row) => [row.id, row]))
  const ancestry: SectionGroupRow[] = []
  for (let row = id === null ? undefined : byId.get(id); row !== undefined;) {
    ancestry.push(row)
    row = row.parent_id === null ? undefined : byId.get(row.parent_id)
  }
  return ancestry
}

/** Returns the height of a group's subtree, itself counted. */
export function heightOf({ groups }: SectionTree, id: SiteSectionGroupId): number {
  const groupsOf = groupBy(groups, ({ parent_id: parent }) => parent)
  const height = (group: SiteSectionGroupId): number =>
    1 + (groupsOf.get(group) ?? []).reduce((most, { id: inner }) => Math.max(most, height(inner)), 0)
  return height(id)
}

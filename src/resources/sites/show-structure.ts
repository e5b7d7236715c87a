/**
 * The structure of a site as somebody of its organization sees it: of its spaces those that they may read and that are
 * not in the trash, of its sections those with such a space, and those with none at all; and as its readers see it,
 * who know of what it shows them and of nothing else.
 */
import type { Reader } from '../../access/rules/levels.js'
import { ApiError } from '../../contract/errors.js'
import type {
  SiteSection,
  SiteSectionGroup,
  SiteSpace,
  SiteStructure,
} from '../../contract/site-structure.js'
import { groupBy } from '../../core/group.js'
import type { SiteSectionGroupId, SiteSectionId, SiteSpaceId } from '../../core/ids.js'
import type { Db } from '../../store/db/database.js'
import { showSpaces } from '../spaces/show.js'
import { presentSection, presentSectionGroup, presentSiteSpace } from './present.js'
import { withLevel } from './scope.js'
import { type Place, contextOf } from './show.js'
import { shownPaths } from './shown.js'
import { type SiteRow, type SiteWithSpaces, findSite } from './store.js'
import { type StructureNode, treeOf } from './structure.js'

/** Presents the parts of one site; those that are named must be there. */
export interface Parts {
  link(id: SiteSpaceId): Promise<SiteSpace>
  links(ids: readonly SiteSpaceId[]): Promise<SiteSpace[]>
  section(id: SiteSectionId): Promise<SiteSection>
  sections(ids: readonly SiteSectionId[]): Promise<SiteSection[]>
  group(id: SiteSectionGroupId): Promise<SiteSectionGroup>
  groups(ids: readonly SiteSectionGroupId[]): Promise<SiteSectionGroup[]>
  structure(): Promise<SiteStructure>
}

/** Returns what presents the parts of a site as it stands; spaces are read when they are shown, all of one answer together. */
export async function showParts(db: Db, place: Place, site: SiteWithSpaces, reader: Reader): Promise<Parts> {
  const { readable } = await withLevel(db, site, reader)
  const context = { ...contextOf(place), site: site.row, paths: shownPaths(site) }
  const seen = site.spaces.filter(({ space }) => space.deleted_at === null && readable.has(space.id))
  const all = groupBy(site.spaces, ({ link }) => link.section_id)
  const bySection = groupBy(seen, ({ link }) => link.section_id)
  const isKnown = ({ row }: { readonly row: { readonly id: SiteSectionId } }) =>
    bySection.has(row.id) || (reader.shown === undefined && !all.has(row.id))

  async function showLinks(linked: typeof seen): Promise<Map<string | null, SiteSpace[]>> {
    const rows = linked.map(({ space }) => space)
    const spaces = await showSpaces(db, place.services.addresses, reader, rows)
    const shown = linked.map(({ link }, at) => presentSiteSpace(context, link, spaces[at]!))
    return groupBy(shown, ({ section }) => section ?? null)
  }

  async function sections(ids: readonly SiteSectionId[]): Promise<SiteSection[]> {
    const shown = await showLinks(ids.flatMap((id) => bySection.get(id) ?? []))
    const rows = new Map(site.sections.map((row) => [row.id, row]))
    return ids.map((id) => presentSection(context, rows.get(id)!, shown.get(id) ?? []))
  }

  async function links(ids: readonly SiteSpaceId[]): Promise<SiteSpace[]> {
    const byId = new Map(seen.map((one) => [one.link.id, one]))
    const shown = [...(await showLinks(ids.flatMap((id) => byId.get(id) ?? []))).values()].flat()
    const order = new Map<string, number>(ids.map((id, at) => [id, at]))
    return shown.toSorted((a, b) => order.get(a.id)! - order.get(b.id)!)
  }

  async function presentNodes(nodes: readonly StructureNode[]): Promise<(SiteSection | SiteSectionGroup)[]> {
    const inside = (some: readonly StructureNode[]): SiteSectionId[] =>
      some.flatMap((node) =>
        node.kind === 'group' ? inside(node.children) : isKnown(node) ? node.row.id : [],
      )
    // A group and one inside of it may be asked for together.
    const known = [...new Set(inside(nodes))]
    const shown = new Map((await sections(known)).map((one) => [one.id, one]))
    const present = (node: StructureNode): (SiteSection | SiteSectionGroup)[] => {
      if (node.kind === 'group') return [presentSectionGroup(node.row, node.children.flatMap(present))]
      const section = shown.get(node.row.id)
      return section === undefined ? [] : [section]
    }
    return nodes.flatMap(present)
  }

  async function groups(ids: readonly SiteSectionGroupId[]): Promise<SiteSectionGroup[]> {
    const byId = new Map<SiteSectionGroupId, StructureNode>()
    const collect = (node: StructureNode): void => {
      if (node.kind === 'section') return
      byId.set(node.row.id, node)
      node.children.forEach(collect)
    }
    treeOf(site).forEach(collect)
    return (await presentNodes(ids.map((id) => byId.get(id)!))) as SiteSectionGroup[]
  }

  return {
    links,
    sections,
    groups,
    async link(id) {
      const [shown] = await links([id])
      // Its space is in the trash: what cannot be shown is not changed either.
      if (shown === undefined) throw new ApiError('not_found', { thing: 'site space' })
      return shown
    },
    section: async (id) => (await sections([id]))[0]!,
    group: async (id) => (await groups([id]))[0]!,
    async structure() {
      if (site.sections.length > 0) return { type: 'sections', structure: await presentNodes(treeOf(site)) }
      return { type: 'siteSpaces', structure: (await showLinks(seen)).get(null) ?? [] }
    },
  }
}

/** The same of the site as a transaction has changed it. */
export async function showChanged(
  db: Db,
  place: Place,
  { organization_id: organizationId, id }: SiteRow,
  reader: Reader,
): Promise<Parts> {
  return showParts(db, place, (await findSite(db, organizationId, id))!, reader)
}

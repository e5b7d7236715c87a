/**
 * Wire format of the site structure, filtered for the caller. Members see the spaces that they may read and that are
 * not in the trash, the sections with such a space, and empty sections; readers of the site see only what is published
 * for them.
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
import { type ListPage, type PageRequest, pageOfItems } from '../../store/db/page.js'
import { showSpaces } from '../spaces/show.js'
import { presentSection, presentSectionGroup, presentSiteSpace } from './present.js'
import { withSiteLevels } from './scope.js'
import { type SiteResponseContext, urlContextOf } from './show.js'
import { publishedPaths } from './published-structure.js'
import { type LinkedSpace, type SiteRow, type SiteSpaceRow, type SiteWithSpaces, findSite } from './store.js'
import { type Sorted, type StructureNode, nodesInOrder, spacesInOrder, treeOf } from './structure.js'

type PresentedPage<Item> = Omit<ListPage<Item>, 'items'> & { items: Item[] }

/** Presents parts of one site; the ids must exist. */
export interface StructurePresenter {
  link(id: SiteSpaceId): Promise<SiteSpace>
  section(id: SiteSectionId): Promise<SiteSection>
  group(id: SiteSectionGroupId): Promise<SiteSectionGroup>
  structure(): Promise<SiteStructure>
  /** Lists are in the order of the structure, whatever the level. */
  listLinks(
    request: PageRequest & { readonly isDefault?: boolean | undefined },
  ): Promise<PresentedPage<SiteSpace>>
  listSections(request: PageRequest): Promise<PresentedPage<SiteSection>>
  listGroups(request: PageRequest): Promise<PresentedPage<SiteSectionGroup>>
}

/** Returns the presenter of a loaded site; spaces are read when presented, in one query per response. */
export async function createStructurePresenter(
  db: Db,
  context: SiteResponseContext,
  site: SiteWithSpaces,
  reader: Reader,
): Promise<StructurePresenter> {
  const { readable } = await withSiteLevels(db, site, reader)
  const urlContext = { ...urlContextOf(context), site: site.row, paths: publishedPaths(site) }
  const isVisibleSpace = ({ space }: LinkedSpace) => space.deleted_at === null && readable.has(space.id)
  const visible = site.spaces.filter(isVisibleSpace)
  const all = groupBy(site.spaces, ({ link }) => link.section_id)
  const bySection = groupBy(visible, ({ link }) => link.section_id)
  const isVisible = ({ row }: { readonly row: { readonly id: SiteSectionId } }) =>
    bySection.has(row.id) || (reader.visibleSpaces === undefined && !all.has(row.id))

  async function presentLinks(linked: typeof visible): Promise<Map<string | null, SiteSpace[]>> {
    const rows = linked.map(({ space }) => space)
    const spaces = await showSpaces(db, context.services.addresses, reader, rows)
    const presented = linked.map(({ link }, at) => presentSiteSpace(urlContext, link, spaces[at]!))
    return groupBy(presented, ({ section }) => section ?? null)
  }

  async function sections(ids: readonly SiteSectionId[]): Promise<SiteSection[]> {
    const presented = await presentLinks(ids.flatMap((id) => bySection.get(id) ?? []))
    const rows = new Map(site.sections.map((row) => [row.id, row]))
    return ids.map((id) => presentSection(urlContext, rows.get(id)!, presented.get(id) ?? []))
  }

  async function links(ids: readonly SiteSpaceId[]): Promise<SiteSpace[]> {
    const byId = new Map(visible.map((one) => [one.link.id, one]))
    const presented = [...(await presentLinks(ids.flatMap((id) => byId.get(id) ?? []))).values()].flat()
    const order = new Map<string, number>(ids.map((id, at) => [id, at]))
    return presented.toSorted((a, b) => order.get(a.id)! - order.get(b.id)!)
  }

  async function presentNodes(nodes: readonly StructureNode[]): Promise<(SiteSection | SiteSectionGroup)[]> {
    const sectionIdsIn = (some: readonly StructureNode[]): SiteSectionId[] =>
      some.flatMap((node) =>
        node.kind === 'group' ? sectionIdsIn(node.children) : isVisible(node) ? node.row.id : [],
      )
    // A group and one nested in it may be requested together.
    const sectionIds = [...new Set(sectionIdsIn(nodes))]
    const presented = new Map((await sections(sectionIds)).map((one) => [one.id, one]))
    const present = (node: StructureNode): (SiteSection | SiteSectionGroup)[] => {
      if (node.kind === 'group') return [presentSectionGroup(node.row, node.children.flatMap(present))]
      const section = presented.get(node.row.id)
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

  /** Returns a page of those parts, presented. */
  async function listPart<Part extends { readonly id: string }, Presented>(
    parts: readonly Sorted<Part>[],
    request: PageRequest,
    present: (ids: readonly Part['id'][]) => Promise<Presented[]>,
  ): Promise<PresentedPage<Presented>> {
    const { items, ...list } = pageOfItems(parts, ({ key }) => key, request)
    return { ...list, items: await present(items.map(({ part }) => part.id)) }
  }

  return {
    async link(id) {
      const [presented] = await links([id])
      // Its space is in the trash: what cannot be presented cannot be changed either.
      if (presented === undefined) throw new ApiError('not_found', { thing: 'site space' })
      return presented
    },
    section: async (id) => (await sections([id]))[0]!,
    group: async (id) => (await groups([id]))[0]!,
    listLinks({ isDefault, ...request }) {
      const isListed = ({ is_default: value }: SiteSpaceRow) =>
        isDefault === undefined || (value === 1) === isDefault
      const parts = spacesInOrder(site).flatMap(({ part, key }) =>
        isVisibleSpace(part) && isListed(part.link) ? [{ part: part.link, key }] : [],
      )
      return listPart(parts, request, links)
    },
    listSections(request) {
      const parts = nodesInOrder(site).flatMap(({ part, key }) =>
        part.kind === 'section' && isVisible(part) ? [{ part: part.row, key }] : [],
      )
      return listPart(parts, request, sections)
    },
    listGroups(request) {
      const parts = nodesInOrder(site).flatMap(({ part, key }) =>
        part.kind === 'group' ? [{ part: part.row, key }] : [],
      )
      return listPart(parts, request, groups)
    },
    async structure() {
      if (site.sections.length > 0) return { type: 'sections', structure: await presentNodes(treeOf(site)) }
      return { type: 'siteSpaces', structure: (await presentLinks(visible)).get(null) ?? [] }
    },
  }
}

/** The same for the site as changed in the transaction. */
export async function createPresenterAfterChange(
  db: Db,
  context: SiteResponseContext,
  { organization_id: organizationId, id }: SiteRow,
  reader: Reader,
): Promise<StructurePresenter> {
  return createStructurePresenter(db, context, (await findSite(db, organizationId, id))!, reader)
}

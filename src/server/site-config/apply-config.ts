/**
 * A site made as its settings say, by the verbs of the product: what is there already stays and is brought up to date,
 * known by its paths and titles. So a second run makes nothing twice, and one that was stopped is gone on with.
 */
import type { OrganizationId, SiteId, SiteSectionId, SpaceId } from '../../core/ids.js'
import { recordEvent } from '../../access/events/record.js'
import type { Reader } from '../../access/rules/levels.js'
import type { Services } from '../../access/route/scope.js'
import { changeLink } from '../../resources/sites/change-site-space.js'
import { createSite } from '../../resources/sites/create.js'
import { publishSite } from '../../resources/sites/publish.js'
import { addGroup } from '../../resources/sites/section-groups.js'
import { addSection, changeSection } from '../../resources/sites/sections.js'
import { addSpaceLink } from '../../resources/sites/spaces.js'
import { type SiteRow, type SiteWithSpaces, findSite, findSiteByNames } from '../../resources/sites/store.js'
import { changeSite } from '../../resources/sites/update.js'
import { findSpace } from '../../resources/spaces/store.js'
import type { Tx } from '../../store/db/database.js'
import { applyLooks } from './apply-customization.js'
import type { ConfiguredNode, ConfiguredSection, ConfiguredVariant, SiteConfig } from './read-config.js'

interface Circumstances {
  readonly services: Services
  readonly organizationId: OrganizationId
  readonly organizationHostname: string
  readonly reader: Reader
  readonly now: number
  /** Of a site that is made; one that has it is brought up to date. */
  readonly siteId: SiteId
  /** Brings the content of a folder into a space, a new one where none is named, and answers which. */
  fillSpace(
    variant: ConfiguredVariant & { readonly folder: string },
    space: SpaceId | undefined,
  ): Promise<SpaceId>
}

export interface Applied {
  readonly site: SiteRow
  readonly isNew: boolean
  readonly sections: number
  readonly groups: number
  readonly spaces: number
  /** What the settings name and no folder holds. */
  readonly leftOut: readonly string[]
  /** What of its looks was left out, a sentence each. */
  readonly looksLeftOut: readonly string[]
}

/** Makes the site, or brings it up to date, and publishes it. */
export async function applySiteConfig(config: SiteConfig, circumstances: Circumstances): Promise<Applied> {
  const { services, organizationId, now } = circumstances
  const { database } = services
  const { id, isNew } = await ensureSite(config, circumstances)
  const leftOut: string[] = []
  const current = async (tx: Tx): Promise<SiteWithSpaces> => (await findSite(tx, organizationId, id))!
  const groupsMade = new Set<string>()
  const made = new Map<string, SpaceId>()
  let looksLeftOut: readonly string[] = []
  let [sections, spaces] = [0, 0]

  for (const variant of filled(config.variants, leftOut, '')) {
    await ensureVariant(variant, undefined)
    spaces += 1
  }
  await ensureNodes(config.nodes, null)
  const site = await database.write(async (tx) => {
    const shown = await current(tx)
    const home = sectionsOf(config.nodes).find(({ isDefault }) => isDefault)
    const found = home && shown.sections.find(({ path }) => path === home.path.toLowerCase())
    if (found !== undefined && found.is_default === 0)
      await changeSite(tx, shown, { defaultSiteSection: found.id }, now)
    // A file that holds a title alone says nothing of looks.
    if (config.looks?.['styling'] !== undefined) {
      const here = { tx, services, reader: circumstances.reader, site: await current(tx) }
      looksLeftOut = await applyLooks(here, config.looks, { spaces: made, now })
    }
    const by = { userId: circumstances.reader.userId, now }
    // A new one was told of where it was made.
    if (!isNew) await recordEvent(tx, { organizationId, stream: { siteId: id }, type: 'site_updated', ...by })
    return publishSite(tx, await current(tx), by)
  })
  return { site, isNew, sections, groups: groupsMade.size, spaces, leftOut, looksLeftOut }

  async function ensureNodes(nodes: readonly ConfiguredNode[], groupId: string | null): Promise<void> {
    for (const node of nodes) {
      if (node.kind === 'section') await ensureSection(node, groupId)
      else {
        const group = await database.write(async (tx) => {
          const shown = await current(tx)
          const known = shown.groups.find((one) => one.title === node.title && one.parent_id === groupId)
          const { title, icon = null } = node
          return known ?? addGroup(tx, shown, { title, icon, ...(groupId !== null && { parent: groupId }) })
        })
        groupsMade.add(group.id)
        await ensureNodes(node.children, group.id)
      }
    }
  }

  async function ensureSection(section: ConfiguredSection, groupId: string | null): Promise<void> {
    const variants = filled(section.variants, leftOut, `${section.path}/`)
    for (const variant of variants) {
      await ensureVariant(variant, { section, groupId })
      spaces += 1
    }
    if (variants.length === 0) return
    sections += 1
    await database.write(async (tx) => {
      const shown = await current(tx)
      const row = shown.sections.find(({ path }) => path === section.path.toLowerCase())!
      const home = variants.find(({ isDefault }) => isDefault)
      const link =
        home && shown.spaces.find((one) => one.link.section_id === row.id && one.link.path === home.path)
      await changeSection(tx, shown, row, {
        title: section.title,
        icon: section.icon ?? null,
        description: section.description ?? null,
        condition: section.condition ?? null,
        draft: section.isDraft,
        siteSectionGroupId: groupId,
        ...(link !== undefined && { defaultSiteSpace: link.link.id }),
      })
    })
  }

  /** Fills the space of a variant, and shows it where it was not shown before. */
  async function ensureVariant(
    variant: FilledVariant,
    inside: { readonly section: ConfiguredSection; readonly groupId: string | null } | undefined,
  ): Promise<void> {
    const before = (await findSite(database.read, organizationId, id))!
    const path = variant.path.toLowerCase()
    const sectionOf = (shown: SiteWithSpaces) =>
      shown.sections.find((one) => one.path === inside?.section.path.toLowerCase())?.id ?? null
    const linkIn = (shown: SiteWithSpaces, sectionId: SiteSectionId | null) =>
      shown.spaces.find(({ link }) => link.section_id === sectionId && link.path === path)
    const known = linkIn(before, sectionOf(before))
    const spaceId = await circumstances.fillSpace(variant, known?.space.id)
    if (variant.space.id !== undefined) made.set(variant.space.id, spaceId)
    await database.write(async (tx) => {
      let shown = await current(tx)
      let sectionId = sectionOf(shown)
      const isNewSection = inside !== undefined && sectionId === null
      const space = (await findSpace(tx, organizationId, spaceId))!
      if (isNewSection) {
        const { title, path } = inside.section
        const wanted = { title, ...(inside.groupId !== null && { siteSectionGroupId: inside.groupId }) }
        sectionId = await addSection(tx, shown, space, wanted)
        shown = await current(tx)
        const row = shown.sections.find((one) => one.id === sectionId)!
        if (row.path !== path.toLowerCase()) await changeSection(tx, shown, row, { path })
      } else if (linkIn(shown, sectionId) === undefined) {
        await addSpaceLink(tx, shown, space, { sectionId })
      }
      shown = await current(tx)
      const { link } = shown.spaces.find((one) => one.space.id === spaceId)!
      await changeLink(tx, shown, link, {
        ...(link.path !== path && { path }),
        title: variant.title ?? null,
        draft: variant.isDraft,
        hidden: variant.isHidden,
        condition: variant.condition ?? null,
      })
    })
  }
}

async function ensureSite(
  { basename, title }: SiteConfig,
  { services, organizationId, organizationHostname, reader, now, siteId }: Circumstances,
): Promise<{ readonly id: SiteRow['id']; readonly isNew: boolean }> {
  return services.database.write(async (tx) => {
    const known =
      (basename === undefined ? undefined : await findSiteByNames(tx, organizationHostname, basename)) ??
      (await findSite(tx, organizationId, siteId))
    if (known !== undefined) return { id: known.row.id, isNew: false }
    const maker = { id: siteId, organizationId, reader, now, services }
    const row = await createSite(tx, { title, spaces: [] }, maker)
    if (basename !== undefined && row.basename !== basename) {
      const made = (await findSite(tx, organizationId, row.id))!
      await changeSite(tx, made, { basename }, now)
    }
    return { id: row.id, isNew: true }
  })
}

type FilledVariant = ConfiguredVariant & { readonly folder: string }

/** Those with content; the default one first, so that it is the default from the beginning. */
function filled(
  variants: readonly ConfiguredVariant[],
  leftOut: string[],
  above: string,
): readonly FilledVariant[] {
  return variants.filter((variant): variant is FilledVariant => {
    if (variant.folder === undefined) leftOut.push(`${above}${variant.path}`)
    return variant.folder !== undefined
  })
}

function sectionsOf(nodes: readonly ConfiguredNode[]): readonly ConfiguredSection[] {
  return nodes.flatMap((node) => (node.kind === 'section' ? [node] : sectionsOf(node.children)))
}

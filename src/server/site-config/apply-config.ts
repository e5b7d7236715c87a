/**
 * Idempotent import of a site configuration, through the operations of the API: existing sections, groups and variants are
 * found by their paths and titles and updated. So a second run creates nothing twice, and resumes one that was stopped.
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
import { conditionalPartWarnings } from '../../resources/sites/warnings.js'
import { changeSite } from '../../resources/sites/update.js'
import { findSpace } from '../../resources/spaces/store.js'
import type { Tx } from '../../store/db/database.js'
import { applyCustomization } from './apply-customization.js'
import type { ConfiguredNode, ConfiguredSection, ConfiguredVariant, SiteConfig } from './read-config.js'

interface SiteConfigContext {
  readonly services: Services
  readonly organizationId: OrganizationId
  readonly organizationHostname: string
  readonly reader: Reader
  readonly now: number
  /** Id of a new site; an existing site with this id is updated. */
  readonly siteId: SiteId
  /** Publishes also text under conditions, which a site that is not adaptive shows to everyone. */
  readonly publishesConditions: boolean
  /** Imports the content of a folder into a space, a new one when undefined. */
  fillSpace(
    variant: ConfiguredVariant & { readonly folder: string },
    space: SpaceId | undefined,
  ): Promise<FilledSpace>
}

interface FilledSpace {
  readonly spaceId: SpaceId
  /** Number of its pages and parts under conditions. */
  readonly conditions: number
}

export interface AppliedSiteConfig {
  readonly site: SiteRow
  readonly isNew: boolean
  readonly sections: number
  readonly groups: number
  readonly spaces: number
  /** Paths of variants in the configuration without a folder of content. */
  readonly leftOut: readonly string[]
  /** Parts of the customization that were left out, a sentence each. */
  readonly customizationLeftOut: readonly string[]
  /** Number of pages, parts, sections and variants under conditions; 0 for an adaptive site, which evaluates them. */
  readonly openConditions: number
  /** The same number for any site. */
  readonly conditions: number
}

/**
 * Creates or updates the site and publishes it, unless that would show everyone what is under a condition: a site that is
 * not published stays so then.
 */
export async function applySiteConfig(
  config: SiteConfig,
  context: SiteConfigContext,
): Promise<AppliedSiteConfig> {
  const { services, organizationId, now } = context
  const { database } = services
  const { id, isNew } = await ensureSite(config, context)
  const leftOut: string[] = []
  const loadSite = async (tx: Tx): Promise<SiteWithSpaces> => (await findSite(tx, organizationId, id))!
  const groupIds = new Set<string>()
  const createdSpaces = new Map<string, SpaceId>()
  let customizationLeftOut: readonly string[] = []
  let [sections, spaces, conditions] = [0, 0, 0]

  for (const variant of withContent(config.variants, leftOut, '')) {
    await ensureVariant(variant, undefined)
    spaces += 1
  }
  await ensureNodes(config.nodes, null)
  const { site, openConditions, all } = await database.write(async (tx) => {
    const current = await loadSite(tx)
    const home = sectionsOf(config.nodes).find(({ isDefault }) => isDefault)
    const found = home && current.sections.find(({ path }) => path === home.path.toLowerCase())
    if (found !== undefined && found.is_default === 0)
      await changeSite(tx, current, { defaultSiteSection: found.id }, now)
    // A file with a title alone does not set a customization.
    if (config.customization?.['styling'] !== undefined) {
      const target = { tx, services, reader: context.reader, site: await loadSite(tx) }
      customizationLeftOut = await applyCustomization(target, config.customization, {
        spaces: createdSpaces,
        now,
      })
    }
    const by = { userId: context.reader.userId, now }
    // The creation of a new site has recorded its own event.
    if (!isNew) await recordEvent(tx, { organizationId, stream: { siteId: id }, type: 'site_updated', ...by })
    const configured = await loadSite(tx)
    const isAdaptive = configured.row.adaptive_content === 1
    const all = conditions + conditionalPartWarnings(configured).length
    const openConditions = isAdaptive ? 0 : all
    const isPublic = openConditions === 0 || context.publishesConditions
    return { site: isPublic ? await publishSite(tx, configured, by) : configured.row, openConditions, all }
  })
  const counts = { sections, groups: groupIds.size, spaces, openConditions, conditions: all }
  return { site, isNew, ...counts, leftOut, customizationLeftOut }

  async function ensureNodes(nodes: readonly ConfiguredNode[], groupId: string | null): Promise<void> {
    for (const node of nodes) {
      if (node.kind === 'section') await ensureSection(node, groupId)
      else {
        const group = await database.write(async (tx) => {
          const current = await loadSite(tx)
          const known = current.groups.find((one) => one.title === node.title && one.parent_id === groupId)
          const { title, icon = null } = node
          return known ?? addGroup(tx, current, { title, icon, ...(groupId !== null && { parent: groupId }) })
        })
        groupIds.add(group.id)
        await ensureNodes(node.children, group.id)
      }
    }
  }

  async function ensureSection(section: ConfiguredSection, groupId: string | null): Promise<void> {
    const variants = withContent(section.variants, leftOut, `${section.path}/`)
    for (const variant of variants) {
      await ensureVariant(variant, { section, groupId })
      spaces += 1
    }
    if (variants.length === 0) return
    sections += 1
    await database.write(async (tx) => {
      const current = await loadSite(tx)
      const row = current.sections.find(({ path }) => path === section.path.toLowerCase())!
      const home = variants.find(({ isDefault }) => isDefault)
      const link =
        home && current.spaces.find((one) => one.link.section_id === row.id && one.link.path === home.path)
      await changeSection(tx, current, row, {
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

  /** Imports the content of a variant, and adds its space to the site if it is not there yet. */
  async function ensureVariant(
    variant: VariantWithContent,
    inside: { readonly section: ConfiguredSection; readonly groupId: string | null } | undefined,
  ): Promise<void> {
    const before = (await findSite(database.read, organizationId, id))!
    const path = variant.path.toLowerCase()
    const sectionOf = (current: SiteWithSpaces) =>
      current.sections.find((one) => one.path === inside?.section.path.toLowerCase())?.id ?? null
    const linkIn = (current: SiteWithSpaces, sectionId: SiteSectionId | null) =>
      current.spaces.find(({ link }) => link.section_id === sectionId && link.path === path)
    const known = linkIn(before, sectionOf(before))
    const { spaceId, conditions: found } = await context.fillSpace(variant, known?.space.id)
    conditions += found
    if (variant.space.id !== undefined) createdSpaces.set(variant.space.id, spaceId)
    await database.write(async (tx) => {
      let current = await loadSite(tx)
      let sectionId = sectionOf(current)
      const isNewSection = inside !== undefined && sectionId === null
      const space = (await findSpace(tx, organizationId, spaceId))!
      if (isNewSection) {
        const { title, path } = inside.section
        const input = { title, ...(inside.groupId !== null && { siteSectionGroupId: inside.groupId }) }
        sectionId = await addSection(tx, current, space, input)
        current = await loadSite(tx)
        const row = current.sections.find((one) => one.id === sectionId)!
        if (row.path !== path.toLowerCase()) await changeSection(tx, current, row, { path })
      } else if (linkIn(current, sectionId) === undefined) {
        await addSpaceLink(tx, current, space, { sectionId })
      }
      current = await loadSite(tx)
      const { link } = current.spaces.find((one) => one.space.id === spaceId)!
      await changeLink(tx, current, link, {
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
  { services, organizationId, organizationHostname, reader, now, siteId }: SiteConfigContext,
): Promise<{ readonly id: SiteRow['id']; readonly isNew: boolean }> {
  return services.database.write(async (tx) => {
    const known =
      (basename === undefined ? undefined : await findSiteByNames(tx, organizationHostname, basename)) ??
      (await findSite(tx, organizationId, siteId))
    if (known !== undefined) return { id: known.row.id, isNew: false }
    const creation = { id: siteId, organizationId, reader, now, services }
    const row = await createSite(tx, { title, spaces: [] }, creation)
    if (basename !== undefined && row.basename !== basename) {
      const newSite = (await findSite(tx, organizationId, row.id))!
      await changeSite(tx, newSite, { basename }, now)
    }
    return { id: row.id, isNew: true }
  })
}

type VariantWithContent = ConfiguredVariant & { readonly folder: string }

/** Returns the variants with content, and records the paths of the others in `leftOut`. */
function withContent(
  variants: readonly ConfiguredVariant[],
  leftOut: string[],
  above: string,
): readonly VariantWithContent[] {
  return variants.filter((variant): variant is VariantWithContent => {
    if (variant.folder === undefined) leftOut.push(`${above}${variant.path}`)
    return variant.folder !== undefined
  })
}

function sectionsOf(nodes: readonly ConfiguredNode[]): readonly ConfiguredSection[] {
  return nodes.flatMap((node) => (node.kind === 'section' ? [node] : sectionsOf(node.children)))
}

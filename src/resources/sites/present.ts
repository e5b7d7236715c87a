/** Wire format of sites and their structure. */
import { type SiteAction, type SiteLevels, authorizeOnSite, reaches } from '../../access/rules/levels.js'
import type { Addresses } from '../../contract/addresses.js'
import type { SiteAdaptiveSchema } from '../../contract/site-adaptive.js'
import type { SiteSection, SiteSectionGroup, SiteSpace } from '../../contract/site-structure.js'
import type { Site } from '../../contract/sites.js'
import type { Space } from '../../contract/spaces.js'
import type { JsonObject } from '../../core/json-schema/json.js'
import type { PublishedPaths } from './published-structure.js'
import type { SiteRow, SiteSpaceRow } from './store.js'
import type { SectionGroupRow, SectionRow } from './structure-store.js'
import type { VisitorSchemaRow } from './visitor-schema-store.js'

/** What every site has: no feature depends on a plan. */
const features = [
  'sites-full-text-search',
  'sites-multivariant-site',
  'sites-no-custom-domain',
  'sites-public-visibility',
  'sites-sections',
  'sites-unlisted-visibility',
]

export interface SiteUrlContext {
  readonly addresses: Addresses
  readonly organizationHostname: string
  /** Path segment of a share link that published URLs carry on, with a trailing slash. */
  readonly sharePath?: string | undefined
}

/** Returns the published URL of a site, with the share link when one is used. */
export function addressOf(
  { addresses, organizationHostname, sharePath = '' }: SiteUrlContext,
  { basename, hostname }: Pick<SiteRow, 'basename' | 'hostname'>,
): string {
  return addresses.site(organizationHostname, basename, hostname) + sharePath
}

interface SiteFacts {
  /** Number of its spaces. */
  readonly siteSpaces: number
  /** Of the caller. */
  readonly levels: SiteLevels
}

export function presentSite(context: SiteUrlContext, row: SiteRow, { siteSpaces, levels }: SiteFacts): Site {
  const { addresses, organizationHostname } = context
  const app = `/o/${row.organization_id}/site/${row.id}/`
  const address = addresses.site(organizationHostname, row.basename, row.hostname)
  return {
    object: 'site',
    id: row.id,
    type: row.type as Site['type'],
    appliedType: row.type as Site['type'],
    title: row.title,
    ...(row.icon !== null && { icon: JSON.parse(row.icon) as NonNullable<Site['icon']> }),
    ...(row.hostname !== null && { hostname: row.hostname }),
    basename: row.basename,
    ...(row.proxy !== null && { proxy: { origin: JSON.parse(row.proxy) as string, target: address } }),
    visibility: row.visibility as Site['visibility'],
    defaultLevel: 'inherit',
    permissions: permissionsOf(levels),
    agentsContext: 'included',
    published: row.published === 1,
    siteSpaces,
    createdAt: new Date(row.created_at).toISOString(),
    adaptiveContent: { enabled: row.adaptive_content === 1 },
    features: features.map((id) => ({ id, plan: row.type, frozen: false })),
    urls: {
      location: addresses.api(`/orgs/${row.organization_id}/sites/${row.id}`),
      app: addresses.app(app),
      preview: addresses.app(`${app}preview`),
      ...(row.published === 1 && { published: addressOf(context, row) }),
    },
  }
}

/** A site has no roles of its own: they follow from those on its spaces. */
function permissionsOf(levels: SiteLevels): Site['permissions'] {
  const may = (action: SiteAction) => authorizeOnSite(levels, action) === 'yes'
  return {
    view: may('view'),
    access: may('view'),
    edit: reaches(levels.everywhere, 'edit'),
    create: may('administer'),
    admin: may('administer'),
    installIntegration: false,
    viewAdaptiveSchema: may('view'),
    editAdaptiveSchema: may('administer'),
  }
}

/** A site whose structure is presented, with the paths that readers reach. */
export interface StructureUrlContext extends SiteUrlContext {
  readonly site: SiteRow
  readonly paths: PublishedPaths
}

/** Only what readers reach has a published URL. */
function urlsOf(context: StructureUrlContext, path: string | undefined) {
  if (context.site.published === 0 || path === undefined) return {}
  return { published: addressOf(context, context.site) + path }
}

export function presentSiteSpace(context: StructureUrlContext, link: SiteSpaceRow, space: Space): SiteSpace {
  return {
    object: 'site-space',
    id: link.id,
    path: link.path,
    title: link.title ?? space.title,
    ...(link.section_id !== null && { section: link.section_id }),
    space,
    default: link.is_default === 1,
    draft: link.draft === 1,
    hidden: link.hidden === 1,
    ...(link.condition !== null && { condition: link.condition }),
    urls: urlsOf(context, context.paths.links.get(link.id)),
  }
}

export function presentSection(
  context: StructureUrlContext,
  row: SectionRow,
  siteSpaces: readonly SiteSpace[],
): SiteSection {
  return {
    object: 'site-section',
    id: row.id,
    title: row.title,
    ...(row.description !== null && { description: row.description }),
    ...(row.icon !== null && { icon: row.icon }),
    path: row.path,
    default: row.is_default === 1,
    draft: row.draft === 1,
    ...(row.condition !== null && { condition: row.condition }),
    ...(row.group_id !== null && { sectionGroup: row.group_id }),
    siteSpaces: [...siteSpaces],
    urls: urlsOf(context, context.paths.sections.get(row.id)),
  }
}

export function presentSectionGroup(
  row: SectionGroupRow,
  children: readonly (SiteSection | SiteSectionGroup)[],
): SiteSectionGroup {
  return {
    object: 'site-section-group',
    id: row.id,
    title: row.title,
    ...(row.icon !== null && { icon: row.icon }),
    draft: false,
    ...(row.parent_id !== null && { sectionGroup: row.parent_id }),
    sections: children.filter((child) => child.object === 'site-section'),
    children: [...children],
  }
}

export function presentVisitorSchema({ json_schema, updated_at }: VisitorSchemaRow): SiteAdaptiveSchema {
  return {
    object: 'site-adaptive-schema',
    jsonSchema: JSON.parse(json_schema) as JsonObject,
    updatedAt: new Date(updated_at).toISOString(),
  }
}

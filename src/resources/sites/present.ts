/** Sites and what they show, on the wire. */
import type { Addresses } from '../../contract/addresses.js'
import {
  type Customization,
  type SiteCustomization,
  defaultCustomization,
} from '../../contract/customization.js'
import type { Site, SiteSpace } from '../../contract/sites.js'
import type { Space } from '../../contract/spaces.js'
import type { SiteRow, SiteSpaceRow } from './store.js'

/** What every site has: nothing here depends on a plan. */
const features = [
  'sites-full-text-search',
  'sites-multivariant-site',
  'sites-no-custom-domain',
  'sites-public-visibility',
  'sites-unlisted-visibility',
]

interface SiteContext {
  readonly addresses: Addresses
  readonly organizationHostname: string
}

export function presentSite(
  { addresses, organizationHostname }: SiteContext,
  row: SiteRow,
  siteSpaces: number,
): Site {
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
    agentsContext: 'included',
    published: row.published === 1,
    siteSpaces,
    createdAt: new Date(row.created_at).toISOString(),
    adaptiveContent: { enabled: row.adaptive_content === 1 },
    features: features.map((id) => ({ id, plan: row.type, frozen: false })),
    urls: {
      location: addresses.api(`/orgs/${row.organization_id}/sites/${row.id}`),
      app: addresses.app(`/o/${row.organization_id}/site/${row.id}/`),
      ...(row.published === 1 && { published: address }),
    },
  }
}

export function presentSiteSpace(
  { addresses, organizationHostname }: SiteContext,
  site: SiteRow,
  link: SiteSpaceRow,
  space: Space,
): SiteSpace {
  const address = addresses.site(organizationHostname, site.basename, site.hostname)
  return {
    object: 'site-space',
    id: link.id,
    path: link.path,
    title: space.title,
    space,
    default: link.is_default === 1,
    draft: false,
    ...(link.condition !== null && { condition: link.condition }),
    urls: site.published === 1 ? { published: address + pathOfLink(link) } : {},
  }
}

/** Path below the site's address, empty or with a slash at its end. */
export function pathOfLink(link: Pick<SiteSpaceRow, 'is_default' | 'path'>): string {
  return link.is_default === 1 ? '' : `${link.path}/`
}

/** The customization with its defaults filled in, one level deep: stored ones hold what was set. */
export function customizationOf(row: SiteRow): Customization {
  const stored = JSON.parse(row.customization) as Partial<Customization>
  return {
    ...defaultCustomization,
    ...stored,
    styling: { ...defaultCustomization.styling, ...stored.styling },
  }
}

/** The customization on the wire, whose clients know of light and dark alone. */
export function presentCustomization({ themes, ...rest }: Customization): SiteCustomization {
  return { ...rest, themes: { ...themes, default: themes.default === 'dark' ? 'dark' : 'light' } }
}

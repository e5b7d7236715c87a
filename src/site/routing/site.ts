/**
 * A site as its readers meet it: where it stands, what it shows, how it looks. Plain values, made from
 * rows once and kept; the same shape serves a published site and the preview of a single space.
 */
import type { OrganizationId, RevisionId, SpaceId } from '../../core/ids.js'
import type { Addresses } from '../../contract/addresses.js'
import { type Customization, defaultCustomization } from '../../contract/customization.js'
import type { Site } from '../../contract/sites.js'
import { emojiText } from '../blocks/icons.js'
import { customizationOf } from '../../resources/sites/present.js'
import type { AddressedSite, SiteWithSpaces } from '../../resources/sites/store.js'
import type { SpaceRow } from '../../resources/spaces/store.js'
import { defaultEmoji } from '../../resources/spaces/present.js'

/** One space of a site; the default one stands at the site's root. */
export interface Variant {
  /** Path segment below the site's base; known for the default one too, whose old address it may be. */
  readonly path: string
  readonly isDefault: boolean
  readonly title: string
  readonly language: string | null
  readonly spaceId: SpaceId
  readonly revisionId: RevisionId
}

export interface ShownSite {
  readonly organizationId: OrganizationId
  readonly title: string
  /** Path of the first page from the root of the host, with a slash at both ends. */
  readonly base: string
  /** The same as an absolute URL: the address that crawlers keep. */
  readonly url: string
  readonly visibility: Site['visibility'] | 'private'
  /** False: conditions are not worked out, and what they guard is shown. */
  readonly isAdaptive: boolean
  readonly emoji?: string
  readonly customization: Customization
  readonly variants: readonly Variant[]
  /** Changes whenever anything changes that a page of the site shows, apart from the content itself. */
  readonly fingerprint: string
}

/** Which address the reader came by: below the product's own, or a host of the site. */
export type Door = 'path' | 'host'

/** Returns the site as it is reached by a door; without spaces it has no variants. */
export function shownSite(addresses: Addresses, site: AddressedSite, door: Door): ShownSite {
  const { row, organizationHostname } = site
  const url = addresses.site(organizationHostname, row.basename, row.hostname)
  const own = new URL(`${addresses.base}/@${organizationHostname}/${row.basename}/`).pathname
  const base = door === 'path' ? own : new URL(url).pathname
  const variants = variantsOf(site)
  const first = variants.find(({ isDefault }) => isDefault)
  const emoji = emojiOf(site.spaces.find(({ space }) => space.id === first?.spaceId)?.space)
  return {
    organizationId: row.organization_id,
    title: row.title,
    base,
    url,
    visibility: row.visibility as Site['visibility'],
    isAdaptive: row.adaptive_content === 1,
    ...(emoji !== undefined && { emoji }),
    customization: customizationOf(row),
    variants,
    fingerprint: JSON.stringify([
      base,
      url,
      row,
      emoji,
      variants.map(({ path, title, language, spaceId }) => [path, title, language, spaceId]),
    ]),
  }
}

function variantsOf({ spaces }: SiteWithSpaces): Variant[] {
  const shown = spaces.filter(({ space }) => space.deleted_at === null)
  // While the default space lies in the trash, the first of the others stands in for it.
  const first = shown.find(({ link }) => link.is_default === 1) ?? shown[0]
  return shown.map((one) => ({
    path: one.link.path.toLowerCase(),
    isDefault: one === first,
    title: one.space.title,
    language: one.space.language,
    spaceId: one.space.id,
    revisionId: one.space.revision_id,
  }))
}

/** Returns a single space as a site of its own, for those who may read it. */
export function previewSite(addresses: Addresses, space: SpaceRow): ShownSite {
  const url = addresses.app(`/s/${space.id}/`)
  const base = new URL(url).pathname
  const emoji = emojiOf(space)
  return {
    organizationId: space.organization_id,
    title: space.title,
    base,
    url,
    visibility: 'private',
    isAdaptive: false,
    ...(emoji !== undefined && { emoji }),
    customization: defaultCustomization,
    variants: [
      {
        path: space.id,
        isDefault: true,
        title: space.title,
        language: space.language,
        spaceId: space.id,
        revisionId: space.revision_id,
      },
    ],
    fingerprint: JSON.stringify([base, url, space.title, emoji, space.language]),
  }
}

/** An emoji that somebody chose: the one that every space begins with says nothing. */
function emojiOf(space: SpaceRow | undefined): string | undefined {
  if (space === undefined || space.emoji === null || space.emoji === defaultEmoji) return undefined
  return emojiText(space.emoji) || undefined
}

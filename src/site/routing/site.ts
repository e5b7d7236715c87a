/**
 * View model of a site: its addresses, structure and customization as plain values, built from rows once and cached. The
 * same shape serves a published site and the preview of a single space.
 */
import { type ClaimReader, createAnonymousReader } from '../../core/conditions/claim-reader.js'
import type { ChangeRequestId, OrganizationId, RevisionId, SiteId, SpaceId } from '../../core/ids.js'
import type { Addresses } from '../../contract/addresses.js'
import { type Customization, defaultCustomization } from '../../contract/customization.js'
import type { SiteScript } from '../../contract/site-scripts.js'
import type { Site } from '../../contract/sites.js'
import { emojiText } from '../blocks/icons.js'
import type { LatestVersion } from '../../resources/openapi-specs/store.js'
import { customizationOf, hasOverrides } from '../../resources/sites/customization.js'
import { scriptsOf } from '../../resources/sites/scripts.js'
import { type PublishedSection, publishedSections } from '../../resources/sites/published-structure.js'
import { type AddressedSite, isOpenSite } from '../../resources/sites/store.js'
import { type StructureNode, treeOf } from '../../resources/sites/structure.js'
import type { SpaceRow } from '../../resources/spaces/store.js'
import { defaultEmoji } from '../../resources/spaces/present.js'
import { filePath } from './address.js'
import { type LinkTargets, effectiveCustomization } from './effective-customization.js'

/** One space of a site, as a variant of its section. */
export interface Variant {
  /** Of the site space. */
  readonly id: string
  /** Its own part of a path; the default variant has one too, as an alternative address. */
  readonly path: string
  /** The parts of its path below the site's base; none at the root. */
  readonly names: readonly string[]
  /** The default of its section. */
  readonly isDefault: boolean
  /** True when the site space has a title of its own instead of its space's. */
  readonly hasOwnTitle: boolean
  /** Not in menus, search and feeds. */
  readonly isHidden: boolean
  readonly title: string
  readonly language: string | null
  readonly spaceId: SpaceId
  readonly revisionId: RevisionId
}

/** The target of a tab; on a site without sections, its whole content. */
export interface Section {
  readonly id: string | undefined
  /** Undefined on a site without sections. */
  readonly path: string | undefined
  /** At the root of the site. */
  readonly isDefault: boolean
  /** In order, never empty; one of them is the default. */
  readonly variants: readonly Variant[]
}

/** A tab, or a menu of them. */
export type Tab =
  | {
      readonly section: Section
      readonly title: string
      readonly icon?: string
      readonly description?: string
    }
  | { readonly title: string; readonly icon?: string; readonly tabs: readonly Tab[] }

export interface PublishedSite {
  readonly organizationId: OrganizationId
  /** Undefined for previews of spaces. */
  readonly siteId: SiteId | undefined
  /** The change request that is previewed: it is not in the search index, and the space's events are not about it. */
  readonly changeRequest?: { readonly id: ChangeRequestId; readonly spaceId: SpaceId }
  readonly title: string
  /** Path of the first page from the root of the host, with a slash at both ends. */
  readonly base: string
  /** The canonical absolute URL of the base. */
  readonly url: string
  readonly visibility: Site['visibility'] | 'private'
  /** True for previews, which the app displays in frames. */
  readonly isFramable?: true
  /** True where files are not public: they are then below the site's base, with the site's authorization. */
  readonly hasOwnFiles: boolean
  /** Path prefix of the files of its spaces for its readers. */
  readonly files: string
  /** False: conditions are not evaluated, and what they guard is visible. */
  readonly isAdaptive: boolean
  /** The reader's claims, for evaluating conditions. */
  readonly claimReader: ClaimReader
  readonly emoji?: string
  readonly customization: Customization
  /** Of variants with overrides, by variant id. */
  readonly variantCustomizations: ReadonlyMap<string, Customization>
  /** Paths of pages and files that the settings link to. */
  readonly linkTargets: LinkTargets
  /**
   * Third-party scripts of its pages, only on hosts of sites: below the product's own origin they could act with the
   * session of a signed-in reader.
   */
  readonly scripts: readonly SiteScript[]
  /** The latest versions of the organization's specifications, for API blocks. */
  readonly specifications: readonly LatestVersion[]
  /** In reading order. */
  readonly sections: readonly Section[]
  /** Sections and groups of the header; none for fewer than two sections. */
  readonly tabs: readonly Tab[]
  /** The variants of all sections. */
  readonly variants: readonly Variant[]
  /** Changes whenever anything changes that a page of the site shows apart from its content. */
  readonly fingerprint: string
}

/** By which address the site was requested: a path of the product's host, or a host of the site. */
export type SiteEntryPoint = 'path' | 'host'

/** Returns the site for one entry point and reader; a site without spaces has no variants. */
export function publishedSite(
  addresses: Addresses,
  site: AddressedSite,
  { entryPoint, claimReader }: { readonly entryPoint: SiteEntryPoint; readonly claimReader: ClaimReader },
): PublishedSite {
  const { row, organizationHostname } = site
  const url = addresses.site(organizationHostname, row.basename, row.hostname)
  const pathBase = new URL(`${addresses.base}/@${organizationHostname}/${row.basename}/`).pathname
  const base = entryPoint === 'path' ? pathBase : new URL(url).pathname
  const visible = publishedSections(site, claimReader)
  const sections = visible.map(sectionOf)
  const variants = sections.flatMap((section) => section.variants)
  const root = visible.find(({ isDefault }) => isDefault)?.links.find(({ isDefault }) => isDefault)
  const emoji = emojiOf(root?.space)
  // On an adaptive site a file is only for readers of a page that uses it.
  const hasOwnFiles = !isOpenSite(row) || row.adaptive_content === 1
  const files = hasOwnFiles ? base + filePath : openFiles(addresses)
  const tabs = tabsOf(treeOf(site), new Map(visible.map(({ row }, at) => [row?.id, sections[at]!])))
  return {
    organizationId: row.organization_id,
    siteId: row.id,
    title: row.title,
    base,
    url,
    visibility: row.visibility as Site['visibility'],
    hasOwnFiles,
    files,
    isAdaptive: row.adaptive_content === 1,
    claimReader,
    ...(emoji !== undefined && { emoji }),
    customization: effectiveCustomization(addresses, customizationOf(row), files),
    variantCustomizations: new Map(
      site.spaces
        .filter(({ link }) => hasOverrides(link))
        .map(({ link }) => [link.id, effectiveCustomization(addresses, customizationOf(row, link), files)]),
    ),
    linkTargets: new Map(),
    scripts: entryPoint === 'host' ? scriptsOf(row) : [],
    specifications: [],
    sections,
    tabs: sections.length > 1 ? tabs : [],
    variants,
    fingerprint: JSON.stringify([
      base,
      url,
      row,
      site.spaces.map(({ link }) => link.customization),
      emoji,
      sections.length > 1 ? tabs.map(tabFingerprint) : [],
      variants.map(({ names, path, hasOwnTitle, isHidden, title, language, spaceId }) => {
        return [names, path, hasOwnTitle, isHidden, title, language, spaceId]
      }),
    ]),
  }
}

function openFiles({ base }: Addresses): string {
  return new URL(`${base}/~octavo/files/`).pathname
}

/** True when sections or spaces of the site have conditions. */
export function isGuarded({ sections, spaces }: Pick<AddressedSite, 'sections' | 'spaces'>): boolean {
  return [...sections, ...spaces.map(({ link }) => link)].some(({ condition }) => condition !== null)
}

function sectionOf({ row, isDefault, links }: PublishedSection): Section {
  return {
    id: row?.id,
    path: row?.path,
    isDefault,
    variants: links.map(({ link, space, names, isDefault }) => ({
      id: link.id,
      path: link.path.toLowerCase(),
      names,
      isDefault,
      hasOwnTitle: link.title !== null,
      isHidden: link.hidden === 1,
      title: link.title ?? space.title,
      language: space.language,
      spaceId: space.id,
      revisionId: space.revision_id,
    })),
  }
}

/** Empty groups are left out. */
function tabsOf(nodes: readonly StructureNode[], sections: ReadonlyMap<string | undefined, Section>): Tab[] {
  return nodes.flatMap((node): Tab[] => {
    const { title, icon } = node.row
    const label = { title, ...(icon !== null && { icon }) }
    if (node.kind === 'group') {
      const tabs = tabsOf(node.children, sections)
      return tabs.length === 0 ? [] : [{ ...label, tabs }]
    }
    const section = sections.get(node.row.id)
    // With all variants hidden it is reached by its address alone.
    if (section === undefined || section.variants.every(({ isHidden }) => isHidden)) return []
    const { description } = node.row
    return [{ ...label, section, ...(description !== null && { description }) }]
  })
}

/** Returns the title of the tab of a variant; undefined on a site without tabs. */
export function tabOf(tabs: readonly Tab[], variant: Variant): string | undefined {
  for (const tab of tabs) {
    const found =
      'tabs' in tab
        ? tabOf(tab.tabs, variant)
        : tab.section.variants.includes(variant)
          ? tab.title
          : undefined
    if (found !== undefined) return found
  }
  return undefined
}

/** What every page shows of a tab, for the fingerprint; the variants cover its target. */
function tabFingerprint(tab: Tab): unknown {
  if ('tabs' in tab) return [tab.title, tab.icon, tab.tabs.map(tabFingerprint)]
  return [tab.title, tab.icon, tab.description, tab.section.path]
}

/** Readers of a preview have no claims. */
export const anonymousReader = createAnonymousReader()

/** Returns a single space, or its content in a change request, as a site of its own, for readers of the space. */
export function previewSite(
  addresses: Addresses,
  space: SpaceRow,
  specifications: readonly LatestVersion[],
  changeRequest?: { readonly id: ChangeRequestId; readonly number: number },
): PublishedSite {
  const [path, number] =
    changeRequest === undefined
      ? ['', '']
      : [`~/changes/${changeRequest.number}/`, ` #${changeRequest.number}`]
  const url = addresses.app(`/s/${space.id}/${path}`)
  const title = space.title + number
  const base = new URL(url).pathname
  const emoji = emojiOf(space)
  const variant: Variant = {
    id: space.id,
    path: space.id,
    names: [],
    isDefault: true,
    hasOwnTitle: false,
    isHidden: false,
    title: space.title,
    language: space.language,
    spaceId: space.id,
    revisionId: space.revision_id,
  }
  return {
    organizationId: space.organization_id,
    siteId: undefined,
    ...(changeRequest !== undefined && { changeRequest: { id: changeRequest.id, spaceId: space.id } }),
    title,
    base,
    url,
    visibility: 'private',
    isFramable: true,
    // Readers of a preview are signed in at the host, and read files there.
    hasOwnFiles: false,
    files: openFiles(addresses),
    isAdaptive: false,
    claimReader: anonymousReader,
    ...(emoji !== undefined && { emoji }),
    customization: defaultCustomization,
    variantCustomizations: new Map(),
    linkTargets: new Map(),
    scripts: [],
    specifications,
    sections: [{ id: undefined, path: undefined, isDefault: true, variants: [variant] }],
    tabs: [],
    variants: [variant],
    fingerprint: JSON.stringify([base, url, title, emoji, space.language]),
  }
}

/** Returns the change request whose content the variant has in a preview. */
export function changeRequestOf(
  { changeRequest }: Pick<PublishedSite, 'changeRequest'>,
  { spaceId }: Variant,
): ChangeRequestId | undefined {
  return changeRequest?.spaceId === spaceId ? changeRequest.id : undefined
}

/** A chosen emoji: the default of new spaces does not count. */
function emojiOf(space: SpaceRow | undefined): string | undefined {
  if (space === undefined || space.emoji === null || space.emoji === defaultEmoji) return undefined
  return emojiText(space.emoji) || undefined
}

/**
 * A site as its readers meet it: where it stands, what it shows, how it looks. Plain values, made from
 * rows once and kept; the same shape serves a published site and the preview of a single space.
 */
import { type Asker, askNobody } from '../../core/conditions/asker.js'
import type { ChangeRequestId, OrganizationId, RevisionId, SiteId, SpaceId } from '../../core/ids.js'
import type { Addresses } from '../../contract/addresses.js'
import { type Customization, defaultCustomization } from '../../contract/customization.js'
import type { SiteScript } from '../../contract/site-scripts.js'
import type { Site } from '../../contract/sites.js'
import { emojiText } from '../blocks/icons.js'
import type { LatestVersion } from '../../resources/openapi-specs/store.js'
import { customizationOf, hasOverrides } from '../../resources/sites/customization.js'
import { scriptsOf } from '../../resources/sites/scripts.js'
import { type ShownSection, shownSections } from '../../resources/sites/shown.js'
import { type AddressedSite, isOpenSite } from '../../resources/sites/store.js'
import { type StructureNode, treeOf } from '../../resources/sites/structure.js'
import type { SpaceRow } from '../../resources/spaces/store.js'
import { defaultEmoji } from '../../resources/spaces/present.js'
import { filePath } from './address.js'
import { type LookPlaces, shownLook } from './look.js'

/** One space of a site, as a variant of its section. */
export interface Variant {
  /** Of its place on the site. */
  readonly id: string
  /** Its own part of a path; known for the default one too, which is also reached by it. */
  readonly path: string
  /** The parts of its path below the site's base; none at the root. */
  readonly names: readonly string[]
  /** Of its section. */
  readonly isDefault: boolean
  /** True when its title is not that of its space, but was given to it here. */
  readonly isNamed: boolean
  /** In no menu, no search and no feed. */
  readonly isHidden: boolean
  readonly title: string
  readonly language: string | null
  readonly spaceId: SpaceId
  readonly revisionId: RevisionId
}

/** What a tab of a site leads to; of a site without sections, all that it shows. */
export interface Section {
  readonly id: string | undefined
  /** Undefined for the one of a site without sections. */
  readonly path: string | undefined
  /** Stands at the root. */
  readonly isDefault: boolean
  /** In their order, never empty; one of them is the default. */
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

export interface ShownSite {
  readonly organizationId: OrganizationId
  /** Undefined for what is no site, but looks like one. */
  readonly siteId: SiteId | undefined
  /** Whose content is shown in place of the main one: the index holds nothing of it, and its space's events are not its own. */
  readonly changeRequest?: ChangeRequestId
  readonly title: string
  /** Path of the first page from the root of the host, with a slash at both ends. */
  readonly base: string
  /** The same as an absolute URL: the address that crawlers keep. */
  readonly url: string
  readonly visibility: Site['visibility'] | 'private'
  /** True where its files are not for all, and stand below it, so that whoever reads the site reads them. */
  readonly hasOwnFiles: boolean
  /** Path before the files of its spaces, as its readers ask for them. */
  readonly files: string
  /** False: conditions are not worked out, and what they guard is shown. */
  readonly isAdaptive: boolean
  /** Asks whoever reads, where conditions are worked out. */
  readonly asker: Asker
  readonly emoji?: string
  readonly customization: Customization
  /** Of variants that look otherwise, by their ids. */
  readonly looks: ReadonlyMap<string, Customization>
  /** Where pages and files stand that are linked to from around the content. */
  readonly places: LookPlaces
  /**
   * Of others, that run on its pages: on hosts of sites alone. Below the product's own address its pages would run them
   * where whoever reads may be signed in to the product.
   */
  readonly scripts: readonly SiteScript[]
  /** The latest versions of the organization's specifications, of which pages show parts. */
  readonly specifications: readonly LatestVersion[]
  /** In the order in which they are read. */
  readonly sections: readonly Section[]
  /** Sections and groups as they stand in the header; none while there is nothing to choose. */
  readonly tabs: readonly Tab[]
  /** Those of all sections. */
  readonly variants: readonly Variant[]
  /** Changes whenever anything changes that a page of the site shows, apart from the content itself. */
  readonly fingerprint: string
}

/** Which address the reader came by: below the product's own, or a host of the site. */
export type Door = 'path' | 'host'

/** Returns the site as somebody reaches it by a door; without spaces it has no variants. */
export function shownSite(
  addresses: Addresses,
  site: AddressedSite,
  { door, asker }: { readonly door: Door; readonly asker: Asker },
): ShownSite {
  const { row, organizationHostname } = site
  const url = addresses.site(organizationHostname, row.basename, row.hostname)
  const own = new URL(`${addresses.base}/@${organizationHostname}/${row.basename}/`).pathname
  const base = door === 'path' ? own : new URL(url).pathname
  const shown = shownSections(site, asker)
  const sections = shown.map(sectionOf)
  const variants = sections.flatMap((section) => section.variants)
  const root = shown.find(({ isDefault }) => isDefault)?.links.find(({ isDefault }) => isDefault)
  const emoji = emojiOf(root?.space)
  // On an adaptive site a file is for those alone who may read what uses it.
  const hasOwnFiles = !isOpenSite(row) || row.adaptive_content === 1
  const files = hasOwnFiles ? base + filePath : openFiles(addresses)
  const tabs = tabsOf(treeOf(site), new Map(shown.map(({ row }, at) => [row?.id, sections[at]!])))
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
    asker,
    ...(emoji !== undefined && { emoji }),
    customization: shownLook(addresses, customizationOf(row), files),
    looks: new Map(
      site.spaces
        .filter(({ link }) => hasOverrides(link))
        .map(({ link }) => [link.id, shownLook(addresses, customizationOf(row, link), files)]),
    ),
    places: new Map(),
    scripts: door === 'host' ? scriptsOf(row) : [],
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
      sections.length > 1 ? tabs.map(nameTab) : [],
      variants.map(({ names, path, isNamed, isHidden, title, language, spaceId }) => {
        return [names, path, isNamed, isHidden, title, language, spaceId]
      }),
    ]),
  }
}

function openFiles({ base }: Addresses): string {
  return new URL(`${base}/~octavo/files/`).pathname
}

/** True when sections or spaces of the site stand under conditions. */
export function isGuarded({ sections, spaces }: Pick<AddressedSite, 'sections' | 'spaces'>): boolean {
  return [...sections, ...spaces.map(({ link }) => link)].some(({ condition }) => condition !== null)
}

function sectionOf({ row, isDefault, links }: ShownSection): Section {
  return {
    id: row?.id,
    path: row?.path,
    isDefault,
    variants: links.map(({ link, space, names, isDefault }) => ({
      id: link.id,
      path: link.path.toLowerCase(),
      names,
      isDefault,
      isNamed: link.title !== null,
      isHidden: link.hidden === 1,
      title: link.title ?? space.title,
      language: space.language,
      spaceId: space.id,
      revisionId: space.revision_id,
    })),
  }
}

/** Groups in which nothing is shown are left out. */
function tabsOf(nodes: readonly StructureNode[], sections: ReadonlyMap<string | undefined, Section>): Tab[] {
  return nodes.flatMap((node): Tab[] => {
    const { title, icon } = node.row
    const look = { title, ...(icon !== null && { icon }) }
    if (node.kind === 'group') {
      const tabs = tabsOf(node.children, sections)
      return tabs.length === 0 ? [] : [{ ...look, tabs }]
    }
    const section = sections.get(node.row.id)
    // With its only variants hidden it is reached by its address alone.
    if (section === undefined || section.variants.every(({ isHidden }) => isHidden)) return []
    const { description } = node.row
    return [{ ...look, section, ...(description !== null && { description }) }]
  })
}

/** Returns the title of the tab that leads to a variant; undefined on a site without any. */
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

/** What of a tab is seen on every page; where it leads is said by the variants. */
function nameTab(tab: Tab): unknown {
  if ('tabs' in tab) return [tab.title, tab.icon, tab.tabs.map(nameTab)]
  return [tab.title, tab.icon, tab.description, tab.section.path]
}

/** Whoever reads a preview is asked nothing. */
export const nobody = askNobody()

/** Returns a single space, or what a change request makes of it, as a site of its own, for those who may read it. */
export function previewSite(
  addresses: Addresses,
  space: SpaceRow,
  specifications: readonly LatestVersion[],
  changeRequest?: { readonly id: ChangeRequestId; readonly number: number },
): ShownSite {
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
    isNamed: false,
    isHidden: false,
    title: space.title,
    language: space.language,
    spaceId: space.id,
    revisionId: space.revision_id,
  }
  return {
    organizationId: space.organization_id,
    siteId: undefined,
    ...(changeRequest !== undefined && { changeRequest: changeRequest.id }),
    title,
    base,
    url,
    visibility: 'private',
    // Whoever sees a preview is signed in at the host, and reads files there.
    hasOwnFiles: false,
    files: openFiles(addresses),
    isAdaptive: false,
    asker: nobody,
    ...(emoji !== undefined && { emoji }),
    customization: defaultCustomization,
    looks: new Map(),
    places: new Map(),
    scripts: [],
    specifications,
    sections: [{ id: undefined, path: undefined, isDefault: true, variants: [variant] }],
    tabs: [],
    variants: [variant],
    fingerprint: JSON.stringify([base, url, title, emoji, space.language]),
  }
}

/** An emoji that somebody chose: the one that every space begins with says nothing. */
function emojiOf(space: SpaceRow | undefined): string | undefined {
  if (space === undefined || space.emoji === null || space.emoji === defaultEmoji) return undefined
  return emojiText(space.emoji) || undefined
}

/**
 * Published structure of a site: the sections and spaces that a reader sees, and their paths. Pure, and the single
 * source: URLs of the API, published pages and the files of their spaces all derive from it.
 *
 * Excludes drafts, spaces in the trash, and on an adaptive site what has a condition that does not hold for the reader.
 * While a default is excluded, the first of the others replaces it.
 */
import { createBudget } from '../../core/budget.js'
import { type ClaimReader, createAnonymousReader } from '../../core/conditions/claim-reader.js'
import { conditionLimits } from '../../core/conditions/evaluate.js'
import type { SiteSectionId, SiteSpaceId, SpaceId } from '../../core/ids.js'
import type { LinkedSpace, SiteWithSpaces } from './store.js'
import { linksBySection, sectionsInOrder } from './structure.js'
import type { SectionRow } from './structure-store.js'

export interface PublishedLink extends LinkedSpace {
  readonly isDefault: boolean
  /** The segments of its path below the site's URL; none at the root. */
  readonly names: readonly string[]
}

export interface PublishedSection {
  /** Undefined for the spaces of a site without sections. */
  readonly row: SectionRow | undefined
  readonly isDefault: boolean
  readonly links: readonly PublishedLink[]
}

/** The condition of a section or space is evaluated without variables of a space or page. */
const outside = { space: { vars: {} }, page: { vars: {} } }

/** Returns the sections that are visible to the reader, in order, without empty ones. */
export function publishedSections(site: SiteWithSpaces, claimReader: ClaimReader): PublishedSection[] {
  const isAdaptive = site.row.adaptive_content === 1
  const budget = createBudget(conditionLimits)
  const isVisible = ({ draft, condition }: Pick<SectionRow, 'draft' | 'condition'>) =>
    draft === 0 && (!isAdaptive || condition === null || claimReader.holds(condition, outside, budget))
  const links = linksBySection({
    spaces: site.spaces.filter(({ link, space }) => space.deleted_at === null && isVisible(link)),
  })
  const rows = site.sections.length === 0 ? [undefined] : sectionsInOrder(site).filter(isVisible)
  const nonEmpty = rows.filter((row) => links.has(row?.id ?? null))
  const first = nonEmpty.find((row) => row?.is_default === 1) ?? nonEmpty[0]
  return nonEmpty.map((row) => {
    const inside = links.get(row?.id ?? null)!
    const defaultLink = inside.find(({ link }) => link.is_default === 1) ?? inside[0]!
    const isDefault = row === first
    return {
      row,
      isDefault,
      links: inside.map((one) => {
        const isSectionDefault = one === defaultLink
        const ofSection = row === undefined || (isDefault && isSectionDefault) ? [] : [row.path]
        return {
          ...one,
          isDefault: isSectionDefault,
          names: isSectionDefault ? ofSection : [...ofSection, one.link.path],
        }
      }),
    }
  })
}

/** Returns the spaces of a site that are visible to the reader. */
export function visibleSpaces(site: SiteWithSpaces, claimReader: ClaimReader): ReadonlySet<SpaceId> {
  return new Set(
    publishedSections(site, claimReader).flatMap(({ links }) => links.map(({ space }) => space.id)),
  )
}

/** The published paths of links and sections, relative to the site's URL, each empty or with a trailing slash. */
export interface PublishedPaths {
  readonly links: ReadonlyMap<SiteSpaceId, string>
  readonly sections: ReadonlyMap<SiteSectionId, string>
}

/** Returns the paths for an anonymous reader without claims. */
export function publishedPaths(site: SiteWithSpaces): PublishedPaths {
  const links = new Map<SiteSpaceId, string>()
  const sections = new Map<SiteSectionId, string>()
  for (const section of publishedSections(site, createAnonymousReader())) {
    for (const { link, names, isDefault } of section.links) {
      const path = names.map((name) => `${encodeURIComponent(name)}/`).join('')
      links.set(link.id, path)
      if (isDefault && section.row !== undefined) sections.set(section.row.id, path)
    }
  }
  return { links, sections }
}

/**
 * What a site shows to its readers, and below which path each space stands. Pure, and the one place that knows:
 * addresses of the API, published pages and the files of their spaces all ask here.
 *
 * Left out are drafts, spaces in the trash, and on an adaptive site what stands under a condition that does not hold
 * for whoever comes. While a default is left out, the first of the others stands in for it.
 */
import { createBudget } from '../../core/budget.js'
import { type Asker, askNobody } from '../../core/conditions/asker.js'
import { conditionLimits } from '../../core/conditions/evaluate.js'
import type { SiteSectionId, SiteSpaceId } from '../../core/ids.js'
import type { LinkedSpace, SiteWithSpaces } from './store.js'
import { linksBySection, sectionsInOrder } from './structure.js'
import type { SectionRow } from './structure-store.js'

export interface ShownLink extends LinkedSpace {
  readonly isDefault: boolean
  /** The parts of its path below the site's address; none at the root. */
  readonly names: readonly string[]
}

export interface ShownSection {
  /** Undefined for all that a site without sections shows. */
  readonly row: SectionRow | undefined
  readonly isDefault: boolean
  readonly links: readonly ShownLink[]
}

/** A condition about a section or a space stands in no space and on no page. */
const outside = { space: { vars: {} }, page: { vars: {} } }

/** Returns the sections in the order in which a visitor reads them; those with nothing to show them are left out. */
export function shownSections(site: SiteWithSpaces, asker: Asker): ShownSection[] {
  const isAdaptive = site.row.adaptive_content === 1
  const budget = createBudget(conditionLimits)
  const isOpen = ({ draft, condition }: Pick<SectionRow, 'draft' | 'condition'>) =>
    draft === 0 && (!isAdaptive || condition === null || asker.holds(condition, outside, budget))
  const links = linksBySection({
    spaces: site.spaces.filter(({ link, space }) => space.deleted_at === null && isOpen(link)),
  })
  const rows = site.sections.length === 0 ? [undefined] : sectionsInOrder(site).filter(isOpen)
  const filled = rows.filter((row) => links.has(row?.id ?? null))
  const first = filled.find((row) => row?.is_default === 1) ?? filled[0]
  return filled.map((row) => {
    const inside = links.get(row?.id ?? null)!
    const standing = inside.find(({ link }) => link.is_default === 1) ?? inside[0]!
    const isDefault = row === first
    return {
      row,
      isDefault,
      links: inside.map((one) => {
        const isOwnDefault = one === standing
        const ofSection = row === undefined || (isDefault && isOwnDefault) ? [] : [row.path]
        return {
          ...one,
          isDefault: isOwnDefault,
          names: isOwnDefault ? ofSection : [...ofSection, one.link.path],
        }
      }),
    }
  })
}

/** The paths of what a site shows, from its address, each empty or with a slash at its end. */
export interface ShownPaths {
  readonly links: ReadonlyMap<SiteSpaceId, string>
  readonly sections: ReadonlyMap<SiteSectionId, string>
}

/** Returns the paths for somebody of whom nothing is known. */
export function shownPaths(site: SiteWithSpaces): ShownPaths {
  const links = new Map<SiteSpaceId, string>()
  const sections = new Map<SiteSectionId, string>()
  for (const section of shownSections(site, askNobody())) {
    for (const { link, names, isDefault } of section.links) {
      const path = names.map((name) => `${encodeURIComponent(name)}/`).join('')
      links.set(link.id, path)
      if (isDefault && section.row !== undefined) sections.set(section.row.id, path)
    }
  }
  return { links, sections }
}

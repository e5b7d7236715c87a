/**
 * How a site looks, and what a space of it sets otherwise. Of a site everything is kept that was said; of a space only
 * the settings that it has for itself, so that whatever changes on the site changes there too.
 */
import { ApiError } from '../../contract/errors.js'
import {
  type Customization,
  type CustomizationInput,
  type CustomizationOverride,
  type PageActionName,
  type SiteCustomization,
  SiteCustomizationInput,
  SiteSpaceOverride,
  defaultCustomization,
  usualFonts,
  holdsSettings,
} from '../../contract/customization.js'
import { type Here, requireSound } from './customization-rules.js'
import { knownMembers } from './known-members.js'
import { type SiteRow, type SiteSpaceRow, updateSite } from './store.js'
import { updateLink } from './structure-store.js'

/** In UTF-16 units of JSON: every page of a site is made with it at hand. */
const longest = 200_000

/** Settings as they are kept: some of the whole, and when they were written. */
type Kept = CustomizationOverride & { readonly updatedAt?: number }

type OfSite = Pick<SiteRow, 'customization'>
type OfLink = Pick<SiteSpaceRow, 'customization'>

function keptBySite({ customization }: OfSite): Kept {
  return JSON.parse(customization) as Kept
}

function keptByLink(link: OfLink | undefined): Kept {
  return JSON.parse(link?.customization ?? '{}') as Kept
}

/** Returns all settings of a site, or of a space of it; what nobody set is as it is by default. */
export function customizationOf(row: OfSite, link?: OfLink): Customization {
  const ofSite = laidOver(defaultCustomization as unknown as Kept, keptBySite(row))
  const { updatedAt: _, ...all } = laidOver(ofSite, keptByLink(link))
  return all as unknown as Customization
}

/** True for a space that sets something otherwise than its site. */
export function hasOverrides({ customization }: OfLink): boolean {
  return customization !== null
}

/** The settings on the wire, whose clients know no word for what is left to the reader's system. */
export function presentCustomization(row: OfSite, link?: OfLink): SiteCustomization {
  const { styling, themes, ...rest } = customizationOf(row, link)
  const kept = laidOver(keptBySite(row), keptByLink(link))
  const isThemeChosen = Object.hasOwn((kept['themes'] ?? {}) as object, 'default')
  const { updatedAt } = kept
  return {
    ...rest,
    styling: {
      ...styling,
      font: styling.font ?? usualFonts.font,
      monospaceFont: styling.monospaceFont ?? usualFonts.monospaceFont,
    },
    themes: { ...themes, default: isThemeChosen ? themes.default : 'light' },
    ...(updatedAt !== undefined && { updatedAt: new Date(updatedAt).toISOString() }),
  }
}

/** Returns the settings with some others in their place. */
function laidOver(below: Kept, above: Kept, path = ''): Kept {
  const result: Record<string, unknown> = { ...below }
  for (const [name, value] of Object.entries(above)) {
    const isContainer = holdsSettings(path + name) && Object.hasOwn(below, name)
    result[name] = isContainer ? laidOver(below[name] as Kept, value as Kept, `${path}${name}.`) : value
  }
  return result
}

/** Returns what is set after a change, in which null takes something back; undefined where nothing is left. */
function changedBy(standing: Kept, change: CustomizationOverride, path = ''): Kept | undefined {
  const result: Record<string, unknown> = { ...standing }
  for (const [name, value] of Object.entries(change)) {
    const left =
      value !== null && holdsSettings(path + name)
        ? changedBy((standing[name] ?? {}) as Kept, value as CustomizationOverride, `${path}${name}.`)
        : (value ?? undefined)
    if (left === undefined) delete result[name]
    else result[name] = left
  }
  return Object.keys(result).length === 0 ? undefined : result
}

/** Says how a site looks, all of it; returns its row. */
export async function putCustomization(here: Here, input: CustomizationInput, now: number): Promise<SiteRow> {
  const { row } = here.site
  const known = knownMembers(SiteCustomizationInput, input)
  const { codeTheme } = defaultCustomization.styling
  const wanted = {
    ...known,
    styling: { codeTheme, ...known.styling },
    socialAccounts: known.socialAccounts ?? [],
    ...chosenActions(customizationOf(row), known),
  }
  await requireSound(here, wanted, keptBySite(row))
  const { icon } = wanted.favicon
  return updateSite(here.tx, row, {
    customization: written({ ...wanted, updatedAt: now }),
    icon: icon === undefined ? null : JSON.stringify({ icon }),
    updated_at: now,
  })
}

/** Sets some settings for a space of the site alone; returns its row. */
export async function overrideCustomization(
  here: Here,
  link: SiteSpaceRow,
  change: CustomizationOverride,
  now: number,
): Promise<SiteSpaceRow> {
  const known = knownMembers(SiteSpaceOverride, change)
  const { updatedAt: _, ...standing } = keptByLink(link)
  const left = changedBy(standing, {
    ...known,
    ...changedActions(customizationOf(here.site.row, link), known),
  })
  if (left !== undefined) await requireSound(here, left, standing)
  const customization = left === undefined ? null : written({ ...left, updatedAt: now })
  await updateLink(here.tx, link, { customization })
  return { ...link, customization }
}

/** Lets a space look as its site again; false where it did. */
export async function resetCustomization({ tx }: Pick<Here, 'tx'>, link: SiteSpaceRow): Promise<boolean> {
  await updateLink(tx, link, { customization: null })
  return link.customization !== null
}

function written(kept: object): string {
  const text = JSON.stringify(kept)
  if (text.length <= longest) return text
  const problem = `The settings of a site are too long: they are ${text.length} characters of JSON, and may be ${longest}.`
  throw new ApiError('invalid_request', { problem })
}

type ActionSettings = Pick<Customization, 'pageActions' | 'pdf' | 'git'>
/** The same as clients write them, each generation in its own way. */
interface GivenActions {
  readonly pageActions?: Partial<Customization['pageActions']> | null
  readonly pdf?: { readonly enabled?: boolean | null } | null
  readonly git?: { readonly showEditLink?: boolean | null } | null
}

/**
 * Returns the actions of pages, which one generation of clients writes as a list and the other as five claims. A client
 * sends back what it does not know as it found it, so whichever differs from what stands is what was meant.
 */
function chosenActions(standing: ActionSettings, given: GivenActions): ActionSettings {
  const { items } = given.pageActions ?? {}
  const claims: readonly (readonly [PageActionName, boolean | null | undefined])[] = [
    ['external-ai', given.pageActions?.externalAI],
    ['markdown', given.pageActions?.markdown],
    ['mcp', given.pageActions?.mcp],
    ['git', given.git?.showEditLink],
    ['pdf', given.pdf?.enabled],
  ]
  const isSameList = items === undefined || items.join() === standing.pageActions.items.join()
  const chosen = new Set<PageActionName>(items ?? standing.pageActions.items)
  if (isSameList) {
    for (const [name, isWanted] of claims) {
      if (isWanted === true) chosen.add(name)
      else if (isWanted === false) chosen.delete(name)
    }
  }
  return {
    pageActions: {
      externalAI: chosen.has('external-ai'),
      markdown: chosen.has('markdown'),
      mcp: chosen.has('mcp'),
      items: [...chosen],
    },
    pdf: { enabled: chosen.has('pdf') },
    git: { showEditLink: chosen.has('git') },
  }
}

/** The three members are one setting: taking one of them back takes back all. */
function changedActions(standing: ActionSettings, change: CustomizationOverride): CustomizationOverride {
  const { pageActions, pdf, git } = change as GivenActions
  const given = [pageActions, pdf, git].filter((one) => one !== undefined)
  if (given.length === 0) return {}
  const isTakenBack = given.some((one) => one === null || Object.values(one).includes(null as never))
  if (isTakenBack) return { pageActions: null, pdf: null, git: null }
  return chosenActions(standing, { pageActions: pageActions!, pdf: pdf!, git: git! }) as never
}

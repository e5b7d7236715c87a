/**
 * Cascading settings: the customization of a site, and sparse overrides per site space. A site stores all settings that
 * were set; a space stores only its overrides, so that later changes of the site apply to it too.
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
  defaultFonts,
  holdsSettings,
} from '../../contract/customization.js'
import { type CustomizationContext, requireValidCustomization } from './validate-customization.js'
import { stripUnknownMembers } from './strip-unknown.js'
import { type SiteRow, type SiteSpaceRow, updateSite } from './store.js'
import { updateLink } from './structure-store.js'

/** In UTF-16 units of JSON: rendering any page of the site reads all of it. */
const maxCustomizationLength = 200_000

/** Settings as stored: a part of all settings, and when they were written. */
type StoredCustomization = CustomizationOverride & { readonly updatedAt?: number }

type SiteCustomizationRow = Pick<SiteRow, 'customization'>
type LinkCustomizationRow = Pick<SiteSpaceRow, 'customization'>

function storedSiteSettings({ customization }: SiteCustomizationRow): StoredCustomization {
  return JSON.parse(customization) as StoredCustomization
}

function storedLinkSettings(link: LinkCustomizationRow | undefined): StoredCustomization {
  return JSON.parse(link?.customization ?? '{}') as StoredCustomization
}

/** Returns the effective settings of a site, or of a space of it, with defaults for what is not set. */
export function customizationOf(row: SiteCustomizationRow, link?: LinkCustomizationRow): Customization {
  const ofSite = mergeSettings(
    defaultCustomization as unknown as StoredCustomization,
    storedSiteSettings(row),
  )
  const { updatedAt: _, ...all } = mergeSettings(ofSite, storedLinkSettings(link))
  return all as unknown as Customization
}

/** True for a space that overrides settings of its site. */
export function hasOverrides({ customization }: LinkCustomizationRow): boolean {
  return customization !== null
}

/** The settings on the wire; the format has no value for "as the reader's system", so light and default fonts stand for it. */
export function presentCustomization(
  row: SiteCustomizationRow,
  link?: LinkCustomizationRow,
): SiteCustomization {
  const { styling, themes, ...rest } = customizationOf(row, link)
  const stored = mergeSettings(storedSiteSettings(row), storedLinkSettings(link))
  const isThemeChosen = Object.hasOwn((stored['themes'] ?? {}) as object, 'default')
  const { updatedAt } = stored
  return {
    ...rest,
    styling: {
      ...styling,
      font: styling.font ?? defaultFonts.font,
      monospaceFont: styling.monospaceFont ?? defaultFonts.monospaceFont,
    },
    themes: { ...themes, default: isThemeChosen ? themes.default : 'light' },
    ...(updatedAt !== undefined && { updatedAt: new Date(updatedAt).toISOString() }),
  }
}

/** Deep merge: returns `below` with the values of `above` on top. */
function mergeSettings(
  below: StoredCustomization,
  above: StoredCustomization,
  path = '',
): StoredCustomization {
  const result: Record<string, unknown> = { ...below }
  for (const [name, value] of Object.entries(above)) {
    const isContainer = holdsSettings(path + name) && Object.hasOwn(below, name)
    result[name] = isContainer
      ? mergeSettings(below[name] as StoredCustomization, value as StoredCustomization, `${path}${name}.`)
      : value
  }
  return result
}

/** JSON merge patch: returns the settings after a change, in which null removes a setting; undefined when nothing is left. */
function applyChange(
  current: StoredCustomization,
  change: CustomizationOverride,
  path = '',
): StoredCustomization | undefined {
  const result: Record<string, unknown> = { ...current }
  for (const [name, value] of Object.entries(change)) {
    const remaining =
      value !== null && holdsSettings(path + name)
        ? applyChange(
            (current[name] ?? {}) as StoredCustomization,
            value as CustomizationOverride,
            `${path}${name}.`,
          )
        : (value ?? undefined)
    if (remaining === undefined) delete result[name]
    else result[name] = remaining
  }
  return Object.keys(result).length === 0 ? undefined : result
}

/** Replaces the whole customization of a site; returns its row. */
export async function putCustomization(
  context: CustomizationContext,
  input: CustomizationInput,
  now: number,
): Promise<SiteRow> {
  const { row } = context.site
  const allowed = stripUnknownMembers(SiteCustomizationInput, input)
  const { codeTheme } = defaultCustomization.styling
  const wanted = {
    ...allowed,
    styling: { codeTheme, ...allowed.styling },
    socialAccounts: allowed.socialAccounts ?? [],
    ...chosenActions(customizationOf(row), allowed),
  }
  await requireValidCustomization(context, wanted, storedSiteSettings(row))
  const { icon } = wanted.favicon
  return updateSite(context.tx, row, {
    customization: serializeSettings({ ...wanted, updatedAt: now }),
    icon: icon === undefined ? null : JSON.stringify({ icon }),
    updated_at: now,
  })
}

/** Overrides some settings for one space of the site; returns its row. */
export async function overrideCustomization(
  context: CustomizationContext,
  link: SiteSpaceRow,
  change: CustomizationOverride,
  now: number,
): Promise<SiteSpaceRow> {
  const allowed = stripUnknownMembers(SiteSpaceOverride, change)
  const { updatedAt: _, ...current } = storedLinkSettings(link)
  const remaining = applyChange(current, {
    ...allowed,
    ...changedActions(customizationOf(context.site.row, link), allowed),
  })
  if (remaining !== undefined) await requireValidCustomization(context, remaining, current)
  const customization = remaining === undefined ? null : serializeSettings({ ...remaining, updatedAt: now })
  await updateLink(context.tx, link, { customization })
  return { ...link, customization }
}

/** Removes all overrides of a space; returns false when it had none. */
export async function resetCustomization(
  { tx }: Pick<CustomizationContext, 'tx'>,
  link: SiteSpaceRow,
): Promise<boolean> {
  await updateLink(tx, link, { customization: null })
  return link.customization !== null
}

function serializeSettings(stored: object): string {
  const text = JSON.stringify(stored)
  if (text.length <= maxCustomizationLength) return text
  const problem = `The settings of a site are too long: they are ${text.length} characters of JSON, and may be ${maxCustomizationLength}.`
  throw new ApiError('invalid_request', { problem })
}

type ActionSettings = Pick<Customization, 'pageActions' | 'pdf' | 'git'>
/** The same as sent by clients, old or new format. */
interface PageActionsInput {
  readonly pageActions?: Partial<Customization['pageActions']> | null
  readonly pdf?: { readonly enabled?: boolean | null } | null
  readonly git?: { readonly showEditLink?: boolean | null } | null
}

/**
 * Returns the page actions, which newer clients write as a list and older ones as five booleans. A client sends back
 * unchanged what it does not know, so whichever format differs from the current state is the intended change.
 */
function chosenActions(current: ActionSettings, input: PageActionsInput): ActionSettings {
  const { items } = input.pageActions ?? {}
  const claims: readonly (readonly [PageActionName, boolean | null | undefined])[] = [
    ['external-ai', input.pageActions?.externalAI],
    ['markdown', input.pageActions?.markdown],
    ['mcp', input.pageActions?.mcp],
    ['git', input.git?.showEditLink],
    ['pdf', input.pdf?.enabled],
  ]
  const isSameList = items === undefined || items.join() === current.pageActions.items.join()
  const chosen = new Set<PageActionName>(items ?? current.pageActions.items)
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

/** The three members are one setting: removing one of them removes all. */
function changedActions(current: ActionSettings, change: CustomizationOverride): CustomizationOverride {
  const { pageActions, pdf, git } = change as PageActionsInput
  const input = [pageActions, pdf, git].filter((one) => one !== undefined)
  if (input.length === 0) return {}
  const isRemoved = input.some((one) => one === null || Object.values(one).includes(null as never))
  if (isRemoved) return { pageActions: null, pdf: null, git: null }
  return chosenActions(current, { pageActions: pageActions!, pdf: pdf!, git: git! }) as never
}

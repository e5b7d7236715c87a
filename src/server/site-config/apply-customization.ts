/**
 * Import of a site's customization from `customization.json`, validated as through the API. Links to original spaces are
 * mapped to the imported ones; links without a target and fonts of the original site are left out and reported.
 */
import { requireShape } from '../../access/route/validation.js'
import {
  type CustomizationInput,
  SiteCustomizationInput,
  defaultFonts,
} from '../../contract/customization.js'
import { ApiError } from '../../contract/errors.js'
import type { SpaceId } from '../../core/ids.js'
import type { CustomizationContext } from '../../resources/sites/validate-customization.js'
import { putCustomization } from '../../resources/sites/customization.js'
import type { ConfigObject } from './read-config.js'

/** The imported spaces by the ids of the original ones. */
export type CreatedSpaces = ReadonlyMap<string, SpaceId>

/** Applies the customization, completely or not at all; returns what was left out, a sentence each. */
export async function applyCustomization(
  context: CustomizationContext,
  customization: ConfigObject,
  { spaces, now }: { readonly spaces: CreatedSpaces; readonly now: number },
): Promise<readonly string[]> {
  const leftOut: string[] = []
  const { updatedAt: _, ...settings } = mapLinks(customization, '', { spaces, leftOut }) as ConfigObject
  try {
    requireShape(SiteCustomizationInput, settings)
    await putCustomization(context, settings as unknown as CustomizationInput, now)
    return leftOut
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return [`The looks are left as they are. ${error.message}`]
  }
}

/** Returns a value with its links mapped and unavailable parts left out; undefined where nothing is left. */
function mapLinks(
  value: unknown,
  path: string,
  state: { readonly spaces: CreatedSpaces; readonly leftOut: string[] },
): unknown {
  if (typeof value !== 'object' || value === null) return value
  const leaveOut = (why: string) => void state.leftOut.push(`"${path}" is left out: ${why}.`)
  if (Array.isArray(value)) {
    const items = value.map((item, at) => mapLinks(item, `${path}[${at}]`, state))
    return items.filter((item) => item !== undefined)
  }
  const members = value as ConfigObject
  for (const [name, font] of Object.entries(defaultFonts)) {
    if (path !== `styling.${name}`) continue
    leaveOut('its font is not kept here')
    return font
  }
  if (typeof members['space'] === 'string' && typeof members['kind'] === 'string') {
    const space = state.spaces.get(members['space'])
    // Imported pages have new ids: a link to a page becomes a link to its space.
    return space === undefined ? leaveOut('its space is not there') : { kind: 'space', space }
  }
  const result: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(members)) {
    const mapped = mapLinks(member, path === '' ? name : `${path}.${name}`, state)
    // A link without a target is left out.
    if (mapped === undefined && name === 'to') return undefined
    if (mapped !== undefined) result[name] = mapped
  }
  return result
}

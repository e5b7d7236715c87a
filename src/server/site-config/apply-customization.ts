/**
 * The looks of a site as `customization.json` says, put in as through the API. Its links lead to the spaces that were
 * made of those they led to; what leads nowhere here, and fonts of elsewhere, are left out and named.
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
import type { Members } from './read-config.js'

/** The spaces that were made, by what they came from. */
export type MadeSpaces = ReadonlyMap<string, SpaceId>

/** Sets the looks, all of them or none; answers what was left out, a sentence each. */
export async function applyLooks(
  here: CustomizationContext,
  looks: Members,
  { spaces, now }: { readonly spaces: MadeSpaces; readonly now: number },
): Promise<readonly string[]> {
  const leftOut: string[] = []
  const { updatedAt: _, ...settings } = openable(looks, '', { spaces, leftOut }) as Members
  try {
    requireShape(SiteCustomizationInput, settings)
    await putCustomization(here, settings as unknown as CustomizationInput, now)
    return leftOut
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return [`The looks are left as they are. ${error.message}`]
  }
}

/** Returns a value without what cannot be followed from here; undefined where nothing of it is left. */
function openable(
  value: unknown,
  path: string,
  found: { readonly spaces: MadeSpaces; readonly leftOut: string[] },
): unknown {
  if (typeof value !== 'object' || value === null) return value
  const leaveOut = (why: string) => void found.leftOut.push(`"${path}" is left out: ${why}.`)
  if (Array.isArray(value)) {
    const items = value.map((item, at) => openable(item, `${path}[${at}]`, found))
    return items.filter((item) => item !== undefined)
  }
  const members = value as Members
  for (const [name, font] of Object.entries(defaultFonts)) {
    if (path !== `styling.${name}`) continue
    leaveOut('its font is not kept here')
    return font
  }
  if (typeof members['space'] === 'string' && typeof members['kind'] === 'string') {
    const space = found.spaces.get(members['space'])
    // Pages have other ids here: who came for one begins at the first of its space.
    return space === undefined ? leaveOut('its space is not there') : { kind: 'space', space }
  }
  const left: Record<string, unknown> = {}
  for (const [name, one] of Object.entries(members)) {
    const own = openable(one, path === '' ? name : `${path}.${name}`, found)
    // A link that leads nowhere is none.
    if (own === undefined && name === 'to') return undefined
    if (own !== undefined) left[name] = own
  }
  return left
}

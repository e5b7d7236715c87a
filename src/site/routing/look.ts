/** How a site looks, as its pages show it. */
import type { Addresses } from '../../contract/addresses.js'
import { type Customization, defaultCustomization } from '../../contract/customization.js'

/** Where pages stand in their spaces, and files on our hosts, by what names them. */
export type LookPlaces = ReadonlyMap<string, string>

/** Returns the settings as pages show them: with advanced ones switched off, what these say is as by default. */
export function shownLook({ base }: Pick<Addresses, 'base'>, customization: Customization): Customization {
  const { styling, header, footer, favicon, ...rest } = withoutAdvanced(customization)
  return {
    ...rest,
    styling: withPaths(base, styling),
    favicon: withPaths(base, favicon),
    header: { ...header, ...(header.logo && { logo: withPaths(base, header.logo) }) },
    footer: { ...footer, ...(footer.logo && { logo: withPaths(base, footer.logo) }) },
  }
}

function withoutAdvanced(customization: Customization): Customization {
  if (customization.advancedCustomization.enabled) return customization
  const { styling, header, footer: _, ...rest } = customization
  const { theme, infoColor, successColor, warningColor, dangerColor, icons } = defaultCustomization.styling
  const { logo: _logo, primaryLink: _primaryLink, ...plainHeader } = header
  const { font: _font, headingFont: _headingFont, monospaceFont: _monospaceFont, ...plain } = styling
  return {
    ...rest,
    styling: { ...plain, theme, infoColor, successColor, warningColor, dangerColor, icons },
    header: plainHeader,
    footer: { groups: [] },
  }
}

/** The value, in which the address of a file that is kept here is the path of it, open to whoever reads the site. */
function withPaths<Value>(base: string, value: Value): Value {
  if (typeof value === 'string') {
    const own = `${base}/~octavo/files/`
    if (!value.startsWith(own)) return value
    return value.slice(new URL(base).origin.length).replace(/&token=[^&]*/, '') as Value
  }
  if (Array.isArray(value)) return value.map((one) => withPaths<unknown>(base, one)) as Value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withPaths(base, one)])) as Value
}

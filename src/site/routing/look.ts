/** How a site looks, as its pages show it. */
import type { Addresses } from '../../contract/addresses.js'
import { type Customization, defaultCustomization } from '../../contract/customization.js'

/** Where pages stand in their spaces, and files below the path of all files, by what names them. */
export type LookPlaces = ReadonlyMap<string, string>

/**
 * Returns the settings as pages show them: with advanced ones switched off, what these say is as by default. `files` is
 * the path before the files of spaces, as readers of the site ask for them.
 */
export function shownLook(
  addresses: Pick<Addresses, 'base'>,
  customization: Customization,
  files: string,
): Customization {
  return withFilesAt(withoutAdvanced(customization), `${addresses.base}/~octavo/files/`, files)
}

/** Returns the settings with the files of spaces below another path than before. */
export function withFilesAt(customization: Customization, before: string, files: string): Customization {
  const moved = <Value>(value: Value) => withPaths(value, before, files)
  const { styling, header, footer, favicon, ...rest } = customization
  return {
    ...rest,
    styling: moved(styling),
    favicon: moved(favicon),
    header: { ...header, ...(header.logo && { logo: moved(header.logo) }) },
    footer: { ...footer, ...(footer.logo && { logo: moved(footer.logo) }) },
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
function withPaths<Value>(value: Value, own: string, files: string): Value {
  if (typeof value === 'string') {
    if (!value.startsWith(own)) return value
    return (files + value.slice(own.length).replace(/&token=[^&]*/, '')) as Value
  }
  if (Array.isArray(value)) return value.map((one) => withPaths<unknown>(one, own, files)) as Value
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, one]) => [name, withPaths(one, own, files)])
  return Object.fromEntries(entries) as Value
}

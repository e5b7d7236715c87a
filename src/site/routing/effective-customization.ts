/** Effective customization: a site's settings as its pages apply them. */
import type { Addresses } from '../../contract/addresses.js'
import { type Customization, defaultCustomization } from '../../contract/customization.js'

/** Paths of linked pages in their spaces, and of files below the path of all files, by reference key. */
export type LinkTargets = ReadonlyMap<string, string>

/**
 * Returns the settings that pages apply: while advanced customization is disabled, its settings have their defaults.
 * `files` is the path prefix of the files of spaces for readers of the site.
 */
export function effectiveCustomization(
  addresses: Pick<Addresses, 'base'>,
  customization: Customization,
  files: string,
): Customization {
  return withFilesPath(withoutAdvanced(customization), `${addresses.base}/~octavo/files/`, files)
}

/** Returns the settings with the path prefix of the files of spaces replaced. */
export function withFilesPath(customization: Customization, before: string, files: string): Customization {
  const replaced = <Value>(value: Value) => withPaths(value, before, files)
  const { styling, header, footer, favicon, ...rest } = customization
  return {
    ...rest,
    styling: replaced(styling),
    favicon: replaced(favicon),
    header: { ...header, ...(header.logo && { logo: replaced(header.logo) }) },
    footer: { ...footer, ...(footer.logo && { logo: replaced(footer.logo) }) },
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

/** The value with addresses of our own files replaced by their paths for readers of the site. */
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

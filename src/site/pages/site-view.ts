/** What every page of a site shows around its content. */
import type { Customization } from '../../contract/customization.js'
import { themeStylesheet } from '../layout/theme.js'
import type { MenuEntry, SiteView } from '../layout/view.js'
import { belowBase } from '../routing/linker.js'
import type { ShownSite } from '../routing/site.js'
import type { ShownContent } from './content.js'

/** Addresses of the style sheets and the browser program, as they are served now. */
export interface Assets {
  readonly stylesheet: string
  readonly plainStylesheet: string
  readonly script: string
}

/** The site around one of its variants. */
export function siteView({ site, variant, linker }: ShownContent, assets: Assets): SiteView {
  return {
    ...frameOf(site, assets),
    language: variant.language ?? site.customization.internationalization.locale,
    search: linker.search,
    ...(site.variants.length > 1 && { variants: variantMenu(site, variant.spaceId) }),
  }
}

/** The site where no content is at hand: without search and without a choice of variants. */
export function frameOf(site: ShownSite, assets: Assets): SiteView {
  const { themes, styling, footer, title, internationalization } = site.customization
  const hasColors = siteStylesheet(site.customization) !== ''
  return {
    title: title ?? site.title,
    href: site.base,
    language: internationalization.locale,
    ...(site.emoji !== undefined && { favicon: { emoji: site.emoji } }),
    stylesheets: [assets.stylesheet, ...(hasColors ? [`${site.base}~octavo/theme.css`] : [])],
    plainStylesheet: assets.plainStylesheet,
    script: assets.script,
    theme: { default: themes.default, toggleable: themes.toggeable, corners: styling.corners },
    ...(footer.copyright !== undefined && { footer: { groups: [], copyright: footer.copyright } }),
  }
}

/** The colours that a site was given, as a style sheet; empty when it has the usual ones. */
export function siteStylesheet({ styling }: Customization): string {
  const { primaryColor, tint } = styling
  const isUsual = /^#346ddb$/i.test(primaryColor.light) && /^#346ddb$/i.test(primaryColor.dark)
  if (isUsual && tint === undefined) return ''
  return themeStylesheet({ primary: primaryColor, ...(tint !== undefined && { tint: tint.color }) })
}

/** Variants in several languages are translations of each other, and say which they are. */
function variantMenu({ base, variants }: ShownSite, current: string): MenuEntry[] {
  const areTranslations = new Set(variants.map(({ language }) => language ?? 'en')).size > 1
  return variants.map((variant) => ({
    title: variant.title,
    href: base + belowBase(variant),
    ...(variant.spaceId === current && { current: true }),
    ...(areTranslations && { language: variant.language ?? 'en' }),
  }))
}

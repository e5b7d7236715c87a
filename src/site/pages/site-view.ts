/** What every page of a site shows around its content. */
import type { Customization } from '../../contract/customization.js'
import { themeStylesheet } from '../layout/theme.js'
import type { MenuEntry, SiteView } from '../layout/view.js'
import { belowBase } from '../routing/linker.js'
import type { Section, ShownSite, Tab, Variant } from '../routing/site.js'
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
    ...(site.tabs.length > 0 && { sections: site.tabs.map((tab) => tabEntry(site, tab, variant)) }),
    ...menuOf(site, variant),
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

/** A section by its default variant, or a menu of sections. */
function tabEntry(site: ShownSite, tab: Tab, current: Variant): MenuEntry {
  const { title, icon } = tab
  const look = { title, ...(icon !== undefined && { icon }) }
  if ('tabs' in tab) return { ...look, entries: tab.tabs.map((inner) => tabEntry(site, inner, current)) }
  const { section, description } = tab
  return {
    ...look,
    ...(description !== undefined && { description }),
    href: site.base + belowBase(section.variants.find(({ isDefault }) => isDefault)!),
    ...(section.variants.includes(current) && { current: true }),
  }
}

/** The variants of the section that is read; those in several languages are translations, and say which they are. */
function menuOf({ base, sections }: ShownSite, current: Variant): Pick<SiteView, 'variants'> {
  const variants = variantsBeside(sections, current)
  if (variants.length < 2) return {}
  const areTranslations = isTranslated(variants)
  return {
    variants: variants.map((variant) => ({
      title: variant.title,
      href: base + belowBase(variant),
      ...(variant === current && { current: true }),
      ...(areTranslations && { language: variant.language ?? 'en' }),
    })),
  }
}

/** Those of the same section that a reader may choose, the current one among them. */
function variantsBeside(sections: readonly Section[], current: Variant): readonly Variant[] {
  const section = sections.find(({ variants }) => variants.includes(current))
  return section?.variants.filter((variant) => variant === current || !variant.isHidden) ?? []
}

function isTranslated(variants: readonly Variant[]): boolean {
  return new Set(variants.map(({ language }) => language ?? 'en')).size > 1
}

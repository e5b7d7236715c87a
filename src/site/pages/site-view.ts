/** What every page of a site shows around its content. */
import type { Customization } from '../../contract/customization.js'
import { themeStylesheet } from '../layout/theme.js'
import type { MenuEntry, PageView, SiteView } from '../layout/view.js'
import { languageOf, nameOfLanguage } from '../routing/languages.js'
import { belowBase } from '../routing/linker.js'
import type { Section, ShownSite, Tab, Variant } from '../routing/site.js'
import { type ShownContent, contentLanguage } from './content.js'

/** Addresses of the style sheets and the browser program, as they are served now. */
export interface Assets {
  readonly stylesheet: string
  readonly plainStylesheet: string
  readonly script: string
}

/** The site around one of its variants. */
export function siteView(shown: ShownContent, assets: Assets): SiteView {
  const { site, variant, linker } = shown
  return {
    ...frameOf(site, assets),
    language: contentLanguage(shown),
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
  const areTranslations = new Set(variants.map(languageOf)).size > 1
  return {
    variants: variants.map((variant) => ({
      title: areTranslations ? titleAmong(variants, variant) : variant.title,
      href: base + belowBase(variant),
      ...(variant === current && { current: true }),
      ...(areTranslations && { language: languageOf(variant) }),
    })),
  }
}

/** A translation is called by its language, in that language, unless it was given a name or another speaks it too. */
function titleAmong(variants: readonly Variant[], variant: Variant): string {
  const language = languageOf(variant)
  const isAlone = variants.filter((one) => languageOf(one) === language).length === 1
  return isAlone && !variant.isNamed ? (nameOfLanguage(language) ?? variant.title) : variant.title
}

/** Those of the same section that a reader may choose, the current one among them. */
function variantsBeside(sections: readonly Section[], current: Variant): readonly Variant[] {
  const section = sections.find(({ variants }) => variants.includes(current))
  return section?.variants.filter((variant) => variant === current || !variant.isHidden) ?? []
}

/**
 * The first pages of the translations of a variant, itself among them, by which search engines know them. Of several
 * variants in one language the first speaks for it, the current one for its own.
 */
export function translationsOf(
  { url, sections }: ShownSite,
  current: Variant,
): NonNullable<PageView['alternates']> {
  const byLanguage = new Map([[languageOf(current), current]])
  for (const one of variantsBeside(sections, current))
    if (!one.isHidden && !byLanguage.has(languageOf(one))) byLanguage.set(languageOf(one), one)
  if (byLanguage.size < 2) return []
  return [...byLanguage].map(([language, one]) => ({ href: url + belowBase(one), language }))
}

/** What every page of a site shows around its content. */
import type { MenuEntry, PageView, SiteView } from '../layout/view.js'
import { languageOf, nameOfLanguage } from '../routing/languages.js'
import { belowBase, sheetPath } from '../routing/linker.js'
import type { Section, ShownSite, Tab, Variant } from '../routing/site.js'
import { type ShownContent, contentLanguage, isHeld } from './content.js'
import { type Audience, customizedView, sheetOf } from './customized.js'

/** Addresses of the style sheets and the browser program, as they are served now. */
export interface Assets {
  readonly stylesheet: string
  readonly plainStylesheet: string
  readonly script: string
}

/** The site around one of its variants. */
export function siteView(shown: ShownContent, assets: Assets): SiteView {
  const { site, variant, linker } = shown
  const language = contentLanguage(shown)
  return {
    ...around(site, assets, { language, holds: (condition) => isHeld(shown, condition) }),
    search: linker.search,
    ...(site.tabs.length > 0 && { sections: site.tabs.map((tab) => tabEntry(site, tab, variant)) }),
    ...menuOf(site, variant),
  }
}

/** The site where no content is at hand: without search and without a choice of variants. */
export function frameOf(site: ShownSite, assets: Assets): SiteView {
  const { locale } = site.customization.internationalization
  return around(site, assets, { language: locale, holds: () => !site.isAdaptive })
}

function around(site: ShownSite, assets: Assets, audience: Audience): SiteView {
  const { themes, styling } = site.customization
  const { css, hash } = sheetOf(site.customization)
  return {
    title: site.title,
    href: site.base,
    language: audience.language,
    stylesheets: [assets.stylesheet, ...(css === '' ? [] : [`${site.base}${sheetPath(hash)}`])],
    plainStylesheet: assets.plainStylesheet,
    script: assets.script,
    theme: { default: themes.default, toggleable: themes.toggeable, corners: styling.corners },
    ...customizedView(site, audience),
  }
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

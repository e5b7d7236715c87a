/** View model of what every page of a site shows around its content. */
import type { MenuEntry, SiteView } from '../layout/view.js'
import { areTranslations, languageOf, variantTitle, siblingVariants } from '../routing/languages.js'
import { belowBase, sheetPath } from '../routing/linker.js'
import { type PublishedSite, type Tab, type Variant, changeRequestOf } from '../routing/site.js'
import { type VisibleContent, contentLanguage, conditionHolds } from './content.js'
import { type Audience, customizationView, themeSheet } from './customization-view.js'

/** Addresses of the current style sheets and browser scripts. */
export interface Assets {
  readonly stylesheet: string
  /** For blocks that few pages have. */
  readonly blocksStylesheet: string
  readonly plainStylesheet: string
  /** For API blocks. */
  readonly referenceStylesheet: string
  readonly referenceScript: string
  /** For previews of spaces: reloads on changes. */
  readonly followScript: string
  readonly script: string
}

/** Returns the view around a variant; `variantLinks` are the addresses of the current page in others, by variant id. */
export function siteView(
  visible: VisibleContent,
  assets: Assets,
  variantLinks: ReadonlyMap<string, string> = new Map(),
): SiteView {
  const { site, variant, linker } = visible
  const language = contentLanguage(visible)
  const changeRequest = changeRequestOf(site, variant)
  return {
    ...baseView(site, assets, { language, holds: (condition) => conditionHolds(visible, condition, null) }),
    ...(changeRequest === undefined && { search: linker.search }),
    ...(site.scripts.length > 0 && { allowedScripts: site.scripts }),
    ...(site.tabs.length > 0 && { sections: site.tabs.map((tab) => tabEntry(site, tab, variant)) }),
    ...variantMenu(site, variant, variantLinks),
    // Only previews of a space follow its changes live.
    ...(site.siteId === undefined &&
      changeRequest === undefined && {
        follows: new URL(visible.addresses.api(`/spaces/${variant.spaceId}/events`)).pathname,
        moreScripts: [assets.followScript],
      }),
  }
}

/** Returns the view without content: no search and no menu of variants. */
export function siteFrame(site: PublishedSite, assets: Assets): SiteView {
  const { locale } = site.customization.internationalization
  return baseView(site, assets, { language: locale, holds: () => !site.isAdaptive })
}

function baseView(site: PublishedSite, assets: Assets, audience: Audience): SiteView {
  const { themes, styling } = site.customization
  const { css, hash } = themeSheet(site.customization)
  return {
    title: site.title,
    href: site.base,
    ...(site.siteId !== undefined && { sign: `${site.base}~octavo/icon` }),
    language: audience.language,
    stylesheets: [assets.stylesheet, ...(css === '' ? [] : [`${site.base}${sheetPath(hash)}`])],
    blocksStylesheet: assets.blocksStylesheet,
    plainStylesheet: assets.plainStylesheet,
    script: assets.script,
    theme: { default: themes.default, toggleable: themes.toggeable, corners: styling.corners },
    ...customizationView(site, audience),
  }
}

/** A link to the default variant of a section, or a menu of sections. */
function tabEntry(site: PublishedSite, tab: Tab, current: Variant): MenuEntry {
  const { title, icon } = tab
  const label = { title, ...(icon !== undefined && { icon }) }
  if ('tabs' in tab) return { ...label, entries: tab.tabs.map((inner) => tabEntry(site, inner, current)) }
  const { section, description } = tab
  return {
    ...label,
    ...(description !== undefined && { description }),
    href: site.base + belowBase(section.variants.find(({ isDefault }) => isDefault)!),
    ...(section.variants.includes(current) && { current: true }),
  }
}

/** The menu of variants of the current section; translations have their language. */
function variantMenu(
  { base, sections }: PublishedSite,
  current: Variant,
  variantLinks: ReadonlyMap<string, string>,
): Pick<SiteView, 'variants'> {
  const variants = siblingVariants(sections, current)
  if (variants.length < 2) return {}
  const showLanguage = areTranslations(variants)
  return {
    variants: variants.map((variant) => ({
      title: variantTitle(variants, variant),
      href: variantLinks.get(variant.id) ?? base + belowBase(variant),
      ...(variant === current && { current: true }),
      ...(showLanguage && { language: languageOf(variant) }),
    })),
  }
}

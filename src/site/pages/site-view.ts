/** What every page of a site shows around its content. */
import type { MenuEntry, SiteView } from '../layout/view.js'
import { areTranslations, languageOf, titleBeside, variantsBeside } from '../routing/languages.js'
import { belowBase, sheetPath } from '../routing/linker.js'
import type { ShownSite, Tab, Variant } from '../routing/site.js'
import { type ShownContent, contentLanguage, holdsHere } from './content.js'
import { type Audience, customizedView, sheetOf } from './customized.js'

/** Addresses of the style sheets and the browser program, as they are served now. */
export interface Assets {
  readonly stylesheet: string
  /** Of blocks that few pages have. */
  readonly blocksStylesheet: string
  readonly plainStylesheet: string
  /** Of API blocks. */
  readonly referenceStylesheet: string
  readonly referenceScript: string
  /** Of spaces that are looked at by themselves. */
  readonly followScript: string
  readonly script: string
}

/** The site around one of its variants; `beside` says where the page that is read stands in others, by their ids. */
export function siteView(
  shown: ShownContent,
  assets: Assets,
  beside: ReadonlyMap<string, string> = new Map(),
): SiteView {
  const { site, variant, linker } = shown
  const language = contentLanguage(shown)
  return {
    ...around(site, assets, { language, holds: (condition) => holdsHere(shown, condition, null) }),
    ...(site.changeRequest === undefined && { search: linker.search }),
    ...(site.scripts.length > 0 && { allowedScripts: site.scripts }),
    ...(site.tabs.length > 0 && { sections: site.tabs.map((tab) => tabEntry(site, tab, variant)) }),
    ...menuOf(site, variant, beside),
    // Sites are read by many, who have no say in when they change.
    ...(site.siteId === undefined &&
      site.changeRequest === undefined && {
        follows: new URL(shown.addresses.api(`/spaces/${variant.spaceId}/events`)).pathname,
        moreScripts: [assets.followScript],
      }),
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
    ...(site.siteId !== undefined && { sign: `${site.base}~octavo/icon` }),
    language: audience.language,
    stylesheets: [assets.stylesheet, ...(css === '' ? [] : [`${site.base}${sheetPath(hash)}`])],
    blocksStylesheet: assets.blocksStylesheet,
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
function menuOf(
  { base, sections }: ShownSite,
  current: Variant,
  beside: ReadonlyMap<string, string>,
): Pick<SiteView, 'variants'> {
  const variants = variantsBeside(sections, current)
  if (variants.length < 2) return {}
  const sayLanguage = areTranslations(variants)
  return {
    variants: variants.map((variant) => ({
      title: titleBeside(variants, variant),
      href: beside.get(variant.id) ?? base + belowBase(variant),
      ...(variant === current && { current: true }),
      ...(sayLanguage && { language: languageOf(variant) }),
    })),
  }
}

/** Languages of a site's variants: their names, and which variants are translations of one another. */
import { type Section, type PublishedSite, type Variant, tabOf } from './site.js'

/** A space without a language counts as English. */
export function languageOf({ language }: Pick<Variant, 'language'>): string {
  return language ?? 'en'
}

/** Returns the name of a language in that language; undefined for an invalid tag. */
export function nameOfLanguage(language: string): string | undefined {
  try {
    const name = new Intl.DisplayNames([language], { type: 'language', fallback: 'none' }).of(language)
    return name && name.charAt(0).toLocaleUpperCase(language) + name.slice(1)
  } catch {
    return undefined
  }
}

/**
 * Returns the variants in the language of this one, in the order of the site; for a section without any, its default
 * one, so that no section is missing. Hidden variants are left out.
 */
export function variantsInLanguageOf({ sections }: PublishedSite, variant: Variant): Variant[] {
  const language = languageOf(variant)
  return sections.flatMap(({ variants }) => {
    const visible = variants.filter(({ isHidden }) => !isHidden)
    const sameLanguage = visible.filter((one) => languageOf(one) === language)
    return sameLanguage.length > 0 ? sameLanguage : visible.filter(({ isDefault }) => isDefault)
  })
}

/** Returns the first variant of every other language that a reader may choose. */
export function variantsInOtherLanguages({ variants }: PublishedSite, variant: Variant): Variant[] {
  const byLanguage = new Map<string, Variant>()
  for (const one of variants)
    if (!one.isHidden && !byLanguage.has(languageOf(one))) byLanguage.set(languageOf(one), one)
  byLanguage.delete(languageOf(variant))
  return [...byLanguage.values()]
}

/** Returns the variants of the same section that a reader may choose, the current one among them. */
export function siblingVariants(sections: readonly Section[], current: Variant): readonly Variant[] {
  const section = sections.find(({ variants }) => variants.includes(current))
  return section?.variants.filter((variant) => variant === current || !variant.isHidden) ?? []
}

/** True for variants in several languages. */
export function areTranslations(variants: readonly Variant[]): boolean {
  return new Set(variants.map(languageOf)).size > 1
}

/**
 * Returns the label of a variant in the menu of its section: for a translation the name of its language, in that
 * language, unless it has a title of its own or another variant has the same language.
 */
export function variantTitle(variants: readonly Variant[], variant: Variant): string {
  const language = languageOf(variant)
  const isAlone = variants.filter((one) => languageOf(one) === language).length === 1
  const isCalledByIt = isAlone && !variant.hasOwnTitle && areTranslations(variants)
  return isCalledByIt ? (nameOfLanguage(language) ?? variant.title) : variant.title
}

/** Returns the heading of search results in a variant: its section, and its label where the section has several; undefined without sections. */
export function sectionHeading({ tabs, sections }: PublishedSite, variant: Variant): string | undefined {
  const tab = tabOf(tabs, variant)
  const variants = siblingVariants(sections, variant)
  return tab === undefined || variants.length < 2 ? tab : `${tab} · ${variantTitle(variants, variant)}`
}

/** For further variants the menu links to their first pages. */
const maxLookups = 20

/** Returns the other variants of the section in which the menu looks for the current page. */
export function variantsToSearch({ sections }: PublishedSite, current: Variant): readonly Variant[] {
  return siblingVariants(sections, current)
    .filter((variant) => variant !== current)
    .slice(0, maxLookups)
}

/**
 * Returns the translations of a variant, itself included; none where there is one language. Each language has one
 * variant: the first, for the current language the current one.
 */
export function translationsOf({ sections }: PublishedSite, current: Variant): readonly Variant[] {
  const byLanguage = new Map([[languageOf(current), current]])
  for (const one of siblingVariants(sections, current))
    if (!one.isHidden && !byLanguage.has(languageOf(one))) byLanguage.set(languageOf(one), one)
  return byLanguage.size < 2 ? [] : [...byLanguage.values()]
}

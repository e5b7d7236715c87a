/** The languages of a site's variants: which they are, what they are called, and who speaks the one that is read. */
import { type Section, type ShownSite, type Variant, tabOf } from './site.js'

/** A space that does not say its language is taken for English. */
export function languageOf({ language }: Pick<Variant, 'language'>): string {
  return language ?? 'en'
}

/** Returns what a language is called by those who speak it; undefined for what is no language. */
export function nameOfLanguage(language: string): string | undefined {
  try {
    const name = new Intl.DisplayNames([language], { type: 'language', fallback: 'none' }).of(language)
    return name && name.charAt(0).toLocaleUpperCase(language) + name.slice(1)
  } catch {
    return undefined
  }
}

/**
 * Returns the variants that speak the language of this one, in the order of the site; of a section that does not, the
 * default one, so that none is left out. Hidden ones are read by those who have their address.
 */
export function variantsInLanguageOf({ sections }: ShownSite, variant: Variant): Variant[] {
  const language = languageOf(variant)
  return sections.flatMap(({ variants }) => {
    const seen = variants.filter(({ isHidden }) => !isHidden)
    const speaking = seen.filter((one) => languageOf(one) === language)
    return speaking.length > 0 ? speaking : seen.filter(({ isDefault }) => isDefault)
  })
}

/** Returns the first variant of every other language that a reader may choose. */
export function variantsInOtherLanguages({ variants }: ShownSite, variant: Variant): Variant[] {
  const byLanguage = new Map<string, Variant>()
  for (const one of variants)
    if (!one.isHidden && !byLanguage.has(languageOf(one))) byLanguage.set(languageOf(one), one)
  byLanguage.delete(languageOf(variant))
  return [...byLanguage.values()]
}

/** Returns the variants of the same section that a reader may choose, the current one among them. */
export function variantsBeside(sections: readonly Section[], current: Variant): readonly Variant[] {
  const section = sections.find(({ variants }) => variants.includes(current))
  return section?.variants.filter((variant) => variant === current || !variant.isHidden) ?? []
}

/** True for variants in several languages. */
export function areTranslations(variants: readonly Variant[]): boolean {
  return new Set(variants.map(languageOf)).size > 1
}

/**
 * Returns what a variant is called among those beside it: a translation by its language, in that language, unless it was
 * given a name or another speaks it too.
 */
export function titleBeside(variants: readonly Variant[], variant: Variant): string {
  const language = languageOf(variant)
  const isAlone = variants.filter((one) => languageOf(one) === language).length === 1
  const isCalledByIt = isAlone && !variant.isNamed && areTranslations(variants)
  return isCalledByIt ? (nameOfLanguage(language) ?? variant.title) : variant.title
}

/** Returns the heading of what is found in a variant, its section and its own name beside others; undefined without sections. */
export function sectionHeading({ tabs, sections }: ShownSite, variant: Variant): string | undefined {
  const tab = tabOf(tabs, variant)
  const variants = variantsBeside(sections, variant)
  return tab === undefined || variants.length < 2 ? tab : `${tab} · ${titleBeside(variants, variant)}`
}

/** In more variants a page is not looked for: the choice of variants leads to their first pages. */
const mostLookedAt = 20

/** Returns the other variants of the section in which a page is looked for. */
export function variantsLookedAt({ sections }: ShownSite, current: Variant): readonly Variant[] {
  return variantsBeside(sections, current)
    .filter((variant) => variant !== current)
    .slice(0, mostLookedAt)
}

/**
 * Returns the translations of a variant, itself among them; none where there is one language. Of several variants in
 * one language the first speaks for it, the current one for its own.
 */
export function translationsOf({ sections }: ShownSite, current: Variant): readonly Variant[] {
  const byLanguage = new Map([[languageOf(current), current]])
  for (const one of variantsBeside(sections, current))
    if (!one.isHidden && !byLanguage.has(languageOf(one))) byLanguage.set(languageOf(one), one)
  return byLanguage.size < 2 ? [] : [...byLanguage.values()]
}

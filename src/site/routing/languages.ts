/** The languages of a site's variants: which they are, what they are called, and who speaks the one that is read. */
import type { Section, ShownSite, Variant } from './site.js'

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

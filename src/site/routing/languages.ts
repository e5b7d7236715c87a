/** The languages of a site's variants: which they are, what they are called, and who speaks the one that is read. */
import type { ShownSite, Variant } from './site.js'

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

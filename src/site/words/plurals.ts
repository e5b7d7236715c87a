/** Plural forms: texts with a number, selected by the plural rules of each language (`Intl.PluralRules`). */

/** The plural categories of each language; a test compares them with `Intl`. */
export interface PluralForms {
  en: 'one' | 'other'
  de: 'one' | 'other'
  fr: 'one' | 'many' | 'other'
  es: 'one' | 'many' | 'other'
  pt: 'one' | 'many' | 'other'
  ja: 'other'
  zh: 'other'
  ko: 'other'
  ar: 'zero' | 'one' | 'two' | 'few' | 'many' | 'other'
  he: 'one' | 'two' | 'other'
}

export type Language = keyof PluralForms

/** Returns the plural form for a number, with the localized number in place of `{}`. */
export type PluralWord = (count: number) => string

/** Returns a factory for plural texts of one language; a missing form does not compile. */
export function pluralsIn<L extends Language>(
  language: L,
): (forms: Record<PluralForms[L], string>) => PluralWord {
  const rules = new Intl.PluralRules(language)
  const numbers = new Intl.NumberFormat(language)
  return (forms) => {
    const byRule: Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> = forms
    return (count) => byRule[rules.select(count)]!.replace('{}', numbers.format(count))
  }
}

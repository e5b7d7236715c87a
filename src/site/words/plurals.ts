/** Words that follow a number: which form it is said by the rules that the platform knows of each language. */

/** The forms that a language tells apart; a test holds them against those of the platform. */
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

/** Says one of the forms, with the number written as the language writes it in place of `{}`. */
export type PluralWord = (count: number) => string

/** Returns what makes counted words of one language; a form that is not given does not compile. */
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

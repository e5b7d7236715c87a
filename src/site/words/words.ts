/**
 * Localization: the UI texts of sites, one file per language. Pages in other languages get English texts.
 */
import { arabic } from './ar.js'
import { german } from './de.js'
import { type Words, english } from './en.js'
import { spanish } from './es.js'
import { french } from './fr.js'
import { hebrew } from './he.js'
import { japanese } from './ja.js'
import { korean } from './ko.js'
import type { Language } from './plurals.js'
import { portuguese } from './pt.js'
import { chinese } from './zh.js'

const wordsByLanguage: Readonly<Record<Language, Words>> = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
  pt: portuguese,
  ja: japanese,
  zh: chinese,
  ko: korean,
  ar: arabic,
  he: hebrew,
}

/** Returns the UI texts for the language of a page, a BCP 47 tag. */
export function wordsIn(language: string): Words {
  const primary = language.split('-')[0]!.toLowerCase()
  return Object.hasOwn(wordsByLanguage, primary) ? wordsByLanguage[primary as Language] : english
}

/** Returns the text with values in place of `{}` and `{2}`. */
export function fill(sentence: string, first: string | number, second: string | number = ''): string {
  return sentence.replace(/\{2?\}/g, (place) => String(place === '{}' ? first : second))
}

/** Returns the tag if the platform supports the locale for dates and numbers, else that of English. */
export function supportedLocale(language: string): string {
  if (!/^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i.test(language)) return 'en'
  try {
    return Intl.NumberFormat.supportedLocalesOf(language)[0] ?? 'en'
  } catch {
    // Invalid tag with the right shape: its subtags are in the wrong order.
    return 'en'
  }
}

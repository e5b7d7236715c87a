/**
 * The layout's own words, in the languages that it speaks: one file each. What is not said in the language of a page
 * is said in English.
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

/** Returns the words for a page in a language, given as a BCP 47 tag. */
export function wordsIn(language: string): Words {
  const primary = language.split('-')[0]!.toLowerCase()
  return Object.hasOwn(wordsByLanguage, primary) ? wordsByLanguage[primary as Language] : english
}

/** Returns the sentence with what belongs in place of `{}`, and of `{2}`. */
export function fill(sentence: string, first: string | number, second: string | number = ''): string {
  return sentence.replace(/\{2?\}/g, (place) => String(place === '{}' ? first : second))
}

/** Returns the tag if the platform writes dates and numbers in that language, else that of English. */
export function supportedLocale(language: string): string {
  if (!/^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i.test(language)) return 'en'
  try {
    return Intl.NumberFormat.supportedLocalesOf(language)[0] ?? 'en'
  } catch {
    // Of the right shape, and still no tag: its parts are in no order that one has.
    return 'en'
  }
}

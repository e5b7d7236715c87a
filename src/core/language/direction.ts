/** Text direction: right-to-left languages and letters. */

const rightToLeft = new Set(['ar', 'dv', 'fa', 'he', 'ku', 'ps', 'sd', 'ug', 'ur', 'yi'])

/** Returns whether a language, as a BCP 47 tag, is usually written from right to left. */
export function isRightToLeft(language: string): boolean {
  return rightToLeft.has(language.split('-')[0]!.toLowerCase())
}

const letterFromRight =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u

/** Returns whether a text contains right-to-left letters. */
export function hasRightToLeft(text: string): boolean {
  return letterFromRight.test(text)
}

/** Returns the direction of the first letter, as a browser resolves `dir="auto"`; undefined when there is none. */
export function directionOf(text: string): 'ltr' | 'rtl' | undefined {
  const letter = /\p{Letter}/u.exec(text)?.[0]
  return letter === undefined ? undefined : hasRightToLeft(letter) ? 'rtl' : 'ltr'
}

/** Returns the `dir` attribute of a text block: `auto` when it contains, or may contain, right-to-left letters. */
export function blockDirection(language: string, text: string): 'auto' | undefined {
  return isRightToLeft(language) || hasRightToLeft(text) ? 'auto' : undefined
}

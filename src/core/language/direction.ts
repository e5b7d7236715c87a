/** Which way a text is read: languages and letters that go from right to left. */

const rightToLeft = new Set(['ar', 'dv', 'fa', 'he', 'ku', 'ps', 'sd', 'ug', 'ur', 'yi'])

/** Returns whether a language, as a BCP 47 tag, is usually written from right to left. */
export function isRightToLeft(language: string): boolean {
  return rightToLeft.has(language.split('-')[0]!.toLowerCase())
}

const letterFromRight =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u

/** Returns whether a text holds letters that are read from right to left. */
export function hasRightToLeft(text: string): boolean {
  return letterFromRight.test(text)
}

/** Returns the direction of the first letter, as a browser finds it for `dir="auto"`; undefined where there is none. */
export function directionOf(text: string): 'ltr' | 'rtl' | undefined {
  const letter = /\p{Letter}/u.exec(text)?.[0]
  return letter === undefined ? undefined : hasRightToLeft(letter) ? 'rtl' : 'ltr'
}

/** Returns what `dir` of a block of words says: `auto` where letters from right to left are, or may be, among them. */
export function blockDirection(language: string, text: string): 'auto' | undefined {
  return isRightToLeft(language) || hasRightToLeft(text) ? 'auto' : undefined
}

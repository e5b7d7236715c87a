/** Text direction: right-to-left languages and letters. */

export type Direction = 'ltr' | 'rtl'

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
export function directionOf(text: string): Direction | undefined {
  const letter = /\p{Letter}/u.exec(text)?.[0]
  return letter === undefined ? undefined : hasRightToLeft(letter) ? 'rtl' : 'ltr'
}

/**
 * Returns the direction of a block of text on a page of that direction; undefined without letters. On a right-to-left page
 * a sentence may begin with a Latin name: any right-to-left letter makes it right-to-left.
 */
export function directionWithin(page: Direction, text: string): Direction | undefined {
  return page === 'rtl' && hasRightToLeft(text) ? 'rtl' : directionOf(text)
}

/** Returns whether a text has right-to-left letters and begins with one of another script, such as a Latin name. */
export function beginsWithOtherScript(text: string): boolean {
  return hasRightToLeft(text) && directionOf(text) === 'ltr'
}

/** Returns the `dir` attribute of a text block on a page in that language; undefined where it follows from the page. */
export function blockDirection(language: string, text: string): Direction | undefined {
  if (isRightToLeft(language)) return directionWithin('rtl', text)
  return hasRightToLeft(text) ? directionOf(text) : undefined
}

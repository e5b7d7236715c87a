/** New identifiers: 20 letters and digits, or a prefix and 5 for what belongs to a site. Not guessable, not ordered. */
import { randomBytes } from 'node:crypto'

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Returns `length` random letters and digits; bytes that would favour some letters are thrown away. */
export function randomLetters(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length * 2)) {
      if (byte >= 248) continue
      text += letters[byte % 62]
      if (text.length === length) break
    }
  }
  return text
}

export function newId<Id extends string = string>(): Id {
  return randomLetters(20) as Id
}

/** Ids of site things are short by custom; 8 letters keep accidents out of a large organization. */
export function newSiteId<Id extends string = string>(prefix: 'site' | 'sitesp'): Id {
  return `${prefix}_${randomLetters(8)}` as Id
}

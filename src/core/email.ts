/**
 * E-mail addresses as user identifiers: two are the same when they differ only in the case of A to Z.
 *
 * Nothing else is folded. Unicode has letters whose lower case is an ASCII letter (the Kelvin sign becomes `k`), so
 * Unicode folding would let the owner of one address impersonate the owner of another.
 */

/** Returns the form in which an address is stored and looked up. */
export function foldEmail(address: string): string {
  return foldLatin(address)
}

/** Returns the part after the last `@`, folded; empty when there is none. */
export function domainOfEmail(address: string): string {
  return foldLatin(address.slice(address.lastIndexOf('@') + 1))
}

/** Returns the text with only A to Z in lower case, as SQL's `lower` does on both engines. */
export function foldLatin(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

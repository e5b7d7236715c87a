/**
 * E-mail addresses as names of people: two are the same when they differ in the case of A to Z alone.
 *
 * Nothing else is folded. Unicode knows letters whose small form is an ASCII one (the sign of Kelvin becomes a
 * `k`), so folding by its rules would let whoever owns one address pass for the owner of another.
 */

/** Returns the form in which an address is stored and looked up. */
export function foldEmail(address: string): string {
  return foldLatin(address)
}

/** Returns what follows the last `@`, folded; empty when there is none. */
export function domainOfEmail(address: string): string {
  return foldLatin(address.slice(address.lastIndexOf('@') + 1))
}

/** Returns the text with A to Z in lower case, as SQL's `lower` does on both engines, and all else as it is. */
export function foldLatin(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

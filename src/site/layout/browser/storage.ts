/** What the browser remembers between pages; a browser that refuses to remember is no error. */

/** The remembered text; null when there is none. */
export function readStored(
  name: string,
  storage: 'localStorage' | 'sessionStorage' = 'localStorage',
): string | null {
  try {
    return window[storage].getItem(`octavo-${name}`)
  } catch {
    return null
  }
}

/** Remembers the text, if it can. */
export function writeStored(
  name: string,
  text: string,
  storage: 'localStorage' | 'sessionStorage' = 'localStorage',
): void {
  try {
    window[storage].setItem(`octavo-${name}`, text)
  } catch {
    // Private windows and full storages refuse; the page works as well without.
  }
}

/** Browser storage between pages; unavailable storage is not an error. */

/** Returns the stored text; null if there is none. */
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

/** Stores the text, if possible. */
export function writeStored(
  name: string,
  text: string,
  storage: 'localStorage' | 'sessionStorage' = 'localStorage',
): void {
  try {
    window[storage].setItem(`octavo-${name}`, text)
  } catch {
    // Private windows and full storage refuse; the page works without it.
  }
}

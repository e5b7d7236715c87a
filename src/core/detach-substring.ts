/** Detached substrings: engines keep the whole source string alive while a slice of it is referenced. */

/** Returns a copy of a text that no longer references the long string it was cut from. */
export function detachSubstring(text: string): string {
  return ` ${text}`.slice(1)
}

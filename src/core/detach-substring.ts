/** Texts that are kept longer than what they were cut out of. */

/** The same text with characters of its own: a piece of a long text holds all of that in memory. */
export function ownText(text: string): string {
  return ` ${text}`.slice(1)
}

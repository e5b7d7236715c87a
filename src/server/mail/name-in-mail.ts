/**
 * Names in mail: titles and names that people choose, made safe against phishing. The recipient may not know who chose
 * them: a title must not look like a sentence of this server, hide a part of itself, or become a link in the mail.
 */

/** Longest name in a mail, in characters, unless the caller allows more; a longer one ends with an ellipsis. */
const longestName = 60

/** Control and format characters, among them those that reorder text; the joiners of scripts and emoji stay. */
const invisible = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu
/** A dot as in the name of a host, in any of the forms that are equal to it there. */
const hostDot = /(?<=[\p{L}\p{N}-])[.\u3002\uff0e\uff61](?=\p{L}{2})/gu

/** Returns a name on one line, without addresses; the fallback where nothing is left of it. */
export function nameInMail(text: string, fallback: string, longest = longestName): string {
  const words = text
    .replace(invisible, ' ')
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => (isAddress(word) ? '…' : word.replace(hostDot, ' ')))
  const name = words.every((word) => word === '…') ? fallback : words.join(' ')
  const characters = [...name]
  return characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : name
}

/** Returns the name in quotes, which it cannot end by itself. */
export function quotedInMail(text: string, fallback: string, longest = longestName): string {
  return `"${nameInMail(text, fallback, longest).replace(/["\u201c-\u201f\u00ab\u00bb]/g, "'")}"`
}

function isAddress(word: string): boolean {
  if (word.includes('://') || /^\W?www\./i.test(word)) return true
  const slash = word.indexOf('/')
  return slash > 0 && /[\p{L}\p{N}-]\.\p{L}{2}/u.test(word.slice(0, slash))
}

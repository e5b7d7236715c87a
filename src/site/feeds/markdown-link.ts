/** Escaping: user text in generated Markdown. */

/** Returns a link with this text. */
export function markdownLink(text: string, href: string): string {
  return `[${singleLine(text).replace(/[[\]\\]/g, '\\$&')}](${href})`
}

/** Returns a text without line breaks. */
export function singleLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

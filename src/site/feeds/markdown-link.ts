/** Words and links in Markdown that is made here, whatever people wrote in them. */

/** Returns a link with this text. */
export function linkTo(text: string, href: string): string {
  return `[${oneLine(text).replace(/[[\]\\]/g, '\\$&')}](${href})`
}

/** Returns a text without line breaks. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** Destinations of a whole text led elsewhere: only their characters change. */
import type { Reference } from '../document/types.js'
import { escapeDestination } from '../links/replace.js'
import { parsePage } from './parse.js'

/** Returns the text with every destination that `lead` answers replaced by its answer. */
export function redirectLinks(
  markdown: string,
  lead: (url: string, kind: Reference['kind']) => string | undefined,
): string {
  const parts: string[] = []
  let done = 0
  for (const { span, syntax, url, kind } of parsePage(markdown).references) {
    const led = lead(url, kind)
    if (led === undefined || led === url || span.start < done) continue
    parts.push(markdown.slice(done, span.start), escapeDestination(markdown, { span, syntax, url: led }))
    done = span.end
  }
  return parts.join('') + markdown.slice(done)
}

/**
 * Returns the text with the destinations of a table led where it says: by the whole of a destination, else by what
 * stands before its fragment, which then stays.
 */
export function redirectByTable(markdown: string, table: ReadonlyMap<string, string>): string {
  return redirectLinks(markdown, (url) => {
    const whole = table.get(url)
    const hash = url.indexOf('#')
    if (whole !== undefined || hash <= 0) return whole
    const page = table.get(url.slice(0, hash))
    return page === undefined ? undefined : page + url.slice(hash)
  })
}

/** Rewrites the link destinations of a text; only their characters change. */
import type { Reference } from '../document/types.js'
import { escapeDestination } from '../links/replace.js'
import { parsePage } from './parse.js'

/** Returns the text with every destination that `lead` answers replaced by its answer. */
export function rewriteLinks(
  markdown: string,
  target: (url: string, kind: Reference['kind']) => string | undefined,
): string {
  const parts: string[] = []
  let done = 0
  for (const { span, syntax, url, kind } of parsePage(markdown).references) {
    const newUrl = target(url, kind)
    if (newUrl === undefined || newUrl === url || span.start < done) continue
    parts.push(markdown.slice(done, span.start), escapeDestination(markdown, { span, syntax, url: newUrl }))
    done = span.end
  }
  return parts.join('') + markdown.slice(done)
}

/**
 * Returns the text with destinations replaced by a table: by the whole destination, else by the part before its
 * fragment, which then stays.
 */
export function rewriteLinksByTable(markdown: string, table: ReadonlyMap<string, string>): string {
  return rewriteLinks(markdown, (url) => {
    const whole = table.get(url)
    const hash = url.indexOf('#')
    if (whole !== undefined || hash <= 0) return whole
    const page = table.get(url.slice(0, hash))
    return page === undefined ? undefined : page + url.slice(hash)
  })
}

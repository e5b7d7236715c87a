/** Content negotiation by the header `Accept`, and what a browser says of the use of a response. */
import type { IncomingHttpHeaders } from 'node:http'

/**
 * True for a request of a browser that opens an address itself, as opposed to one of a script, a frame or a client of the
 * API. Browsers send no `Sec-Fetch-Dest` to an address of plain http, other than to this machine; then it is a navigation
 * by the types that all browsers accept for one, and no script names unasked.
 */
export function isNavigation({ 'sec-fetch-dest': destination, accept = '' }: IncomingHttpHeaders): boolean {
  if (destination !== undefined) return destination === 'document'
  return accept.includes('text/html') && accept.includes('application/xhtml+xml')
}

/** True when JSON is named and HTML is not: a client of the API. */
export function prefersJson(accept: string | undefined): boolean {
  return accept !== undefined && /application\/json/i.test(accept) && qualityOf(accept, 'text/html') === 0
}

/** True when `text/markdown` is named and `text/html` is absent or has no higher quality. Wildcards count as absent. */
export function prefersMarkdown(accept: string | undefined): boolean {
  // Browsers never name it: one test for nearly every request.
  if (accept === undefined || !/text\/markdown/i.test(accept)) return false
  const markdown = qualityOf(accept, 'text/markdown')
  return markdown > 0 && markdown >= qualityOf(accept, 'text/html')
}

/** Returns the quality of a type, from 0 to 1; 0 when it is not named. */
function qualityOf(accept: string, type: string): number {
  for (const entry of accept.toLowerCase().split(',')) {
    const [name, ...parameters] = entry.split(';').map((part) => part.trim())
    if (name !== type) continue
    const quality = parameters.find((one) => one.startsWith('q='))
    return quality === undefined ? 1 : Math.min(1, Math.max(0, Number(quality.slice(2)) || 0))
  }
  return 0
}

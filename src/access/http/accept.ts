/** Content negotiation by the header `Accept`. */

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

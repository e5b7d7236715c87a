/** Which form of an answer its receiver would rather have, by the header `Accept`. */

/** True when Markdown is named, and nothing is said of HTML or it is liked no better. Wildcards name nothing. */
export function prefersMarkdown(accept: string | undefined): boolean {
  // Browsers never name it: one look for nearly every request.
  if (accept === undefined || !/text\/markdown/i.test(accept)) return false
  const markdown = likedness(accept, 'text/markdown')
  return markdown > 0 && markdown >= likedness(accept, 'text/html')
}

/** How much a type is liked: from 0 to 1, 0 for one that is not named. */
function likedness(accept: string, type: string): number {
  for (const entry of accept.toLowerCase().split(',')) {
    const [name, ...parameters] = entry.split(';').map((part) => part.trim())
    if (name !== type) continue
    const quality = parameters.find((one) => one.startsWith('q='))
    return quality === undefined ? 1 : Math.min(1, Math.max(0, Number(quality.slice(2)) || 0))
  }
  return 0
}

/** The fragments that lead to headings and other blocks: made from their text, unique in one document. */

/** Returns the fragment for a text: lower case, words joined by hyphens, letters of every script kept. */
export function slugify(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\s._+-]/gu, '')
    .trim()
    .replace(/[\s-]+/g, '-')
    .replace(/^-|-$/g, '')
}

/** Returns a function that makes each wanted fragment unique by `-1`, `-2` …; without one, `fallback` is taken. */
export function uniqueAnchors(): (wanted: string, fallback: string) => string {
  const counts = new Map<string, number>()
  return (wanted, fallback) => {
    const base = wanted || fallback
    let anchor = base
    while (counts.has(anchor)) {
      const count = counts.get(base)! + 1
      counts.set(base, count)
      anchor = `${base}-${count}`
    }
    counts.set(anchor, 0)
    return anchor
  }
}

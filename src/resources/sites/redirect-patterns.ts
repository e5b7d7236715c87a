/**
 * Redirect matching: an exact source wins, else the longest wildcard source (ending with a star) that is a prefix of
 * the path; and detection of redirect loops and chains. Pure.
 */
import { decodePercent } from '../../core/links/resolve.js'

/** Normalizes a source or path for comparison: readers type in any case, and programs percent-encode differently. */
export function keyOfSource(source: string): string {
  return decodePercent(source).toLowerCase()
}

/** True for a wildcard source, which matches all paths with its prefix. */
export function isPattern(source: string): boolean {
  return source.endsWith('*')
}

/** Sources are no longer, so no longer prefixes of a path are needed. */
const maxSourceLength = 512

/** Returns the keys of all wildcard sources that match a path. */
export function patternKeysOf(path: string): readonly string[] {
  const key = keyOfSource(path).slice(0, maxSourceLength)
  // No wildcard matches a whole site: the first letter is always part of the source.
  return Array.from({ length: Math.max(0, key.length - 1) }, (_, at) => `${key.slice(0, at + 2)}*`)
}

/** Returns the part of the path that the star matches, percent-encoded; undefined when the pattern does not match. */
export function capturedPath(source: string, path: string): string | undefined {
  const stem = keyOfSource(source.slice(0, -1))
  const decoded = decodePercent(path)
  if (!decoded.toLowerCase().startsWith(stem)) return undefined
  const rest = decoded.toLowerCase().length === decoded.length ? decoded : decoded.toLowerCase()
  const parts = rest.slice(stem.length).split('/').filter(Boolean)
  // Prevents path traversal out of the destination.
  if (parts.some((segment) => segment === '.' || segment === '..')) return undefined
  return parts.map(encodeURIComponent).join('/')
}

/** Returns a URL with `more` appended to its path. */
export function withPath(href: string, appended: string): string {
  if (appended === '') return href
  const suffixAt = href.search(/[?#]/)
  const [path, rest] = suffixAt < 0 ? [href, ''] : [href.slice(0, suffixAt), href.slice(suffixAt)]
  return `${path}${path.endsWith('/') ? '' : '/'}${appended}${rest}`
}

/** An edge of the redirect graph: its source key, and the source key on the same site that it leads to, if any. */
export interface RedirectStep {
  readonly key: string
  readonly to: string | undefined
}

/**
 * Returns a function that tells whether following a redirect never ends (`loop`) or leads to another redirect
 * (`chain`). Memoized: a redirect is walked once, however many lead to it.
 */
export function createLoopDetector(
  byKey: ReadonlyMap<string, RedirectStep>,
): (from: RedirectStep) => 'loop' | 'chain' | 'end' {
  const isEndlessByKey = new Map<string, boolean>()

  function isEndless(from: RedirectStep): boolean {
    const visited = new Set<string>()
    let step: RedirectStep | undefined = from
    while (step !== undefined && !isEndlessByKey.has(step.key) && !visited.has(step.key)) {
      visited.add(step.key)
      step = step.to === undefined ? undefined : byKey.get(step.to)
    }
    const result = step !== undefined && (isEndlessByKey.get(step.key) ?? true)
    for (const key of visited) isEndlessByKey.set(key, result)
    return result
  }

  return (from) => {
    if (isEndless(from)) return 'loop'
    return from.to !== undefined && byKey.has(from.to) ? 'chain' : 'end'
  }
}

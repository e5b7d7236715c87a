/**
 * Which redirect a path asks for: the one with this very source, else the longest whose source ends with a star and
 * begins as the path does. Pure.
 */
import { decodePercent } from '../../core/links/resolve.js'

/** Returns a source, or a path, as it is compared: readers type in any case, and programs encode differently. */
export function keyOfSource(source: string): string {
  return decodePercent(source).toLowerCase()
}

/** True for a source that stands for all paths that begin like it. */
export function isPattern(source: string): boolean {
  return source.endsWith('*')
}

/** Sources are no longer, so a longer path needs no more of its beginnings. */
const longestSource = 512

/** Returns the keys of all patterns that a path may answer. */
export function patternKeysOf(path: string): readonly string[] {
  const key = keyOfSource(path).slice(0, longestSource)
  // Nothing stands for a whole site: the first letter is always one of the source.
  return Array.from({ length: Math.max(0, key.length - 1) }, (_, at) => `${key.slice(0, at + 2)}*`)
}

/** Returns what stands in the place of the star, percent-encoded; undefined for a path that a pattern does not name. */
export function captured(source: string, path: string): string | undefined {
  const stem = keyOfSource(source.slice(0, -1))
  const decoded = decodePercent(path)
  if (!decoded.toLowerCase().startsWith(stem)) return undefined
  const rest = decoded.toLowerCase().length === decoded.length ? decoded : decoded.toLowerCase()
  const parts = rest.slice(stem.length).split('/').filter(Boolean)
  // Nobody climbs out of what a redirect names.
  if (parts.some((part) => part === '.' || part === '..')) return undefined
  return parts.map(encodeURIComponent).join('/')
}

/** Returns an address with more path behind its own. */
export function withPath(href: string, more: string): string {
  if (more === '') return href
  const asked = href.search(/[?#]/)
  const [path, rest] = asked < 0 ? [href, ''] : [href.slice(0, asked), href.slice(asked)]
  return `${path}${path.endsWith('/') ? '' : '/'}${more}${rest}`
}

/** A redirect by what it is compared with, and the source on the same site that it leads to, if any. */
export interface Step {
  readonly key: string
  readonly to: string | undefined
}

/**
 * Returns what says of a redirect whether following it comes back to where it was (`loop`), or to another one
 * (`chain`). What is known of one redirect is not walked through again for those that lead to it.
 */
export function createCompass(byKey: ReadonlyMap<string, Step>): (from: Step) => 'loop' | 'chain' | 'end' {
  const known = new Map<string, boolean>()

  function isEndless(from: Step): boolean {
    const passed = new Set<string>()
    let step: Step | undefined = from
    while (step !== undefined && !known.has(step.key) && !passed.has(step.key)) {
      passed.add(step.key)
      step = step.to === undefined ? undefined : byKey.get(step.to)
    }
    const isIt = step !== undefined && (known.get(step.key) ?? true)
    for (const key of passed) known.set(key, isIt)
    return isIt
  }

  return (from) => {
    if (isEndless(from)) return 'loop'
    return from.to !== undefined && byKey.has(from.to) ? 'chain' : 'end'
  }
}

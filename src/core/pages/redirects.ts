/**
 * Redirects of a space (`.gitbook.yaml`): from old paths to pages, parts of pages, files, and addresses of other hosts.
 */
import type { ContentConfig } from '../config.js'
import { isAbsoluteUrl } from '../links/resolve.js'
import type { Step } from '../merkle/types.js'
import { trimBothOf } from '../trim.js'
import { joinPath } from './paths.js'
import { findPageByFile } from './read.js'
import { type Target, resolveTargets } from './targets.js'
import type { Snapshot } from './types.js'

/** Returns the file from which the destinations of redirects are relative. */
export function redirectsFile({ root }: ContentConfig): string {
  return joinPath(root, 'redirects')
}

/** Returns a redirect's destination as a URL: an empty path is the root folder; earlier configurations lack a slash. */
export function redirectUrl(to: string): string {
  if (isAbsoluteUrl(to)) return to.replace(/^(https?:)\/+/i, '$1//')
  return to === '' || to.startsWith('#') ? `./${to}` : to
}

/** Returns the target of the redirect of a path, which is compared without case; undefined when there is none. */
export function* findRedirect(snapshot: Snapshot, path: string): Step<Target | undefined> {
  const { config } = snapshot
  const wanted = path.toLowerCase()
  const found = Object.entries(config.redirects).find(
    ([from]) => trimBothOf(from, '/').toLowerCase() === wanted,
  )
  if (found === undefined) return undefined
  const [, to] = found
  // A name may hold characters that mean something else in a URL.
  const page = yield* findPageByFile(snapshot, joinPath(config.root, to.replace(/^(?:\.?\/)+/, '')))
  if (page !== undefined) return { kind: 'page', page }
  const url = redirectUrl(to)
  return (yield* resolveTargets(snapshot, redirectsFile(config), [url])).get(url)
}

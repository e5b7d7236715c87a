/**
 * Relative links as an author would write them: the path from one file to another, and retargeting of
 * an existing link. `resolve.ts` is the exact inverse.
 */
import { folderOf, splitUrl } from './resolve.js'

/**
 * Returns the relative URL that leads from `fromFile` to `toFile` (paths from the root of the tree), with
 * percent-encoding only for characters that would end or change it; the path of a file to itself is its name.
 */
export function relativePath(fromFile: string, toFile: string): string {
  const from = folderOf(fromFile) === '' ? [] : folderOf(fromFile).split('/')
  const to = toFile.split('/')
  let shared = 0
  while (shared < from.length && shared < to.length - 1 && from[shared] === to[shared]) shared++
  const way = [...from.slice(shared).map(() => '..'), ...to.slice(shared).map(encodeName)].join('/')
  // A colon in the first segment would be parsed as a URL scheme.
  return /^[^/]*:/.test(way) ? `./${way}` : way
}

/**
 * Returns `url`, written in `fromFile`, with its path changed to lead to `toFile`. Query, fragment, a leading
 * `./` or `/` and the folder form (`guides/` for the folder's `readme`) stay as the author wrote them.
 */
export function retarget(url: string, fromFile: string, toFile: string, readme = 'README.md'): string {
  const { path } = splitUrl(url)
  const suffix = url.slice(path.length)
  const absolute = path.startsWith('/') && !/^(pages|files)\//.test(toFile)
  let way = absolute ? `/${toFile.split('/').map(encodeName).join('/')}` : relativePath(fromFile, toFile)
  if (path.startsWith('./') && !way.startsWith('.')) way = `./${way}`
  const ownPage = `/${encodeName(readme)}`
  if (path.endsWith('/') && way.endsWith(ownPage)) way = way.slice(0, 1 - ownPage.length)
  return way + suffix
}

function encodeName(name: string): string {
  return name.replace(/[\u0000-\u0020%?#<>"\u007f-\u00a0\u2028\u2029]/g, (character) =>
    encodeURIComponent(character),
  )
}

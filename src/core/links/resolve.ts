/**
 * Link resolution: parses a destination written in a text into a target.
 *
 * Purely syntactic: it does not know which files exist. When a destination is ambiguous (`guides` may
 * be a file, a page or a folder) the most literal reading is `path` and the others are in
 * `alternatives`, in the order in which to try them.
 */

export type Resolved =
  | FileTarget
  /** A fragment of the same file. */
  | { readonly kind: 'anchor'; readonly fragment: string }
  /** `/pages/<id>`: `page` is the id of a page, or its path when no page has that id. */
  | { readonly kind: 'page'; readonly page: string; readonly fragment?: string }
  /** `/files/<id>`: a file named by its id. */
  | { readonly kind: 'upload'; readonly file: string }
  /** A page of a space by its URL in the application. */
  | { readonly kind: 'space'; readonly space: string; readonly path: string; readonly fragment?: string }
  | { readonly kind: 'mail'; readonly url: string }
  | { readonly kind: 'url'; readonly url: string }
  /** A relative path that leaves the content root. */
  | { readonly kind: 'outside'; readonly url: string }

export interface FileTarget {
  readonly kind: 'file'
  /** From the root of the tree: no leading slash, no `.` or `..`, percent-encoding removed. */
  readonly path: string
  readonly alternatives?: readonly string[]
  /** As written after `?`. */
  readonly query?: string
  /** After `#`, percent-encoding removed. */
  readonly fragment?: string
}

export interface ResolveOptions {
  /** File name of a folder's own page; default `README.md`. */
  readonly readme?: string
  /** A folder whose own page is another file, if that exists. */
  readonly firstPage?: { readonly folder: string; readonly file: string }
  /** Base URLs of the application, without trailing slash: `<base>/s/<space>/<path>` is a link to a space. */
  readonly applications?: readonly string[]
}

/** Returns the target of `url` in the file `fromFile` (a path from the root of the tree). Never throws. */
export function resolveReference(fromFile: string, url: string, options: ResolveOptions = {}): Resolved {
  if (/^mailto:/i.test(url)) return { kind: 'mail', url }
  if (isAbsoluteUrl(url)) {
    return resolveApplicationUrl(url, options.applications ?? []) ?? { kind: 'url', url }
  }
  const { path, query, fragment } = splitUrl(url)
  if (path === '' && query === undefined) return { kind: 'anchor', fragment: fragment ?? '' }

  const id = /^\/(pages|files)\/([A-Za-z0-9]{1,40})$/.exec(path)
  if (id?.[1] === 'pages') return { kind: 'page', page: id[2]!, ...(fragment !== undefined && { fragment }) }
  if (id) return { kind: 'upload', file: id[2]! }

  const decoded = decodePercent(path)
  const base = decoded.startsWith('/') ? '' : folderOf(fromFile)
  const target = decoded === '' ? fromFile : joinPath(base, decoded)
  if (target === undefined) return { kind: 'outside', url }
  const isFolder = decoded !== '' && (target === '' || /(^|\/)\.{0,2}$/.test(decoded))
  const [literal, ...alternatives] = isFolder
    ? pagesOf(target, options)
    : [target, ...otherReadings(target, decoded.startsWith('/pages/'), options)]
  return {
    kind: 'file',
    path: literal!,
    ...(alternatives.length > 0 && { alternatives }),
    ...(query !== undefined && { query }),
    ...(fragment !== undefined && { fragment }),
  }
}

/** Returns whether a destination is an address, with a scheme or a host. */
export function isAbsoluteUrl(url: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(url) || url.startsWith('//')
}

/** Returns the folder of a file path: `a/b` for `a/b/c.md`, empty for a file of the root. */
export function folderOf(file: string): string {
  return file.slice(0, Math.max(0, file.lastIndexOf('/')))
}

/** Returns the parts of a relative URL; the path and the query stay encoded, the fragment does not. */
export function splitUrl(url: string): { path: string; query?: string; fragment?: string } {
  const hash = url.indexOf('#')
  const beforeHash = hash < 0 ? url : url.slice(0, hash)
  const mark = beforeHash.indexOf('?')
  return {
    path: mark < 0 ? beforeHash : beforeHash.slice(0, mark),
    ...(mark >= 0 && { query: beforeHash.slice(mark + 1) }),
    ...(hash >= 0 && { fragment: decodePercent(url.slice(hash + 1)) }),
  }
}

/** Returns the text with percent sequences decoded; those that are not valid UTF-8, or U+0000, stay as written. */
export function decodePercent(text: string): string {
  return text.replace(/(?:%(?!00)[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run)
    } catch {
      return run.replace(/%[0-7][0-9a-f]/gi, (one) => String.fromCharCode(parseInt(one.slice(1), 16)))
    }
  })
}

/** Returns `path` relative to the folder `base` without `.`, `..` and empty segments; undefined when it leaves the root. */
export function joinPath(base: string, path: string): string | undefined {
  const parts = base === '' ? [] : base.split('/')
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.pop() === undefined) return undefined
  }
  return parts.join('/')
}

function pathIn(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`
}

/** A name without extension may mean a page or a folder; `/pages/<path>` a page of that path. */
function otherReadings(target: string, underPages: boolean, options: ResolveOptions): string[] {
  const named = target.slice(target.lastIndexOf('/') + 1).lastIndexOf('.') > 0
  const others = named ? [] : [`${target}.md`, ...pagesOf(target, options)]
  if (!underPages) return others
  const page = target.slice('pages/'.length)
  return named ? [page] : [...others, `${page}.md`, ...pagesOf(page, options)]
}

/** Returns the files that may be the page of a folder. */
function pagesOf(folder: string, { readme = 'README.md', firstPage }: ResolveOptions): string[] {
  const own = pathIn(folder, readme)
  return firstPage?.folder === folder ? [firstPage.file, own] : [own]
}

function resolveApplicationUrl(url: string, applications: readonly string[]): Resolved | undefined {
  for (const application of applications) {
    if (!url.startsWith(`${application}/s/`)) continue
    const { path, fragment } = splitUrl(url.slice(application.length + 3))
    const [space = '', ...rest] = path.split('/')
    if (!/^[A-Za-z0-9_-]+$/.test(space)) continue
    return {
      kind: 'space',
      space,
      path: joinPath('', decodePercent(rest.join('/'))) ?? '',
      ...(fragment !== undefined && { fragment }),
    }
  }
  return undefined
}

/** URL parsing: addresses of published sites, split into their parts. Does not look up whether the site exists. */
import { decodePercent } from '../../core/links/resolve.js'

/** Path prefix of the files of a site that is not public, before space, id and name of the file. */
export const filePath = '~octavo/file/'

/** A parsed address: the two names of a site and the rest. */
export interface SiteAddress {
  /** The hostname of the organization. */
  readonly hostname: string
  readonly basename: string
  /** False where the slash at the end of the site's root is missing. */
  readonly hasSlash: boolean
  /** Below the site, percent-encoded. */
  readonly path: string
  /** The query without its question mark. */
  readonly search: string | undefined
}

/** Reads `/@<organization>/<site>/<path>`. */
export function readSitePath(url: string): SiteAddress {
  const [, hostname = '', basename = '', slash = '', path = '', search] =
    /^\/+@([^/?]*)\/+(?:([^/?]+)(?:(\/)([^?]*))?)?(?:\?(.*))?$/.exec(url) ?? []
  return {
    hostname: decodePercent(hostname),
    basename: decodePercent(basename),
    hasSlash: slash !== '',
    path,
    search,
  }
}

/** Reads `/<site>/<path>` on the host of an organization. */
export function readOrganizationPath(hostname: string, url: string): SiteAddress {
  const { path: whole, search } = readHostPath(url)
  const [, basename = '', slash = '', path = ''] = /^\/*(?:([^/]+)(?:(\/)(.*))?)?$/.exec(whole) ?? []
  return { hostname, basename: decodePercent(basename), hasSlash: slash !== '', path, search }
}

/** Reads `/<path>` on the host of a site. */
export function readHostPath(url: string): Pick<SiteAddress, 'path' | 'search'> {
  const [path = '', search] = url.split(/\?(.*)/s, 2) as [string, string?]
  return { path: path.slice(1), search }
}

/** The addresses by which published sites are reached, taken apart. Whether a site stands there is another question. */
import { decodePercent } from '../../core/links/resolve.js'

/** Below the root of a site whose files are not for all, before the space, the id and the name of one. */
export const filePath = '~octavo/file/'

/** An address as it was written, by the two names of a site. */
export interface SiteAddress {
  /** The hostname of the organization. */
  readonly hostname: string
  readonly basename: string
  /** False without the slash that ends the site's own address. */
  readonly hasSlash: boolean
  /** Below the site, percent-encoded. */
  readonly path: string
  /** Without its question mark. */
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

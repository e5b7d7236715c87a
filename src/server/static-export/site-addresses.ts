/** Parses the addresses on a page of a site: those of the site itself, which a static export contains, and external ones. */
import { detachSubstring } from '../../core/detach-substring.js'
import type { PublishedSite } from '../../site/routing/site.js'

/** A normalized address of the site, or of a file that the server serves for all sites. */
export interface SiteAddress {
  /** Path and query from the root of the host. */
  readonly href: string
  /** The path below the site, or that of a file for all sites: the key of its exported file. */
  readonly path: string
  readonly query: string
}

export type SiteReference =
  | { readonly address: SiteAddress; readonly fragment: string; readonly isAbsolute: boolean }
  /** External: `href` is the absolute address; undefined when it stays as it is written. */
  | { readonly address?: never; readonly href?: string }

/** Returns a parser of addresses as they are written on pages of the site. */
export function createAddressParser(
  { url, base }: Pick<PublishedSite, 'url' | 'base'>,
  serverBase: string,
): (href: string) => SiteReference {
  const origin = new URL(url).origin
  const prefix = new URL(serverBase).pathname.replace(/\/$/, '')
  const parsed = new Map<string, SiteReference>()

  function parse(href: string): SiteReference {
    if (href === '' || href.startsWith('#')) return {}
    const isAbsolute = !href.startsWith('/') || href.startsWith('//')
    const isOwnUrl = href.startsWith(url) || href.startsWith(`${serverBase}/~octavo/files/`)
    if ((isAbsolute && !isOwnUrl) || !URL.canParse(href, origin)) return {}
    const { pathname, search, hash } = new URL(href, origin)
    const referenceTo = (path: string): SiteReference => ({
      address: { href: pathname + search, path, query: search.slice(1) },
      fragment: hash,
      isAbsolute,
    })
    const pathBelowPrefix = pathname.slice(prefix.length + 1)
    if (pathname.startsWith(base)) return referenceTo(pathname.slice(base.length))
    if (pathname.startsWith(`${prefix}/~octavo/assets/`) || pathname.startsWith(`${prefix}/~octavo/files/`))
      return referenceTo(pathBelowPrefix)
    if (pathname === '/favicon.ico') return referenceTo('favicon.ico')
    return { href: new URL(href, serverBase).href }
  }

  return (href) => {
    let found = parsed.get(href)
    if (found === undefined) parsed.set(detachSubstring(href), (found = parse(href)))
    return found
  }
}

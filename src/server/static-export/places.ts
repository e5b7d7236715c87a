/** What an address on a page of a site is to its twin: something of the site, or elsewhere. */
import { detachSubstring } from '../../core/detach-substring.js'
import type { PublishedSite } from '../../site/routing/site.js'

/** An address of the site, or of what the server gives to all sites, written in one way. */
export interface Place {
  /** Path and query from the root of the host. */
  readonly href: string
  /** The path below the site, or of what is for all sites: the key of its file. */
  readonly path: string
  readonly query: string
}

export type Reference =
  | { readonly place: Place; readonly fragment: string; readonly isAbsolute: boolean }
  /** Elsewhere: `href` is the address as anybody may ask for it; undefined when it stays as it is written. */
  | { readonly place?: never; readonly href?: string }

/** Returns what reads addresses as they are written on pages of the site. */
export function createPlaces(
  { url, base }: Pick<PublishedSite, 'url' | 'base'>,
  serverBase: string,
): (href: string) => Reference {
  const origin = new URL(url).origin
  const prefix = new URL(serverBase).pathname.replace(/\/$/, '')
  const known = new Map<string, Reference>()

  function read(href: string): Reference {
    if (href === '' || href.startsWith('#')) return {}
    const isAbsolute = !href.startsWith('/') || href.startsWith('//')
    const isOurs = href.startsWith(url) || href.startsWith(`${serverBase}/~octavo/files/`)
    if ((isAbsolute && !isOurs) || !URL.canParse(href, origin)) return {}
    const { pathname, search, hash } = new URL(href, origin)
    const placeAt = (path: string): Reference => ({
      place: { href: pathname + search, path, query: search.slice(1) },
      fragment: hash,
      isAbsolute,
    })
    const below = pathname.slice(prefix.length + 1)
    if (pathname.startsWith(base)) return placeAt(pathname.slice(base.length))
    if (pathname.startsWith(`${prefix}/~octavo/assets/`) || pathname.startsWith(`${prefix}/~octavo/files/`))
      return placeAt(below)
    if (pathname === '/favicon.ico') return placeAt('favicon.ico')
    return { href: new URL(href, serverBase).href }
  }

  return (href) => {
    let found = known.get(href)
    if (found === undefined) known.set(detachSubstring(href), (found = read(href)))
    return found
  }
}

/**
 * What stands at a path of a site, or where it leads: the table of what wins at an address stands in
 * docs/guide/publishing.md. People write a site's redirects one by one and rename what they lead to, so each is followed
 * before it is answered: one that comes back to where it was leads nowhere.
 */
import type { Services } from '../../access/route/scope.js'
import { type Destination, findDestination } from '../routing/destination.js'
import { belowBase } from '../routing/linker.js'
import { type Choice, meaningOf } from '../routing/match-path.js'
import type { ShownSite } from '../routing/site.js'
import { type ShownContent, isReachable, openContent } from './content.js'
import { type SiteRedirection, findFormer, findSiteRedirect } from './site-redirect.js'

export type Place =
  | Exclude<Destination, { readonly kind: 'redirect' }>
  | (SiteRedirection & { readonly kind: 'led' })

/** A path (percent-encoded, below the base of its site), and what it says. */
interface Asked {
  readonly path: string
  readonly choice: Choice
}

/** Returns what a path is answered with; a page that the reader is not shown is missing. */
export async function findPlace(services: Services, shown: ShownContent, asked: Asked): Promise<Place> {
  const place = await findNext(services, shown, asked)
  if (place.kind !== 'led' || (await hasEnd(services, shown.site, place.href))) return place
  return { kind: 'missing' }
}

/** Returns the same without looking where it leads on from there. */
async function findNext(services: Services, shown: ShownContent, { path, choice }: Asked): Promise<Place> {
  const { content, linker, site } = shown
  const destination = await content.run(findDestination(content.revision.snapshot, linker, choice))
  const isShown = destination.kind !== 'missing' && (await isReachable(shown, destination.page))
  if (isShown && destination.kind !== 'redirect') return destination
  const redirect = isShown && destination.kind === 'redirect' ? destination : undefined
  const isByTable = redirect?.isByTable === true
  // What sections and spaces were called counts before what a space redirects.
  const isOther = redirect !== undefined && !isByTable
  const former = isOther ? undefined : await findFormer(services, site, { path, isByTable })
  if (former !== undefined) return { kind: 'led', href: former, isElsewhere: false, isPermanent: false }
  if (redirect !== undefined)
    return { kind: 'led', href: redirect.href, isElsewhere: false, isPermanent: redirect.isSame }
  const led = await findSiteRedirect(services, site, path)
  return led === undefined ? { kind: 'missing' } : { kind: 'led', ...led }
}

/** Browsers follow some twenty redirects. */
const mostHops = 16

/** Tells whether whoever follows an address, and what is redirected from there, arrives somewhere or leaves the site. */
async function hasEnd(services: Services, site: ShownSite, href: string): Promise<boolean> {
  const passed = new Set<string>()
  let path = pathBelow(services, site, href)
  while (path !== undefined) {
    if (passed.has(path) || passed.size === mostHops) return false
    passed.add(path)
    const next = await nextOf(services, site, path)
    path = next === undefined ? undefined : pathBelow(services, site, next)
  }
  return true
}

async function nextOf(services: Services, site: ShownSite, path: string): Promise<string | undefined> {
  const meaning = meaningOf(site, path)
  if (meaning.kind === 'variant') return site.base + belowBase(meaning.choice.variant) + meaning.choice.rest
  if (meaning.kind !== 'page') return undefined
  const shown = await openContent(services, site, meaning.choice.variant)
  const place = await findNext(services, shown, { path, choice: meaning.choice })
  return place.kind === 'led' ? place.href : undefined
}

/** Returns the path of an address below the site, by whichever of its doors; undefined for one that is elsewhere. */
function pathBelow({ addresses }: Services, { base, url }: ShownSite, href: string): string | undefined {
  const door = new URL(base, addresses.base)
  const { host, pathname } = new URL(href, door)
  for (const root of [door, new URL(url)]) {
    const isBelow = host === root.host && pathname.toLowerCase().startsWith(root.pathname.toLowerCase())
    if (isBelow) return pathname.slice(root.pathname.length)
  }
  return undefined
}

/** Routes of redirect rules of a site. */
import { nothingRemoved } from '../../access/route/responses.js'
import { type Route, route } from '../../access/route/route.js'
import { optionalSubresourceScope, subresourceScope } from '../../access/route/scope.js'
import type { LoadRequest } from '../../access/route/scope.js'
import { ApiError } from '../../contract/errors.js'
import type { RedirectDestination } from '../../contract/site-redirects.js'
import * as operations from '../../contract/site-redirects.js'
import type { Tx } from '../../store/db/database.js'
import { sharePathOf } from './audience.js'
import { addressOf } from './present.js'
import { urlContextOf } from './show.js'
import { putRedirects } from './bulk-redirects.js'
import { capturedPath, isPattern } from './redirect-patterns.js'
import { deleteRedirect, findRedirect, findRedirectFor, listRedirects } from './redirect-store.js'
import { changeRedirect, createRedirect, destinationOf, presentRedirect, targetOf } from './redirects.js'
import { type SiteContext, inSite } from './scope.js'
import { updateSite } from './store.js'

const redirectStep = {
  key: 'redirect',
  noun: 'redirect',
  find: ({ db }: LoadRequest, id: string, { site }: { readonly site: SiteContext }) =>
    findRedirect(db, site.row, id),
} as const

/** Marks the site as changed: renderers cache redirects, also that there is none, until the site changes. */
async function touchSite(tx: Tx, { row }: SiteContext, now: number): Promise<void> {
  await updateSite(tx, row, { updated_at: now })
}

/** True unless the destination is hidden from the caller. */
function leadsToReadable({ spaces, readable }: SiteContext, destination: RedirectDestination): boolean {
  if (destination.kind === 'external') return true
  return spaces.some(({ link, space }) => {
    const isDestination =
      destination.kind === 'site-section'
        ? link.section_id === destination.siteSectionId
        : link.id === destination.siteSpaceId
    return isDestination && readable.has(space.id)
  })
}

const inRedirect = subresourceScope(inSite, 'siteRedirectId', redirectStep)
const atRedirect = optionalSubresourceScope(inSite, 'siteRedirectId', redirectStep)

export const siteRedirectRoutes: readonly Route[] = [
  route(operations.listSiteRedirects, {
    at: inSite,
    allow: 'view',
    handle: async ({ db, site, query }) => {
      const list = await listRedirects(db, site.row, query)
      return { ...list, items: list.items.map(presentRedirect) }
    },
  }),

  route(operations.createSiteRedirect, {
    at: inSite,
    allow: 'administer',
    handle: async ({ tx, site, body, now, services }) => {
      await touchSite(tx, site, now)
      return presentRedirect(await createRedirect(tx, { services, site, now }, body))
    },
  }),

  route(operations.putSiteRedirects, {
    at: inSite,
    allow: 'administer',
    handle: async ({ tx, site, body, now, services, organization }) => {
      const { basename, hostname } = site.row
      const address = services.addresses.site(organization.row.hostname, basename, hostname)
      await touchSite(tx, site, now)
      return { results: await putRedirects(tx, { services, site, address, now }, body.redirects) }
    },
  }),

  route(operations.updateSiteRedirect, {
    at: inRedirect,
    allow: 'administer',
    handle: async ({ tx, site, redirect, body, now, services }) => {
      await touchSite(tx, site, now)
      return presentRedirect(await changeRedirect(tx, { services, site, now }, redirect, body))
    },
  }),

  route(operations.deleteSiteRedirect, {
    at: atRedirect,
    allow: 'administer',
    handle: async ({ tx, site, redirect, now }) => {
      if (redirect === undefined) return nothingRemoved
      await touchSite(tx, site, now)
      return deleteRedirect(tx, redirect)
    },
  }),

  route(operations.findSiteRedirect, {
    at: inSite,
    allow: 'view',
    handle: async ({ db, site, query, services, organization }) => {
      const redirect = await findRedirectFor(db, site.row, query.source)
      const missing = new ApiError('not_found', { thing: 'redirect' })
      if (redirect === undefined || !leadsToReadable(site, destinationOf(redirect))) throw missing
      const sharePath = await sharePathOf(db, services.addresses, site.row, query.shareKey)
      const address = addressOf(urlContextOf({ services, organization, sharePath }), site.row)
      const captured = isPattern(redirect.source) ? capturedPath(redirect.source, query.source) : ''
      const target = await targetOf({ db, services }, site, address, redirect, captured)
      if (target === undefined) throw missing
      return { redirect: presentRedirect(redirect), target }
    },
  }),
]

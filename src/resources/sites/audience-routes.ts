/** Share links, the key of visitor tokens, and looks at a site: for those who administer it, because all of it opens the site. */
import { nothingRemoved } from '../../access/route/removal.js'
import { type Route, route } from '../../access/route/route.js'
import { type LoadRequest, perhapsWithin, within } from '../../access/route/scope.js'
import * as operations from '../../contract/site-audience.js'
import { deleteShareLink, findShareLink, listShareLinks } from './audience-store.js'
import {
  changePublishingAuth,
  changeShareLink,
  createShareLink,
  presentPublishingAuth,
  presentShareLink,
  previewUrl,
  regenerateKey,
} from './audience.js'
import { type SiteHere, inSite } from './scope.js'
import { contextOf } from './show.js'

const linkStep = {
  key: 'shareLink',
  thing: 'share link',
  find: ({ db }: LoadRequest, id: string, { site }: { readonly site: SiteHere }) =>
    findShareLink(db, site.row, id),
} as const

const inShareLink = within(inSite, 'shareLinkId', linkStep)
const atShareLink = perhapsWithin(inSite, 'shareLinkId', linkStep)

export const siteAudienceRoutes: readonly Route[] = [
  route(operations.listShareLinks, {
    at: inSite,
    allow: 'administer',
    handle: async ({ db, site, query, ...place }) => {
      const { readShare } = place.services.addresses.keys
      const id = query.search && readShare(site.row.id, query.search)
      const list = await listShareLinks(db, site.row, { ...query, id })
      return { ...list, items: list.items.map((link) => presentShareLink(contextOf(place), site.row, link)) }
    },
  }),

  route(operations.createShareLink, {
    at: inSite,
    allow: 'administer',
    handle: async ({ tx, site, body, now, ...place }) =>
      presentShareLink(contextOf(place), site.row, await createShareLink(tx, site, body, now)),
  }),

  route(operations.updateShareLink, {
    at: inShareLink,
    allow: 'administer',
    handle: async ({ tx, site, shareLink, body, ...place }) =>
      presentShareLink(contextOf(place), site.row, await changeShareLink(tx, shareLink, body)),
  }),

  route(operations.deleteShareLink, {
    at: atShareLink,
    allow: 'administer',
    handle: async ({ tx, shareLink }) => {
      if (shareLink === undefined) return nothingRemoved
      return deleteShareLink(tx, shareLink)
    },
  }),

  route(operations.getPublishingAuth, {
    at: inSite,
    allow: 'administer',
    handle: async ({ site, services }) => presentPublishingAuth(services.addresses, site.row),
  }),

  route(operations.updatePublishingAuth, {
    at: inSite,
    allow: 'administer',
    handle: async ({ tx, site, body, now, services }) =>
      presentPublishingAuth(services.addresses, await changePublishingAuth(tx, site, body, now)),
  }),

  route(operations.regeneratePublishingAuth, {
    at: inSite,
    allow: 'administer',
    handle: async ({ tx, site, now, services }) =>
      presentPublishingAuth(services.addresses, await regenerateKey(tx, site, now)),
  }),

  route(operations.previewSite, {
    at: inSite,
    allow: 'administer',
    handle: async ({ actor, site, query, now, ...place }) => ({
      url: previewUrl(contextOf(place), site, query, { credential: actor, now }),
    }),
  }),
]

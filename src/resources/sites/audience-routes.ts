/** Routes of share links, the visitor signing key and site previews: for those who administer the site, because each of them grants access to it. */
import { nothingRemoved } from '../../access/route/responses.js'
import { type Route, route } from '../../access/route/route.js'
import { type LoadRequest, optionalSubresourceScope, subresourceScope } from '../../access/route/scope.js'
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
import { type SiteContext, inSite } from './scope.js'
import { urlContextOf } from './show.js'

const linkStep = {
  key: 'shareLink',
  noun: 'share link',
  find: ({ db }: LoadRequest, id: string, { site }: { readonly site: SiteContext }) =>
    findShareLink(db, site.row, id),
} as const

const inShareLink = subresourceScope(inSite, 'shareLinkId', linkStep)
const atShareLink = optionalSubresourceScope(inSite, 'shareLinkId', linkStep)

export const siteAudienceRoutes: readonly Route[] = [
  route(operations.listShareLinks, {
    at: inSite,
    allow: 'administer',
    handle: async ({ db, site, query, ...context }) => {
      const { readShare } = context.services.addresses.keys
      const id = query.search && readShare(site.row.id, query.search)
      const list = await listShareLinks(db, site.row, { ...query, id })
      return {
        ...list,
        items: list.items.map((link) => presentShareLink(urlContextOf(context), site.row, link)),
      }
    },
  }),

  route(operations.createShareLink, {
    at: inSite,
    allow: 'administer',
    handle: async ({ tx, site, body, now, ...context }) =>
      presentShareLink(urlContextOf(context), site.row, await createShareLink(tx, site, body, now)),
  }),

  route(operations.updateShareLink, {
    at: inShareLink,
    allow: 'administer',
    handle: async ({ tx, site, shareLink, body, ...context }) =>
      presentShareLink(urlContextOf(context), site.row, await changeShareLink(tx, shareLink, body)),
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
    handle: async ({ actor, site, query, now, ...context }) => ({
      url: previewUrl(urlContextOf(context), site, query, { credential: actor, now }),
    }),
  }),
]

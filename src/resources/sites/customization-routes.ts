/** Customization (theme) of sites, and overrides per site space. */
import { nothingRemoved } from '../../access/route/responses.js'
import { type Route, route } from '../../access/route/route.js'
import * as operations from '../../contract/customization.js'
import { readerOf } from '../organizations/scope.js'
import {
  hasOverrides,
  overrideCustomization,
  presentCustomization,
  putCustomization,
  resetCustomization,
} from './customization.js'
import { atSiteSpace, inSite, inSiteSpace } from './scope.js'

export const siteCustomizationRoutes: readonly Route[] = [
  route(operations.getSiteCustomization, {
    at: inSite,
    allow: 'view',
    handle: async ({ site }) => presentCustomization(site.row),
  }),

  route(operations.updateSiteCustomization, {
    at: inSite,
    allow: 'administer',
    handle: async ({ tx, actor, site, body, now, services, organization }) => {
      const context = { tx, services, site, reader: readerOf(actor, organization) }
      return presentCustomization(await putCustomization(context, body, now))
    },
  }),

  route(operations.getSiteSpaceCustomization, {
    at: inSiteSpace,
    allow: 'view',
    handle: async ({ site, link }) => ({
      ...presentCustomization(site.row, link),
      hasOverrides: hasOverrides(link),
    }),
  }),

  route(operations.overrideSiteSpaceCustomization, {
    at: inSiteSpace,
    allow: 'administer',
    handle: async ({ tx, actor, site, link, body, now, services, organization }) => {
      const context = { tx, services, site, reader: readerOf(actor, organization) }
      const changed = await overrideCustomization(context, link, body, now)
      return { ...presentCustomization(site.row, changed), hasOverrides: hasOverrides(changed) }
    },
  }),

  route(operations.deleteSiteSpaceCustomization, {
    at: atSiteSpace,
    allow: 'administer',
    handle: async ({ tx, link }) => {
      if (link === undefined) return nothingRemoved
      return (await resetCustomization({ tx }, link)) ? undefined : nothingRemoved
    },
  }),
]

/** Routes of sites: spaces published for readers. */
import { nothingRemoved } from '../../access/route/responses.js'
import { type Route, route } from '../../access/route/route.js'
import { ApiError } from '../../contract/errors.js'
import * as operations from '../../contract/sites.js'
import { inOrganization, readerOf } from '../organizations/scope.js'
import { sharePathOf } from './audience.js'
import { createSite } from './create.js'
import { hasOverrides, presentCustomization } from './customization.js'
import { publishSite, unpublishSite } from './publish.js'
import { atSite, inSite } from './scope.js'
import { embeddableScripts } from './scripts.js'
import { createStructurePresenter } from './structure-presenter.js'
import { showSite, showSites } from './show.js'
import { deleteSite, listVisibleSites } from './store.js'
import { changeSite } from './update.js'
import { findUnknownClaims, findWarnings } from './warnings.js'

export const siteRoutes: readonly Route[] = [
  route(operations.listSites, {
    at: inOrganization,
    allow: 'visit',
    handle: async ({ db, actor, query, ...context }) => {
      const reader = readerOf(actor, context.organization)
      const list = await listVisibleSites(db, reader, query)
      return { ...list, items: await showSites(db, context, list.items, reader) }
    },
  }),

  route(operations.createSite, {
    at: inOrganization,
    allow: 'createContent',
    handle: async ({ tx, actor, body, now, ...context }) => {
      const { organization, services } = context
      const reader = readerOf(actor, organization)
      const row = await createSite(tx, body, { organizationId: organization.row.id, reader, now, services })
      return (await showSites(tx, context, [row], reader))[0]!
    },
  }),

  route(operations.getSite, {
    at: inSite,
    allow: 'view',
    handle: ({ db, site, ...context }) => showSite(db, context, site.row, site.levels),
  }),

  route(operations.updateSite, {
    at: inSite,
    allow: 'administer',
    handle: async ({ tx, site, body, now, ...context }) => {
      const row = await changeSite(tx, site, body, now)
      const warnings = body.adaptiveContent === undefined ? [] : await findUnknownClaims(tx, row)
      return { ...(await showSite(tx, context, row, site.levels)), ...(warnings.length > 0 && { warnings }) }
    },
  }),

  route(operations.deleteSite, {
    at: atSite,
    allow: 'administer',
    handle: async ({ tx, site }) => {
      if (site === undefined) return nothingRemoved
      return deleteSite(tx, site.row)
    },
  }),

  route(operations.publishSite, {
    at: inSite,
    allow: 'administer',
    handleLong: async ({ actor: { userId }, site: loaded, now, services, commit }) => {
      const warnings = await findWarnings(services, loaded)
      return commit(async ({ tx, site, organization }) => {
        const row = await publishSite(tx, site, { userId, now })
        const reply = await showSite(tx, { services, organization }, row, site.levels)
        return { ...reply, ...(warnings.length > 0 && { warnings }) }
      })
    },
  }),

  route(operations.unpublishSite, {
    at: inSite,
    allow: 'administer',
    handle: async ({ tx, actor: { userId }, site, now, ...context }) =>
      showSite(tx, context, await unpublishSite(tx, site, { userId, now }), site.levels),
  }),

  route(operations.getPublishedSite, {
    at: inSite,
    allow: 'view',
    handle: async ({ db, actor, site, query, services, organization }) => {
      // A preview renders an unpublished site for the member who opened it.
      if (site.row.published === 0 && actor.reading === undefined)
        throw new ApiError('not_found', { thing: 'published site' })
      const sharePath = await sharePathOf(db, services.addresses, site.row, query.shareKey)
      const context = { services, organization, sharePath }
      const reader = readerOf(actor, context.organization)
      const customization = presentCustomization(site.row)
      return {
        object: 'published-content-site' as const,
        site: await showSite(db, context, site.row, site.levels),
        structure: await (await createStructurePresenter(db, context, site, reader)).structure(),
        customizations: {
          site: customization,
          siteSpaces: Object.fromEntries(
            site.spaces
              .filter(({ space }) => site.readable.has(space.id))
              .map(({ link }) => [
                link.id,
                hasOverrides(link) ? presentCustomization(site.row, link) : customization,
              ]),
          ),
        },
        scripts: embeddableScripts(actor, site.row),
      }
    },
  }),
]

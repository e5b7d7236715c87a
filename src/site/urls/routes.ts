/** API routes of URL resolution: content of the app and of published sites, embeds, and meta links of pages. */
import { type Route, route } from '../../access/route/route.js'
import { type Scope, loadRequestFrom, signedIn } from '../../access/route/scope.js'
import type { MaybeActor } from '../../access/signin/actor.js'
import { getEmbed, getEmbedInSpace } from '../../contract/embeds.js'
import * as metaLinks from '../../contract/meta-links.js'
import * as operations from '../../contract/urls.js'
import { inChangeRequestContent } from '../../resources/change-requests/scope.js'
import { inPageOf } from '../../resources/content/content-routes.js'
import { inRevision, inSpace, inSpaceContent } from '../../resources/spaces/scope.js'
import { resolveApp } from './app.js'
import { presentEmbed } from './embed.js'
import { readMetaLinks } from './meta-links.js'
import { resolvePublished } from './published.js'

/** No resource and no sign-in required: the address decides what the reader may see. */
const anywhere: Scope<never, object, 'ask', MaybeActor> = {
  ...signedIn,
  anonymous: true,
  load: async () => ({}),
}

export const urlRoutes: readonly Route[] = [
  route(operations.resolvePublishedUrl, {
    at: anywhere,
    allow: 'ask',
    handle: ({ body: { url, visitor = {}, redirectOnError = false }, ...context }) => {
      const { jwtToken: token, unsignedClaims: unsigned = {} } = visitor
      return resolvePublished({ url, visitor: { token, unsigned }, redirectOnError }, context)
    },
  }),

  route(operations.getPublishedUrl, {
    at: anywhere,
    allow: 'ask',
    handle: ({ query: { url, visitorAuthToken: token, redirectOnError = false }, ...context }) =>
      resolvePublished({ url, visitor: { token, unsigned: {} }, redirectOnError }, context),
  }),

  route(operations.getContentByUrl, {
    at: signedIn,
    allow: 'ask',
    handle: ({ query, ...context }) => resolveApp(query.url, context),
  }),

  route(getEmbed, { at: signedIn, allow: 'ask', handle: async ({ query }) => presentEmbed(query.url) }),

  route(getEmbedInSpace, {
    at: inSpace,
    allow: 'view',
    handle: async ({ query }) => presentEmbed(query.url),
  }),

  route(metaLinks.listSpacePageMetaLinks, {
    at: inPageOf(inSpaceContent),
    allow: 'view',
    handle: ({ source, actor, services, content, page }) =>
      readMetaLinks(loadRequestFrom(source, actor, services), content, page),
  }),

  route(metaLinks.listChangeRequestPageMetaLinks, {
    at: inPageOf(inChangeRequestContent),
    allow: 'view',
    handle: ({ source, actor, services, content, page }) =>
      readMetaLinks(loadRequestFrom(source, actor, services), content, page),
  }),

  route(metaLinks.listRevisionPageMetaLinks, {
    at: inPageOf(inRevision),
    allow: 'view',
    handle: ({ source, actor, services, content, page }) =>
      readMetaLinks(loadRequestFrom(source, actor, services), content, page),
  }),
]

/** API routes of URL resolution: content of the app, and of published sites. */
import { type Route, route } from '../../access/route/route.js'
import { type Scope, signedIn } from '../../access/route/scope.js'
import type { MaybeActor } from '../../access/signin/actor.js'
import * as operations from '../../contract/urls.js'
import { resolveApp } from './app.js'
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
]

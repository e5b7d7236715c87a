/** What addresses name: content of the app, and of published sites. */
import { type Route, readingRoute, route } from '../../access/route/route.js'
import { type Scope, signedIn } from '../../access/route/scope.js'
import type { MaybeActor } from '../../access/signin/actor.js'
import * as operations from '../../contract/urls.js'
import { resolveApp } from './app.js'
import { resolvePublished } from './published.js'

/** Anywhere, for whoever asks: what they are shown is decided by what the address names. */
const anywhere: Scope<never, object, 'ask', MaybeActor> = {
  ...signedIn,
  anonymous: true,
  load: async () => ({}),
}

export const urlRoutes: readonly Route[] = [
  readingRoute(operations.resolvePublishedUrl, {
    at: anywhere,
    allow: 'ask',
    handle: ({ body: { url, visitor = {}, redirectOnError = false }, ...asking }) => {
      const { jwtToken: token, unsignedClaims: unsigned = {} } = visitor
      return resolvePublished({ url, visitor: { token, unsigned }, redirectOnError }, asking)
    },
  }),

  route(operations.getPublishedUrl, {
    at: anywhere,
    allow: 'ask',
    handle: ({ query: { url, visitorAuthToken: token, redirectOnError = false }, ...asking }) =>
      resolvePublished({ url, visitor: { token, unsigned: {} }, redirectOnError }, asking),
  }),

  route(operations.getContentByUrl, {
    at: signedIn,
    allow: 'ask',
    handle: ({ query, ...asking }) => resolveApp(query.url, asking),
  }),
]

/** Resolution of URLs: the content of the app, or of a published site, that a browser's URL names. */
import Type, { type Static } from 'typebox'
import { ChangeRequest } from './change-requests.js'
import { Collection } from './collections.js'
import { endpoint } from './endpoint.js'
import { Page } from './pages.js'
import { QueryFlag, Url, Words, shape } from './shapes.js'
import { Space } from './spaces.js'

const tag = 'URLs'

/** Credentials and claims of the visitor. */
const SiteVisitor = Type.Object({
  type: Type.Optional(Words(['human', 'agent'])),
  jwtToken: Type.Optional(
    Type.String({
      maxLength: 8192,
      description: 'Visitor token, signed with the key of the site.',
    }),
  ),
  unsignedClaims: Type.Optional(
    Type.Unsafe<Readonly<Record<string, unknown>>>({
      type: 'object',
      description: 'Unsigned claims of the visitor.',
    }),
  ),
})

/** A redirect. */
const Redirection = Type.Object({
  target: Words(['application', 'content', 'external']),
  site: Type.Optional(Type.String()),
  redirect: Url,
})

export const PublishedContent = shape(
  'PublishedContent',
  Type.Object({
    organization: Type.String(),
    site: Type.String(),
    siteSection: Type.Optional(Type.String()),
    siteSpace: Type.String(),
    space: Type.String(),
    changeRequest: Type.Optional(Type.String()),
    revision: Type.Optional(Type.String()),
    pathname: Type.String({
      description: 'Path of the page below `basePath`, starting with a slash.',
    }),
    siteBasePath: Type.String({ description: 'Path of the site, ending with a slash.' }),
    basePath: Type.String({
      description: 'Path of the section and variant, ending with a slash.',
    }),
    complete: Type.Boolean({
      description: 'Whether the path is complete: no section or variant can follow.',
    }),
    canonicalUrl: Type.String({ description: 'Canonical address of the page, for search engines.' }),
    apiToken: Type.String({
      description:
        'Token that reads what the site shows this visitor, and nothing else, for half an hour to an hour.',
    }),
    shareKey: Type.Optional(Type.String()),
    contextId: Type.Optional(
      Type.String({
        description: 'Changes with what is known of the visitor, as a key for caches.',
      }),
    ),
  }),
)
export type PublishedContent = Static<typeof PublishedContent>
export type PublishedLookup = PublishedContent | Static<typeof Redirection>

const Lookup = Type.Unsafe<PublishedLookup>({ anyOf: [PublishedContent, Redirection] })

const redirectOnError = QueryFlag({
  default: false,
  description:
    'True redirects visitors with an invalid token to the sign-in address instead of returning an error.',
})

export const resolvePublishedUrl = endpoint('resolvePublishedContentByUrl', 'POST', '/urls/published', {
  summary: 'Resolve a published URL',
  description:
    'Returns what is at an address of a published site, and a token that reads it as this visitor.',
  tag,
  anonymous: true,
  reads: true,
  body: Type.Object({ url: Url, redirectOnError, visitor: Type.Optional(SiteVisitor) }),
  large: true,
  reply: Lookup,
})

export const getPublishedUrl = endpoint('getPublishedContentByUrl', 'GET', '/urls/published', {
  summary: 'Resolve a published URL by query',
  description: 'Does the same as the POST operation, for earlier renderers.',
  tag,
  anonymous: true,
  query: Type.Object({
    url: Type.String({ format: 'uri', maxLength: 2048, description: 'Address on a published site.' }),
    visitorAuthToken: Type.Optional(Type.String({ maxLength: 8192, description: 'Visitor token.' })),
    redirectOnError,
  }),
  large: true,
  reply: Lookup,
})

const AppContent = Type.Union([
  Type.Object({ collection: Collection }),
  Type.Object({
    space: Space,
    changeRequest: Type.Optional(ChangeRequest),
    page: Type.Optional(Page),
  }),
])
export type AppContent = Static<typeof AppContent>

export const getContentByUrl = endpoint('getContentByUrl', 'GET', '/urls/content', {
  summary: 'Resolve an app URL',
  description:
    'Returns the space, change request and page, or the collection, that an address of the app names.',
  tag,
  query: Type.Object({ url: Type.String({ maxLength: 2048, description: 'Address of the app.' }) }),
  large: true,
  reply: AppContent,
})

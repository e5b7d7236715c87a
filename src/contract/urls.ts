/** Resolution of URLs: the content of the app, or of a published site, that a browser's URL names. */
import Type, { type Static } from 'typebox'
import { ChangeRequest } from './change-requests.js'
import { Collection } from './collections.js'
import { endpoint } from './endpoint.js'
import { Page } from './pages.js'
import { QueryFlag, Url, Words, shape } from './shapes.js'
import { Space } from './spaces.js'

const tag = 'urls'

/** Credentials and claims of the visitor. */
const SiteVisitor = Type.Object({
  type: Type.Optional(Words(['human', 'agent'])),
  jwtToken: Type.Optional(
    Type.String({
      maxLength: 8192,
      description: 'What says who the visitor is, signed with the key of the site.',
    }),
  ),
  unsignedClaims: Type.Optional(
    Type.Unsafe<Readonly<Record<string, unknown>>>({
      type: 'object',
      description: 'What the visitor says of themselves.',
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
      description: 'Path of the page below "basePath", with a slash at its beginning.',
    }),
    siteBasePath: Type.String({ description: 'Path of the site, with a slash at its end.' }),
    basePath: Type.String({
      description: 'Path of the section and variant that were found, with a slash at its end.',
    }),
    complete: Type.Boolean({ description: 'Whether nothing of the site itself could follow in the path.' }),
    canonicalUrl: Type.String({ description: 'The address by which the same is known to search engines.' }),
    apiToken: Type.String({
      description:
        'Reads what the site shows this visitor, and nothing else, for half an hour to an hour. The same until something changes.',
    }),
    shareKey: Type.Optional(Type.String()),
    contextId: Type.Optional(
      Type.String({
        description: 'Changes with what is known of the visitor: a name to keep answers under.',
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
    'True leads visitors whose token is wrong to where they sign in; else they are answered an error.',
})

export const resolvePublishedUrl = endpoint('resolvePublishedContentByUrl', 'POST', '/urls/published', {
  summary: 'What stands at an address of a published site, and a token to read it with',
  tag,
  anonymous: true,
  reads: true,
  body: Type.Object({ url: Url, redirectOnError, visitor: Type.Optional(SiteVisitor) }),
  large: true,
  reply: Lookup,
})

export const getPublishedUrl = endpoint('getPublishedContentByUrl', 'GET', '/urls/published', {
  summary: 'The same, as earlier renderers ask it',
  tag,
  anonymous: true,
  query: Type.Object({
    url: Url,
    visitorAuthToken: Type.Optional(Type.String({ maxLength: 8192 })),
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
  summary: 'The space, with its change request and page, or the collection that an address of the app names',
  tag,
  query: Type.Object({ url: Type.String({ maxLength: 2048 }) }),
  large: true,
  reply: AppContent,
})

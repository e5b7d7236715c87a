/** Audience of a site besides members: share links, the key of visitor tokens, and previews as a visitor. */
import Type, { type Static } from 'typebox'
import { endpoint } from './endpoint.js'
import { Identifier, ListOf, NullableString, Timestamp, listQueryWith, shape } from './shapes.js'

const Name = Type.String({ minLength: 0, maxLength: 50 })

export const ShareLink = shape(
  'ShareLink',
  Type.Object({
    object: Type.Literal('share-link'),
    id: Type.String(),
    createdAt: Timestamp,
    name: Type.Optional(Type.String()),
    active: Type.Boolean(),
    urls: Type.Object({
      published: Type.Optional(
        Type.String({ description: 'The address of the site that this link opens, while it is published.' }),
      ),
    }),
  }),
)
export type ShareLink = Static<typeof ShareLink>

export const SitePublishingAuth = shape(
  'SitePublishingAuth',
  Type.Object({
    object: Type.Literal('publishing-auth'),
    backend: Type.Literal('custom'),
    privateKey: Type.String({ description: 'Signs visitor tokens (HS256), as its UTF-8 bytes.' }),
    fallbackURL: Type.Optional(Type.String()),
    logoutURL: Type.Optional(Type.String()),
  }),
)
export type SitePublishingAuth = Static<typeof SitePublishingAuth>

const VisitorUrl = (description: string) =>
  Type.Optional(NullableString({ format: 'uri', maxLength: 2048, pattern: '^https?://', description }))

const site = '/orgs/:organizationId/sites/:siteId'
const links = `${site}/share-links` as const
const link = `${links}/:shareLinkId` as const
const auth = `${site}/publishing/auth` as const
const tag = 'site audience'

export const listShareLinks = endpoint('listSiteShareLinks', 'GET', links, {
  summary: 'The share links of the site, the latest first',
  tag,
  query: listQueryWith({
    search: Type.Optional(
      Type.String({ maxLength: 512, description: 'Part of a name, or the key of an address.' }),
    ),
  }),
  reply: ListOf(ShareLink),
})

export const createShareLink = endpoint('createSiteShareLink', 'POST', links, {
  summary: 'Make an address that opens a site of the visibility share-link',
  tag,
  body: Type.Object({ name: Type.Optional(Name) }),
  reply: ShareLink,
  success: 201,
  location: `${links}/:id`,
})

export const updateShareLink = endpoint('updateSiteShareLinkById', 'PATCH', link, {
  summary: 'Rename a share link, end it, or give it its effect back',
  tag,
  body: Type.Object({ name: Type.Optional(Name), active: Type.Optional(Type.Boolean()) }),
  reply: ShareLink,
})

export const deleteShareLink = endpoint('deleteSiteShareLinkById', 'DELETE', link, {
  summary: 'Remove a share link; its address opens nothing any more',
  tag,
  success: 205,
})

export const getPublishingAuth = endpoint('getSitePublishingAuthById', 'GET', auth, {
  summary: 'What visitor tokens are signed with, and where visitors get one',
  tag,
  reply: SitePublishingAuth,
})

export const updatePublishingAuth = endpoint('updateSitePublishingAuthById', 'PATCH', auth, {
  summary: 'Say where visitors get a token',
  tag,
  body: Type.Object({
    backend: Type.Optional(Type.Literal('custom')),
    fallbackURL: VisitorUrl(
      'Visitors without a token are sent here, with "location" in the query; null leaves them without.',
    ),
    logoutURL: VisitorUrl('Visitors who sign out of the site are sent here; null sends them to the site.'),
  }),
  reply: SitePublishingAuth,
})

export const regeneratePublishingAuth = endpoint(
  'regenerateSitePublishingAuthById',
  'POST',
  `${auth}/regenerate`,
  {
    summary: 'Make a new key; every token that was signed with the old one ends',
    tag,
    reply: SitePublishingAuth,
  },
)

export const previewSite = endpoint('getSitePublishingPreviewById', 'GET', `${site}/publishing/preview`, {
  summary: 'An address that shows the site for an hour as some visitor would see it, published or not',
  tag,
  query: Type.Object({
    siteSpace: Type.Optional(Identifier),
    claims: Type.Optional(
      Type.String({
        maxLength: 2000,
        description: 'What the visitor says of themselves: an object in Rison.',
      }),
    ),
  }),
  reply: Type.Object({ url: Type.String() }),
})

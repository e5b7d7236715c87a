/** Audience of a site besides members: share links, the key of visitor tokens, and previews as a visitor. */
import Type, { type Static } from 'typebox'
import { endpoint } from './endpoint.js'
import { IdentifierOf, ListOf, NullableString, Timestamp, listQueryWith, shape } from './shapes.js'

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
        Type.String({
          description: 'The address of the site with this link; absent while it is not published.',
        }),
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
    privateKey: Type.String({ description: 'Key that signs visitor tokens (HS256), as UTF-8 bytes.' }),
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
const tag = 'Site audience'

export const listShareLinks = endpoint('listSiteShareLinks', 'GET', links, {
  summary: 'List share links',
  description: 'Returns the share links of the site, latest first.',
  tag,
  query: listQueryWith({
    search: Type.Optional(
      Type.String({ maxLength: 512, description: 'Part of the name of a link, or the key in its address.' }),
    ),
  }),
  reply: ListOf(ShareLink),
})

export const createShareLink = endpoint('createSiteShareLink', 'POST', links, {
  summary: 'Create a share link',
  description: 'Creates an address that opens a site with the visibility `share-link`.',
  tag,
  body: Type.Object({ name: Type.Optional(Name) }),
  reply: ShareLink,
  success: 201,
  location: `${links}/:id`,
})

export const updateShareLink = endpoint('updateSiteShareLinkById', 'PATCH', link, {
  summary: 'Update a share link',
  description: 'Renames, deactivates or reactivates a share link.',
  tag,
  body: Type.Object({ name: Type.Optional(Name), active: Type.Optional(Type.Boolean()) }),
  reply: ShareLink,
})

export const deleteShareLink = endpoint('deleteSiteShareLinkById', 'DELETE', link, {
  summary: 'Delete a share link',
  description: 'Removes a share link. Its address no longer opens the site.',
  tag,
  success: 205,
})

export const getPublishingAuth = endpoint('getSitePublishingAuthById', 'GET', auth, {
  summary: 'Get visitor authentication',
  description: 'Returns the key that visitor tokens are signed with, and where visitors get a token.',
  tag,
  reply: SitePublishingAuth,
})

export const updatePublishingAuth = endpoint('updateSitePublishingAuthById', 'PATCH', auth, {
  summary: 'Update visitor authentication',
  description: 'Changes where visitors sign in and sign out.',
  tag,
  body: Type.Object({
    backend: Type.Optional(Type.Literal('custom')),
    fallbackURL: VisitorUrl(
      'Where visitors without a token are redirected, with `location` in the query; null for nowhere.',
    ),
    logoutURL: VisitorUrl('Where visitors are redirected after they sign out; null for the site.'),
  }),
  reply: SitePublishingAuth,
})

export const regeneratePublishingAuth = endpoint(
  'regenerateSitePublishingAuthById',
  'POST',
  `${auth}/regenerate`,
  {
    summary: 'Regenerate the signing key',
    description: 'Creates a new signing key. All tokens that were signed with the old key become invalid.',
    tag,
    reply: SitePublishingAuth,
  },
)

export const previewSite = endpoint('getSitePublishingPreviewById', 'GET', `${site}/publishing/preview`, {
  summary: 'Get a preview address',
  description:
    'Returns an address that shows the site for an hour, published or not, as a visitor with these claims sees it.',
  tag,
  query: Type.Object({
    siteSpace: Type.Optional(IdentifierOf('the site space to open')),
    claims: Type.Optional(
      Type.String({
        maxLength: 2000,
        description: 'Unsigned claims of the visitor: an object in Rison.',
      }),
    ),
  }),
  reply: Type.Object({ url: Type.String() }),
})

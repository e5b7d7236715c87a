/** Sites: spaces published for readers. */
import Type, { type Static } from 'typebox'
import { SiteCustomization } from './customization.js'
import { endpoint } from './endpoint.js'
import {
  Identifier,
  ListOf,
  NullableString,
  SiteVisibility,
  Timestamp,
  Words,
  listQueryWith,
  shape,
} from './shapes.js'
import { PublishedScript } from './site-scripts.js'
import { ShareKey, SiteStructure } from './site-structure.js'

export const siteTypes = [
  'basic',
  'premium',
  'ultimate',
  'sponsored',
  'legacy-basic',
  'legacy-premium',
] as const

export const Site = shape(
  'Site',
  Type.Object({
    object: Type.Literal('site'),
    id: Type.String(),
    type: Words(siteTypes),
    appliedType: Words(siteTypes),
    title: Type.String(),
    icon: Type.Optional(Type.Object({ icon: Type.Object({ light: Type.String(), dark: Type.String() }) })),
    hostname: Type.Optional(Type.String()),
    basename: Type.Optional(Type.String()),
    proxy: Type.Optional(Type.Object({ origin: Type.String(), target: Type.String() })),
    visibility: SiteVisibility,
    agentsContext: Words(['included', 'excluded']),
    published: Type.Boolean(),
    siteSpaces: Type.Integer(),
    createdAt: Timestamp,
    adaptiveContent: Type.Optional(Type.Object({ enabled: Type.Boolean() })),
    features: Type.Array(Type.Object({ id: Type.String(), plan: Type.String(), frozen: Type.Boolean() })),
    urls: Type.Object({
      location: Type.String(),
      app: Type.String(),
      published: Type.Optional(Type.String()),
    }),
    warnings: Type.Optional(
      Type.Array(
        Type.Object({
          message: Type.String(),
          space: Type.Optional(Type.String()),
          pages: Type.Array(Type.String(), { description: 'Paths, the first twenty.' }),
        }),
        { description: 'When it is published, or made adaptive: what may not be meant so.' },
      ),
    ),
  }),
)
export type Site = Static<typeof Site>

export const PublishedSite = shape(
  'PublishedSite',
  Type.Object({
    object: Type.Literal('published-content-site'),
    site: Site,
    structure: SiteStructure,
    customizations: Type.Object({
      site: SiteCustomization,
      siteSpaces: Type.Record(Type.String(), SiteCustomization),
    }),
    scripts: Type.Array(PublishedScript),
  }),
)
export type PublishedSite = Static<typeof PublishedSite>

const place = '/orgs/:organizationId/sites'
const one = `${place}/:siteId` as const
const tag = 'sites'
const SiteTitle = Type.String({ minLength: 2, maxLength: 128 })
const Basename = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[a-zA-Z0-9]([a-zA-Z0-9._-]*[a-zA-Z0-9])?$',
  description: 'Letters, digits, "-", "." and "_"; begins and ends with a letter or digit.',
})

export const listSites = endpoint('listSites', 'GET', place, {
  summary: 'The sites of an organization that you may see',
  tag,
  query: listQueryWith({
    space: Type.Optional(Identifier),
    title: Type.Optional(Type.String({ maxLength: 128 })),
    published: Type.Optional(Type.Boolean()),
    type: Type.Optional(Type.Array(Words(siteTypes), { maxItems: siteTypes.length })),
  }),
  reply: ListOf(Site),
})

export const createSite = endpoint('createSite', 'POST', place, {
  summary: 'Create a site; publishing it is a step of its own',
  tag,
  body: Type.Object({
    type: Type.Optional(Words(siteTypes, { default: 'basic' })),
    title: Type.Optional(SiteTitle),
    visibility: Type.Optional(SiteVisibility),
    spaces: Type.Optional(
      Type.Unsafe<string[] | 'sample' | 'empty'>({
        anyOf: [
          { type: 'array', items: { type: 'string', maxLength: 64 }, maxItems: 100 },
          { type: 'string', enum: ['sample', 'empty'] },
        ],
        description: 'Ids of spaces, or "sample" or "empty" to make a new one.',
      }),
    ),
  }),
  bodyRequired: false,
  reply: Site,
  success: 201,
})

export const getSite = endpoint('getSiteById', 'GET', one, { summary: 'One site', tag, reply: Site })

export const updateSite = endpoint('updateSiteById', 'PATCH', one, {
  summary: 'Change the settings of a site',
  tag,
  body: Type.Object({
    title: Type.Optional(SiteTitle),
    visibility: Type.Optional(SiteVisibility),
    basename: Type.Optional(Basename),
    adaptiveContent: Type.Optional(Type.Object({ enabled: Type.Boolean() })),
    defaultSiteSpace: Type.Optional(Identifier),
    defaultSiteSection: Type.Optional(Identifier),
    proxy: Type.Optional(
      NullableString({
        maxLength: 512,
        pattern: '^[a-zA-Z0-9.-]+\\.[a-zA-Z]{2,}(/[\\w-]+)+$',
        description: 'Host and path, such as example.com/docs; null removes the proxy.',
      }),
    ),
  }),
  bodyRequired: false,
  reply: Site,
})

export const deleteSite = endpoint('deleteSiteById', 'DELETE', one, {
  summary: 'Remove a site with its settings; the spaces that it showed stay',
  tag,
  success: 205,
})

export const publishSite = endpoint('publishSite', 'POST', `${one}/publish`, {
  summary: 'Make the site reachable for its audience',
  tag,
  reply: Site,
})

export const unpublishSite = endpoint('unpublishSite', 'POST', `${one}/unpublish`, {
  summary: 'Take the site offline; its settings stay',
  tag,
  reply: Site,
})

export const getPublishedSite = endpoint('getPublishedContentSite', 'GET', `${one}/published`, {
  summary: 'What a renderer needs to show the site',
  tag,
  readers: true,
  query: Type.Object({ shareKey: ShareKey }),
  large: true,
  reply: PublishedSite,
})

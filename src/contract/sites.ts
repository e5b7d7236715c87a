/** Sites: spaces published for readers. */
import Type, { type Static } from 'typebox'
import { SiteCustomization } from './customization.js'
import { endpoint } from './endpoint.js'
import {
  DefaultLevel,
  Identifier,
  IdentifierOf,
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
    defaultLevel: Type.Unsafe<DefaultLevel>({
      ...DefaultLevel,
      description: 'Always "inherit": access to a site follows from the roles on its spaces.',
    }),
    permissions: Type.Object(
      {
        view: Type.Boolean(),
        access: Type.Boolean(),
        edit: Type.Boolean({ description: 'Whether you may edit all of its spaces.' }),
        create: Type.Boolean(),
        admin: Type.Boolean({ description: 'Whether you may change and publish the site.' }),
        installIntegration: Type.Boolean(),
        viewAdaptiveSchema: Type.Boolean(),
        editAdaptiveSchema: Type.Boolean(),
      },
      { description: 'What you may do with the site.' },
    ),
    agentsContext: Words(['included', 'excluded']),
    published: Type.Boolean(),
    siteSpaces: Type.Integer(),
    createdAt: Timestamp,
    adaptiveContent: Type.Optional(Type.Object({ enabled: Type.Boolean() })),
    features: Type.Array(Type.Object({ id: Type.String(), plan: Type.String(), frozen: Type.Boolean() })),
    urls: Type.Object({
      location: Type.String(),
      app: Type.String(),
      preview: Type.String({
        description:
          'Opens a preview of the site, published or not, for people who are signed in and may change it.',
      }),
      published: Type.Optional(Type.String()),
    }),
    warnings: Type.Optional(
      Type.Array(
        Type.Object({
          message: Type.String(),
          space: Type.Optional(Type.String()),
          pages: Type.Array(Type.String(), { description: 'Paths of pages, at most twenty.' }),
        }),
        { description: 'Returned when the site is published or made adaptive: what may be unintended.' },
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
const tag = 'Sites'
const SiteTitle = Type.String({ minLength: 2, maxLength: 128 })
const Basename = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[a-zA-Z0-9]([a-zA-Z0-9._-]*[a-zA-Z0-9])?$',
  description: 'Letters, digits, "-", "." and "_"; begins and ends with a letter or digit.',
})

export const listSites = endpoint('listSites', 'GET', place, {
  summary: 'List sites',
  description: 'Returns the sites of an organization that you may see.',
  tag,
  query: listQueryWith({
    space: Type.Optional(IdentifierOf('a space, to return only the sites that show it')),
    title: Type.Optional(Type.String({ maxLength: 128, description: 'Part of the title.' })),
    published: Type.Optional(
      Type.Boolean({ description: 'True returns only published sites, false only others.' }),
    ),
    type: Type.Optional(
      Type.Array(Words(siteTypes), {
        maxItems: siteTypes.length,
        description: 'Only sites of these types.',
      }),
    ),
  }),
  reply: ListOf(Site),
})

export const createSite = endpoint('createSite', 'POST', place, {
  summary: 'Create a site',
  description: 'Creates a site with existing spaces or a new one. It is not published yet.',
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
        description: 'Ids of spaces, or "sample" or "empty" for a new one.',
      }),
    ),
  }),
  bodyRequired: false,
  reply: Site,
  success: 201,
})

export const getSite = endpoint('getSiteById', 'GET', one, {
  summary: 'Get a site',
  description: 'Returns one site with its settings and your permissions on it.',
  tag,
  reply: Site,
})

export const updateSite = endpoint('updateSiteById', 'PATCH', one, {
  summary: 'Update a site',
  description: 'Changes the settings that are sent; the others stay as they are.',
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
        description: 'Host and path of the proxy; null removes it.',
        examples: ['example.com/docs'],
      }),
    ),
  }),
  bodyRequired: false,
  reply: Site,
})

export const deleteSite = endpoint('deleteSiteById', 'DELETE', one, {
  summary: 'Delete a site',
  description: 'Deletes a site with its settings. The spaces that it shows stay.',
  tag,
  success: 205,
})

export const publishSite = endpoint('publishSite', 'POST', `${one}/publish`, {
  summary: 'Publish a site',
  description: 'Makes the site reachable for its audience.',
  tag,
  reply: Site,
})

export const unpublishSite = endpoint('unpublishSite', 'POST', `${one}/unpublish`, {
  summary: 'Unpublish a site',
  description: 'Takes the site offline. Its settings stay.',
  tag,
  reply: Site,
})

export const getPublishedSite = endpoint('getPublishedContentSite', 'GET', `${one}/published`, {
  summary: 'Get a published site',
  description:
    'Returns what a renderer needs to show the site: its settings, structure, customization and scripts.',
  tag,
  readers: true,
  query: Type.Object({ shareKey: ShareKey }),
  large: true,
  reply: PublishedSite,
})

/** Third-party scripts that admins add to the pages of a site. */
import Type, { type Static } from 'typebox'
import { endpoint } from './endpoint.js'
import { shape } from './shapes.js'

/** Scripts of one site: every page loads each. */
const maxScripts = 10

const Script = Type.String({
  format: 'uri',
  maxLength: 1024,
  pattern: '^https://',
  description: 'Address of the script, over https.',
})
const Integrity = Type.String({
  maxLength: 95,
  // linear: each kind has one length.
  pattern: '^sha(?:256-[A-Za-z0-9+/]{43}=|384-[A-Za-z0-9+/]{64}|512-[A-Za-z0-9+/]{86}==)$',
  examples: ['sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='],
  description: 'Hash of the script, as in the HTML attribute `integrity`; browsers do not run anything else.',
})

const members = {
  name: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'Name of the script for administrators of the site.',
  }),
  script: Script,
  integrity: Type.Optional(Integrity),
}

export const SiteScript = Type.Object({
  ...members,
  cookies: Type.Boolean({ description: 'False if the script stores nothing in the browser of a reader.' }),
})
export type SiteScript = Static<typeof SiteScript>

export const SiteScriptInput = Type.Object({
  ...members,
  cookies: Type.Optional(
    Type.Boolean({
      description: 'False if the script stores nothing in the browser of a reader; true by default.',
    }),
  ),
})
export type SiteScriptInput = Static<typeof SiteScriptInput>

/** The members that a renderer of the site receives. */
export const PublishedScript = Type.Object({
  ...members,
  cookies: Type.Boolean(),
  contentSecurityPolicy: Type.String({
    description: 'Content Security Policy of pages that run the script.',
  }),
})
export type PublishedScript = Static<typeof PublishedScript>

export const SiteScripts = shape(
  'SiteScripts',
  Type.Object({ object: Type.Literal('site-scripts'), scripts: Type.Array(SiteScript) }),
)
export type SiteScripts = Static<typeof SiteScripts>

const place = '/orgs/:organizationId/sites/:siteId/scripts'
const tag = 'Site customization'

export const getSiteScripts = endpoint('getSiteScripts', 'GET', place, {
  summary: 'Get the scripts of a site',
  description: 'Returns the third-party scripts that run on the pages of the site.',
  tag,
  reply: SiteScripts,
})

export const listScriptsToEmbed = endpoint(
  'listSiteIntegrationScripts',
  'GET',
  '/orgs/:organizationId/sites/:siteId/integration-scripts',
  {
    summary: 'List scripts to embed',
    description: 'Returns the scripts that a renderer adds to the pages of a published site.',
    tag,
    readers: true,
    reply: Type.Array(PublishedScript),
  },
)

export const updateSiteScripts = endpoint('updateSiteScripts', 'PUT', place, {
  summary: 'Update the scripts of a site',
  description: 'Replaces the list of third-party scripts that run on the pages of the site.',
  tag,
  body: Type.Object({ scripts: Type.Array(SiteScriptInput, { maxItems: maxScripts }) }),
  reply: SiteScripts,
})

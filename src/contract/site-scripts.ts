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
  description: 'Where the script is, by https.',
})
const Integrity = Type.String({
  maxLength: 95,
  // linear: each kind has one length.
  pattern: '^sha(?:256-[A-Za-z0-9+/]{43}=|384-[A-Za-z0-9+/]{64}|512-[A-Za-z0-9+/]{86}==)$',
  description: 'The hash of the script, as in the attribute of HTML: browsers run nothing else.',
})

const members = {
  name: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'What those who administer the site call it.',
  }),
  script: Script,
  integrity: Type.Optional(Integrity),
}

export const SiteScript = Type.Object({
  ...members,
  cookies: Type.Boolean({ description: 'False for a script that keeps nothing in the browser of a reader.' }),
})
export type SiteScript = Static<typeof SiteScript>

export const SiteScriptInput = Type.Object({
  ...members,
  cookies: Type.Optional(
    Type.Boolean({
      description: 'False for a script that keeps nothing in the browser of a reader; else true.',
    }),
  ),
})
export type SiteScriptInput = Static<typeof SiteScriptInput>

/** The members that a renderer of the site receives. */
export const PublishedScript = Type.Object({
  ...members,
  cookies: Type.Boolean(),
  contentSecurityPolicy: Type.String({ description: 'What a page that runs it must allow.' }),
})
export type PublishedScript = Static<typeof PublishedScript>

export const SiteScripts = shape(
  'SiteScripts',
  Type.Object({ object: Type.Literal('site-scripts'), scripts: Type.Array(SiteScript) }),
)
export type SiteScripts = Static<typeof SiteScripts>

const place = '/orgs/:organizationId/sites/:siteId/scripts'
const tag = 'site customization'

export const getSiteScripts = endpoint('getSiteScripts', 'GET', place, {
  summary: 'The scripts of others that run on the pages of the site',
  tag,
  reply: SiteScripts,
})

export const listScriptsToEmbed = endpoint(
  'listSiteIntegrationScripts',
  'GET',
  '/orgs/:organizationId/sites/:siteId/integration-scripts',
  {
    summary: 'The scripts that a renderer lets run on the pages of a published site',
    tag,
    readers: true,
    reply: Type.Array(PublishedScript),
  },
)

export const updateSiteScripts = endpoint('updateSiteScripts', 'PUT', place, {
  summary: 'Say which scripts of others run on the pages of the site, all of them at once',
  tag,
  body: Type.Object({ scripts: Type.Array(SiteScriptInput, { maxItems: maxScripts }) }),
  reply: SiteScripts,
})

/** Redirects of a site: former paths and their destinations. */
import Type, { type Static } from 'typebox'
import { endpoint } from './endpoint.js'
import { limits } from './limits.js'
import { Identifier, ListOf, Timestamp, listQueryWith, shape } from './shapes.js'
import { ShareKey } from './site-structure.js'

export type RedirectDestination =
  | { kind: 'site-section'; siteSectionId: string }
  | { kind: 'site-space'; siteSpaceId: string }
  | { kind: 'site-page'; siteSpaceId: string; pageId: string }
  | { kind: 'external'; url: string }

const Kind = <const Word extends string>(kind: Word) => Type.Literal(kind)

const Destination = Type.Unsafe<RedirectDestination>({
  anyOf: [
    Type.Object({ kind: Kind('site-section'), siteSectionId: Identifier }),
    Type.Object({ kind: Kind('site-space'), siteSpaceId: Identifier }),
    Type.Object({ kind: Kind('site-page'), siteSpaceId: Identifier, pageId: Identifier }),
    Type.Object({
      kind: Kind('external'),
      url: Type.String({ format: 'uri', maxLength: 2048, pattern: '^https?://' }),
    }),
  ],
})

const maxSourceLength = 512
// linear: parts begin with a slash, and a star is at the end alone.
const sourcePattern = /^(?:\/(?:[A-Za-z0-9._~+-]|%[0-9A-Fa-f]{2})+)+(?:\/?\*)?$/

/** True for a valid source of a redirect. */
export function isRedirectSource(text: string): boolean {
  return text.length <= maxSourceLength && sourcePattern.test(text)
}

const Source = Type.String({
  maxLength: maxSourceLength,
  pattern: sourcePattern.source,
  examples: ['/old/page'],
  description:
    'A path below the address of the site, which starts with "/" and is percent-encoded. A "*" at its end matches any continuation.',
})
const Permanent = Type.Boolean({
  description: 'True redirects with 308 on public sites, which browsers and search engines remember.',
})

const CaptureWildcard = Type.Boolean({
  description: 'True appends what the "*" matches to the destination.',
})

export const SiteRedirect = shape(
  'SiteRedirect',
  Type.Object({
    object: Type.Literal('site-redirect'),
    id: Type.String(),
    source: Type.String(),
    destination: Destination,
    draft: Type.Boolean(),
    captureWildcard: Type.Boolean(),
    permanent: Type.Boolean(),
    createdAt: Timestamp,
    updatedAt: Type.Optional(Timestamp),
  }),
)
export type SiteRedirect = Static<typeof SiteRedirect>

const site = '/orgs/:organizationId/sites/:siteId'
const place = `${site}/redirects` as const
const one = `${place}/:siteRedirectId` as const
const tag = 'Site redirects'

export const listSiteRedirects = endpoint('listSiteRedirects', 'GET', place, {
  summary: 'List redirects',
  description: 'Returns the redirects of the site, latest first.',
  tag,
  query: listQueryWith({
    search: Type.Optional(Type.String({ maxLength: 512, description: 'Part of the source of a redirect.' })),
  }),
  reply: ListOf(SiteRedirect),
})

export const createSiteRedirect = endpoint('createSiteRedirect', 'POST', place, {
  summary: 'Create a redirect',
  description: 'Redirects a path of the site without a page to a page, space, section or external address.',
  tag,
  body: Type.Object({
    source: Source,
    destination: Destination,
    permanent: Type.Optional(Permanent),
    captureWildcard: Type.Optional(CaptureWildcard),
  }),
  reply: SiteRedirect,
  success: 201,
  location: `${place}/:id`,
})

const BulkRedirect = Type.Object({
  source: Source,
  intent: Type.Optional(Type.Literal('live')),
  destination: Type.Unsafe<RedirectDestination | null>({ anyOf: [Destination, { type: 'null' }] }),
  permanent: Type.Optional(Permanent),
  captureWildcard: Type.Optional(CaptureWildcard),
})
export type BulkRedirect = Static<typeof BulkRedirect>

const resultOf = <const Word extends string, More extends Type.TProperties>(status: Word, more: More) =>
  Type.Object({ status: Type.Literal(status), source: Type.String(), draft: Type.Boolean(), ...more })
const Made = { id: Type.String() }

const BulkRedirectResult = Type.Union([
  resultOf('created', Made),
  resultOf('updated', Made),
  resultOf('deleted', {}),
  resultOf('error', { error: Type.String() }),
])
export type BulkRedirectResult = Static<typeof BulkRedirectResult>

export const putSiteRedirects = endpoint('bulkUpsertSiteRedirects', 'PUT', place, {
  summary: 'Create, update or delete redirects',
  description: 'Changes many redirects, named by their sources. Each succeeds or fails by itself.',
  tag,
  body: Type.Object({
    redirects: Type.Array(BulkRedirect, { minItems: 1, maxItems: limits.redirectsAtOnce }),
  }),
  reply: Type.Object({ results: Type.Array(BulkRedirectResult) }),
})

export const updateSiteRedirect = endpoint('updateSiteRedirectById', 'PATCH', one, {
  summary: 'Update a redirect',
  description: 'Changes the members that are sent; the others stay as they are.',
  tag,
  body: Type.Object({
    source: Type.Optional(Source),
    destination: Type.Optional(Destination),
    permanent: Type.Optional(Permanent),
    captureWildcard: Type.Optional(CaptureWildcard),
  }),
  bodyRequired: false,
  reply: SiteRedirect,
})

export const deleteSiteRedirect = endpoint('deleteSiteRedirectById', 'DELETE', one, {
  summary: 'Delete a redirect',
  description: 'Removes a redirect.',
  tag,
  success: 205,
})

export const findSiteRedirect = endpoint('getSiteRedirectBySource', 'GET', `${site}/redirect`, {
  summary: 'Find a redirect',
  description: 'Returns the redirect of a path, and the address that it leads to.',
  tag,
  readers: true,
  query: Type.Object({ source: Source, shareKey: ShareKey }),
  reply: Type.Object({ redirect: SiteRedirect, target: Type.String() }),
})

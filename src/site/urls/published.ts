/**
 * URL resolution for external renderers: site, section, variant and page path of a published URL, with an API token to
 * read them. Paths are matched by the same code as for our own pages.
 */
import { createHash } from 'node:crypto'
import { claimsKey } from '../../core/visitor/visitor.js'
import { type LoadRequest, type Services, type Source, loadRequestFrom } from '../../access/route/scope.js'
import type { Origin } from '../../access/audit/record.js'
import type { MaybeActor } from '../../access/signin/actor.js'
import { addressKey, takeAttempt } from '../../access/signin/rate-limit.js'
import {
  type Admission,
  type ContentToken,
  namedSpaces,
  writeContentToken,
} from '../../access/signin/content-tokens.js'
import { opensOrganization } from '../../access/signin/credential-scope.js'
import { ApiError } from '../../contract/errors.js'
import type { PublishedContent, PublishedLookup } from '../../contract/urls.js'
import type { ChangeRequestId, RevisionId, SiteSectionId, SiteSpaceId, SpaceId } from '../../core/ids.js'
import { inChangeRequest } from '../../resources/change-requests/scope.js'
import { inSite } from '../../resources/sites/scope.js'
import type { SiteRow } from '../../resources/sites/store.js'
import { inRevision } from '../../resources/spaces/scope.js'
import { authorizeSiteVisit, signedInReader } from '../reader-access.js'
import { destinationFor, isReachable, openContent } from '../pages/content.js'
import { findRenamedPath } from '../pages/site-redirect.js'
import { readHostPath, readOrganizationPath, readSitePath } from '../routing/address.js'
import { hashOf } from '../routing/fingerprint.js'
import { type ResolvedSite, createSiteFinder } from '../routing/find-site.js'
import { type AddressKey, withKeyPrefix, keyAttemptLimit, findKey, parseKey } from '../routing/key.js'
import { belowBase } from '../routing/linker.js'
import { type VariantChoice, chooseVariant, isBelowBase } from '../routing/match-path.js'
import { personalizeSite } from '../routing/personalize-site.js'
import type { Section, PublishedSite, Variant } from '../routing/site.js'
import {
  type IdentifiedVisitor,
  type VisitorInput,
  previewVisitor,
  visitorFromToken,
  signInUrl,
} from '../visitor.js'

export interface PublishedUrlContext {
  readonly services: Services
  readonly source: Source
  readonly actor: MaybeActor
  readonly origin: Origin
  readonly now: number
}

/** A URL and the visitor who requests it. */
export interface PublishedUrlQuery {
  readonly url: string
  readonly visitor: VisitorInput
  /** Whether visitors with an invalid token are redirected to the login URL. */
  readonly redirectOnError: boolean
}

/** Returns the content at the URL for the reader, or its redirect; throws 404 where the reader may see nothing. */
export async function resolvePublished(
  { url: address, visitor: input, redirectOnError }: PublishedUrlQuery,
  context: PublishedUrlContext,
): Promise<PublishedLookup> {
  const { services, source, actor, now } = context
  const { addresses, caches } = services
  const located = await findSiteAt(address, services, source)
  if (located === undefined) throw notFound()
  const { siteRows } = located.resolved
  const { row } = siteRows
  const key = findKey(addresses, row, located.path)
  const path = key === undefined ? located.path : key.rest
  const identified =
    key?.kind === 'preview'
      ? previewVisitor(addresses, row, key.key)
      : await visitorFromToken(services, row, input, now)
  const resolveReader = signedInReader(async () => actor)
  const accessContext = { caches, addresses, readContext: source.readContext, now }
  const access = await authorizeSiteVisit(
    source,
    siteRows,
    { resolveReader, visitor: identified.visitor, key },
    accessContext,
  )
  if (access.refusal === 'visitor') {
    const redirect = signInUrl(row, `/${path}${new URL(address).search}`)
    if (redirect === undefined || (identified.visitor.token !== 'none' && !redirectOnError))
      throw new ApiError('visitor_token_needed')
    return { target: 'external', site: row.id, redirect }
  }
  if (access.refusal !== undefined) {
    if (parseKey(located.path) !== undefined) await countGuess(context)
    throw notFound()
  }
  const {
    visitor,
    isPersonalized: _,
    ...personalized
  } = personalizeSite(services, located.resolved, identified.visitor)
  const own = { ...located.resolved, ...personalized }
  const found = key === undefined ? own : withKeyPrefix(own, key)
  const { site } = found

  const choice = chooseVariant(site, path)
  if (choice === undefined) throw notFound()
  const preview = readPreview(choice.rest)
  if (preview !== undefined) return presentPreview(found, choice, { preview, key, context })
  if (!isBelowBase(choice.variant, path))
    return redirectTo(site, site.base + belowBase(choice.variant) + choice.rest)
  const redirect = await findRedirect(services, site, { path, choice })
  if (redirect !== undefined) return redirectTo(site, redirect)
  const admission = admissionOf(access.by === 'person' && key === undefined ? actor : null, key)
  // Claims do not matter on a site that shows the same to all.
  const reader = site.isAdaptive || access.by === 'token' ? { ...identified, visitor } : undefined
  return presentContent(found, choice, {
    context,
    admission,
    identified: reader,
    prefix: '',
    rest: choice.rest,
  })
}

/** Rate limit for failed keys, shared with direct requests to the site. */
async function countGuess({ services: { database }, origin, now }: PublishedUrlContext): Promise<void> {
  await takeAttempt(database, `site key ${addressKey(origin.ip)}`, keyAttemptLimit, { now })
}

const notFound = () => new ApiError('not_found', { thing: 'published content' })

/** Returns the site of a URL, and the path below its base. */
async function findSiteAt(
  address: string,
  services: Services,
  source: Source,
): Promise<{ readonly resolved: ResolvedSite; readonly path: string } | undefined> {
  const { addresses } = services
  const { hostname, pathname } = new URL(address)
  const sites = createSiteFinder(services)
  const own = new URL(addresses.base)
  // Without its port, which some renderers drop.
  if (hostname === own.hostname) {
    const below = own.pathname.replace(/\/$/, '')
    if (!pathname.startsWith(`${below}/@`)) return undefined
    const named = readSitePath(pathname.slice(below.length))
    const resolved = await sites.byNames(source, named, 'path', 'unpublished')
    return resolved && { resolved, path: named.path }
  }
  const { sitesDomain } = addresses
  if (sitesDomain !== undefined && hostname.endsWith(`.${sitesDomain}`)) {
    const named = readOrganizationPath(hostname.slice(0, -sitesDomain.length - 1), pathname)
    const resolved = await sites.byNames(source, named, 'host', 'unpublished')
    return resolved && { resolved, path: named.path }
  }
  const resolved = await sites.byHost(source, hostname, 'unpublished')
  return resolved && { resolved, path: readHostPath(pathname).path }
}

/** Returns the redirect of a path with the name of a default, or with a former name. */
async function findRedirect(
  services: Services,
  site: PublishedSite,
  { path, choice }: { readonly path: string; readonly choice: VariantChoice },
): Promise<string | undefined> {
  const visible = await openContent(services, site, choice.variant)
  const destination = await destinationFor(visible, choice)
  if (destination.kind === 'missing') return findRenamedPath(services, site, { path, hasRedirect: false })
  if (destination.kind !== 'redirect' || choice.alternatives.length === 0) return undefined
  const { page, href } = destination
  return page === undefined || (await isReachable(visible, page)) ? href : undefined
}

function redirectTo({ base, url }: PublishedSite, href: string): PublishedLookup {
  return { target: 'content', redirect: href.startsWith(base) ? url + href.slice(base.length) : href }
}

/** Unpublished content: a change request or a revision. */
interface Preview {
  readonly kind: 'changes' | 'revisions'
  readonly id: string
  /** Its part of the path. */
  readonly prefix: string
  /** The path after it. */
  readonly rest: string
}

function readPreview(rest: string): Preview | undefined {
  const [, prefix, kind, id, below = ''] =
    /^(~(?:octavo)?\/(changes|revisions)\/([\w-]{1,64}))(?:\/(.*))?$/.exec(rest) ?? []
  if (prefix === undefined || id === undefined) return undefined
  return { kind: kind as Preview['kind'], id, prefix: `${prefix}/`, rest: below }
}

/** Unpublished content is for readers of the space. */
async function presentPreview(
  found: ResolvedSite,
  choice: VariantChoice,
  {
    preview: { kind, id, prefix, rest },
    key,
    context,
  }: {
    readonly preview: Preview
    readonly key: AddressKey | undefined
    readonly context: PublishedUrlContext
  },
): Promise<PublishedLookup> {
  const { services, source, actor } = context
  if (actor === null || !opensOrganization(actor, found.siteRows.row.organization_id)) throw notFound()
  const request = loadRequestFrom(source, actor, services)
  const { spaceId } = choice.variant
  const details = { context, admission: admissionOf(actor, key), prefix, rest }
  if (kind === 'changes') {
    const { changeRequest } = await inChangeRequest.load(request, { spaceId, changeRequestId: id })
    const { id: changeRequestId, revision_id: revision } = changeRequest
    return presentContent(found, choice, { ...details, changeRequest: changeRequestId, revision })
  }
  const { content } = await inRevision.load(request, { spaceId, revisionId: id })
  return presentContent(found, choice, { ...details, revision: content.revision.id })
}

interface ContentDetails {
  readonly context: PublishedUrlContext
  readonly admission: Admission
  /** The visitor, where access or content depend on them. */
  readonly identified?: IdentifiedVisitor | undefined
  /** The part of the path for a preview, and the part for the page. */
  readonly prefix: string
  readonly rest: string
  readonly changeRequest?: ChangeRequestId
  readonly revision?: RevisionId
}

async function presentContent(
  found: ResolvedSite,
  { variant, rest: whole }: VariantChoice,
  { context, admission, identified, prefix, rest, changeRequest, revision }: ContentDetails,
): Promise<PublishedContent> {
  const { services, source, actor, now } = context
  const { site, siteRows } = found
  const section = site.sections.find(({ variants }) => variants.includes(variant))!
  const { organization_id: organization, id } = siteRows.row
  const spaceIds = [...new Set(site.variants.map(({ spaceId }) => spaceId))]
  const readable =
    admission.credential === undefined
      ? undefined
      : await findReadableSpaces(loadRequestFrom(source, actor!, services), siteRows)
  if (readable?.has(variant.spaceId) === false) throw notFound()
  const spaces = readable === undefined ? spaceIds : spaceIds.filter((one) => readable.has(one))
  const content = {
    organization,
    site: id,
    ...(section.id !== undefined && { siteSection: section.id as SiteSectionId }),
    siteSpace: variant.id as SiteSpaceId,
    space: variant.spaceId,
    ...(changeRequest !== undefined && { changeRequest }),
  }
  const below = belowBase(variant)
  const latest = Math.min(
    (admission.credential && actor?.expiresAt) ?? Infinity,
    identified?.expires ?? Infinity,
  )
  const claims = identified === undefined ? '' : claimsKey(identified.visitor)
  return {
    ...content,
    // The revision of a change request is read from it by the client.
    ...(changeRequest === undefined && revision !== undefined && { revision }),
    pathname: `/${rest}`,
    siteBasePath: site.base,
    basePath: site.base + below + prefix,
    complete: whole !== '' || !canFollow(site, variant, section),
    canonicalUrl: site.url + below + whole,
    ...(admission.key?.kind === 'share' && { shareKey: admission.key.key }),
    apiToken: writeContentToken(
      services.addresses,
      {
        kind: 'site',
        url: site.url,
        ...content,
        ...(revision !== undefined && { revision }),
        ...siteState(found, spaces, variant.spaceId),
        ...(identified !== undefined && visitorClaims(identified, site, siteRows.row)),
        admission,
      },
      { now, latest },
    ),
    ...(claims !== '' && { contextId: createHash('sha256').update(claims).digest('base64url').slice(0, 22) }),
  }
}

/** The state of a site in a content token: what it reads from, and a hash of all that it reads. */
function siteState(
  { siteRows, site, fingerprint }: ResolvedSite,
  spaceIds: readonly SpaceId[],
  requested: SpaceId,
): Pick<ContentToken, 'spaces' | 'heads' | 'closures' | 'fingerprint'> {
  const readable = new Set(spaceIds)
  const spaces = siteRows.spaces.filter(({ space }) => readable.has(space.id))
  const heads = new Map(spaces.map(({ space }) => [space.id, space.head_number]))
  const sectionIds = new Set(site.sections.map(({ id }) => id))
  const fingerprinted = [
    fingerprint,
    siteRows.sections.filter(({ id }) => sectionIds.has(id)),
    siteRows.groups,
    spaces.map(({ link, space }) => {
      const { revision_id: revision, title, emoji, language, visibility, edit_mode: mode } = space
      return [link, revision, title, emoji, language, visibility, mode]
    }),
  ]
  const named = namedSpaces(spaceIds, requested)
  return {
    spaces: named,
    heads: named.map((id) => heads.get(id)!),
    closures: siteRows.row.closures,
    fingerprint: hashOf(JSON.stringify(fingerprinted)).slice(0, 22),
  }
}

/** The visitor's part of a content token: signed claims are valid only with the current generation of the site's key. */
function visitorClaims(
  { visitor }: IdentifiedVisitor,
  { isAdaptive }: PublishedSite,
  { key_generation: keyGeneration }: SiteRow,
): Pick<ContentToken, 'claims' | 'keyGeneration'> {
  const { claims, unsigned, token } = visitor
  const known = Object.keys(unsigned).length === 0 ? claims : { ...claims, unsigned }
  return {
    ...(isAdaptive && claimsKey(visitor) !== '' && { claims: known }),
    ...(token === 'valid' && { keyGeneration }),
  }
}

/** Returns whether the name of a section or a variant could follow the path. */
function canFollow(
  { sections }: PublishedSite,
  { names, isDefault }: Variant,
  { variants }: Section,
): boolean {
  if (names.length === 0 && sections.length > 1) return true
  // The default variant has no name in paths, so another variant's name could follow.
  return variants.length > 1 && isDefault
}

/** Returns the spaces of a site that a member of its organization may read. */
async function findReadableSpaces(
  request: LoadRequest,
  { row }: ResolvedSite['siteRows'],
): Promise<ReadonlySet<SpaceId>> {
  const { site } = await inSite.load(request, { organizationId: row.organization_id, siteId: row.id })
  return site.readable
}

function admissionOf(actor: MaybeActor, key: AddressKey | undefined): Admission {
  return {
    ...(key !== undefined && { key: { kind: key.kind, key: key.key } }),
    ...(actor !== null && { credential: { by: actor.by, credentialId: actor.credentialId } }),
  }
}

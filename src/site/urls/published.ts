/**
 * What stands at an address of a published site, for a renderer that shows it: the site, the section and the variant,
 * the path of the page, and a token to read them with. What a path means is decided where our own pages ask, too.
 */
import { createHash } from 'node:crypto'
import { nameClaims } from '../../core/visitor/visitor.js'
import { type LoadRequest, type Services, type Source, requestOf } from '../../access/route/scope.js'
import type { Origin } from '../../access/audit/record.js'
import type { MaybeActor } from '../../access/signin/actor.js'
import { addressKey, takeAttempt } from '../../access/signin/attempts.js'
import { type Admission, type ContentToken, writeContentToken } from '../../access/signin/content-tokens.js'
import { opens } from '../../access/signin/credential-scope.js'
import { ApiError } from '../../contract/errors.js'
import type { PublishedContent, PublishedLookup } from '../../contract/urls.js'
import type { ChangeRequestId, RevisionId, SiteSectionId, SiteSpaceId, SpaceId } from '../../core/ids.js'
import { inChangeRequest } from '../../resources/change-requests/scope.js'
import { inSite } from '../../resources/sites/scope.js'
import type { SiteRow } from '../../resources/sites/store.js'
import { inRevision } from '../../resources/spaces/scope.js'
import { enterSite, signedInAsker } from '../enter.js'
import { isReachable, openContent } from '../pages/content.js'
import { findFormer } from '../pages/site-redirect.js'
import { readHostPath, readOrganizationPath, readSitePath } from '../routing/address.js'
import { findDestination } from '../routing/destination.js'
import { type ReachedSite, createSiteFinder } from '../routing/find-site.js'
import { type AddressKey, behindKey, guesses, keyAt, readKey } from '../routing/key.js'
import { belowBase } from '../routing/linker.js'
import { type Choice, chooseVariant } from '../routing/match-path.js'
import { showTo } from '../routing/show-to.js'
import type { Section, ShownSite, Variant } from '../routing/site.js'
import { type Arrived, type Brought, previewedVisitor, readVisitor, signInUrl } from '../visitor.js'

export interface Asking {
  readonly services: Services
  readonly source: Source
  readonly actor: MaybeActor
  readonly origin: Origin
  readonly now: number
}

/** An address, and who comes to it. */
export interface Lookup {
  readonly url: string
  readonly visitor: Brought
  /** Whether visitors whose token is wrong are led to where they get another one. */
  readonly redirectOnError: boolean
}

/** Returns what stands at the address for whoever asks, or where it leads; throws 404 where they are shown nothing. */
export async function resolvePublished(
  { url: address, visitor: brought, redirectOnError }: Lookup,
  asking: Asking,
): Promise<PublishedLookup> {
  const { services, source, actor, now } = asking
  const { addresses, caches } = services
  const reached = await findSiteAt(address, services, source)
  if (reached === undefined) throw nothingHere()
  const { addressed } = reached.found
  const { row } = addressed
  const key = keyAt(addresses, row, reached.path)
  const path = key === undefined ? reached.path : key.rest
  const came =
    key?.kind === 'preview'
      ? previewedVisitor(addresses, row, key.key)
      : await readVisitor(services, row, brought, now)
  const asker = signedInAsker(async () => actor)
  const here = { caches, addresses, look: source.look, now }
  const entry = await enterSite(source, addressed, { asker, visitor: came.visitor, key }, here)
  if (entry.refusal === 'visitor') {
    const redirect = signInUrl(row, `/${path}${new URL(address).search}`)
    if (redirect === undefined || (came.visitor.token !== 'none' && !redirectOnError))
      throw new ApiError('visitor_token_needed')
    return { target: 'external', site: row.id, redirect }
  }
  if (entry.refusal !== undefined) {
    if (readKey(reached.path) !== undefined) await countGuess(asking)
    throw nothingHere()
  }
  const { visitor, isChosen: _, ...shown } = showTo(services, reached.found, came.visitor)
  const own = { ...reached.found, ...shown }
  const found = key === undefined ? own : behindKey(own, key)
  const { site } = found

  const choice = chooseVariant(site, path)
  if (choice === undefined) throw nothingHere()
  const preview = readPreview(choice.rest)
  if (preview !== undefined) return showPreview(found, choice, { preview, key, asking })
  if (!path.startsWith(belowBase(choice.variant)))
    return leadTo(site, site.base + belowBase(choice.variant) + choice.rest)
  const elsewhere = await findElsewhere(services, site, { path, choice })
  if (elsewhere !== undefined) return leadTo(site, elsewhere)
  const admission = admissionOf(entry.by === 'person' && key === undefined ? actor : null, key)
  // What is known of a visitor changes nothing on a site that shows the same to all.
  const arrived = site.isAdaptive || entry.by === 'token' ? { ...came, visitor } : undefined
  return show(found, choice, { asking, admission, arrived, prefix: '', rest: choice.rest })
}

/** A key that opened nothing counts, whoever asks for whomever: the same as where people come themselves. */
async function countGuess({ services: { database }, origin, now }: Asking): Promise<void> {
  await takeAttempt(database, `site key ${addressKey(origin.ip)}`, guesses, { now })
}

const nothingHere = () => new ApiError('not_found', { thing: 'published content' })

/** Returns the site that an address leads to, and the path below its base. */
async function findSiteAt(
  address: string,
  services: Services,
  source: Source,
): Promise<{ readonly found: ReachedSite; readonly path: string } | undefined> {
  const { addresses } = services
  const { host, hostname, pathname } = new URL(address)
  const sites = createSiteFinder(services)
  const own = new URL(addresses.base)
  if (host === own.host) {
    const below = own.pathname.replace(/\/$/, '')
    if (!pathname.startsWith(`${below}/@`)) return undefined
    const named = readSitePath(pathname.slice(below.length))
    const found = await sites.byNames(source, named, 'path', 'unpublished')
    return found && { found, path: named.path }
  }
  const { sitesDomain } = addresses
  if (sitesDomain !== undefined && hostname.endsWith(`.${sitesDomain}`)) {
    const named = readOrganizationPath(hostname.slice(0, -sitesDomain.length - 1), pathname)
    const found = await sites.byNames(source, named, 'host', 'unpublished')
    return found && { found, path: named.path }
  }
  const found = await sites.byHost(source, hostname, 'unpublished')
  return found && { found, path: readHostPath(pathname).path }
}

/** Returns where a path leads that names something by what it is not called: a default, or what was called so once. */
async function findElsewhere(
  services: Services,
  site: ShownSite,
  { path, choice }: { readonly path: string; readonly choice: Choice },
): Promise<string | undefined> {
  const shown = await openContent(services, site, choice.variant)
  const { content, linker } = shown
  const destination = await content.run(findDestination(content.revision.snapshot, linker, choice))
  if (destination.kind === 'missing') return findFormer(services, site, { path, isByTable: false })
  if (destination.kind !== 'redirect' || choice.otherwise.length === 0) return undefined
  return (await isReachable(shown, destination.page)) ? destination.href : undefined
}

function leadTo({ base, url }: ShownSite, href: string): PublishedLookup {
  return { target: 'content', redirect: href.startsWith(base) ? url + href.slice(base.length) : href }
}

/** Content that is not published, by its name. */
interface Preview {
  readonly kind: 'changes' | 'revisions'
  readonly id: string
  /** How the path says it. */
  readonly prefix: string
  /** What follows it. */
  readonly rest: string
}

function readPreview(rest: string): Preview | undefined {
  const [, prefix, kind, id, below = ''] =
    /^(~(?:octavo)?\/(changes|revisions)\/([\w-]{1,64}))(?:\/(.*))?$/.exec(rest) ?? []
  if (prefix === undefined || id === undefined) return undefined
  return { kind: kind as Preview['kind'], id, prefix: `${prefix}/`, rest: below }
}

/** What is not published is shown to those who may read it in the space. */
async function showPreview(
  found: ReachedSite,
  choice: Choice,
  {
    preview: { kind, id, prefix, rest },
    key,
    asking,
  }: { readonly preview: Preview; readonly key: AddressKey | undefined; readonly asking: Asking },
): Promise<PublishedLookup> {
  const { services, source, actor } = asking
  if (actor === null || !opens(actor, found.addressed.row.organization_id)) throw nothingHere()
  const request = requestOf(source, actor, services)
  const { spaceId } = choice.variant
  const shown = { asking, admission: admissionOf(actor, key), prefix, rest }
  if (kind === 'changes') {
    const { changeRequest } = await inChangeRequest.load(request, { spaceId, changeRequestId: id })
    const { id: changeRequestId, revision_id: revision } = changeRequest
    return show(found, choice, { ...shown, changeRequest: changeRequestId, revision })
  }
  const { content } = await inRevision.load(request, { spaceId, revisionId: id })
  return show(found, choice, { ...shown, revision: content.revision.id })
}

interface Shown {
  readonly asking: Asking
  readonly admission: Admission
  /** What is known of the visitor, where it counts. */
  readonly arrived?: Arrived | undefined
  /** Of the path: what says what is previewed, and what names the page. */
  readonly prefix: string
  readonly rest: string
  readonly changeRequest?: ChangeRequestId
  readonly revision?: RevisionId
}

async function show(
  { site, addressed }: ReachedSite,
  { variant, rest: whole }: Choice,
  { asking, admission, arrived, prefix, rest, changeRequest, revision }: Shown,
): Promise<PublishedContent> {
  const { services, source, actor, now } = asking
  const section = site.sections.find(({ variants }) => variants.includes(variant))!
  const { organization_id: organization, id } = addressed.row
  const shown = [...new Set(site.variants.map(({ spaceId }) => spaceId))]
  const readable =
    admission.credential === undefined
      ? undefined
      : await findReadable(requestOf(source, actor!, services), addressed)
  if (readable?.has(variant.spaceId) === false) throw nothingHere()
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
    arrived?.expires ?? Infinity,
  )
  const claims = arrived === undefined ? '' : nameClaims(arrived.visitor)
  return {
    ...content,
    // Of a change request that is named it is asked which revision is shown.
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
        spaces: readable === undefined ? shown : shown.filter((one) => readable.has(one)),
        ...(arrived !== undefined && saidBy(arrived, site, addressed.row)),
        admission,
      },
      { now, latest },
    ),
    ...(claims !== '' && { contextId: createHash('sha256').update(claims).digest('base64url').slice(0, 22) }),
  }
}

/** What a token says of the visitor: what is signed only while the key is that counts. */
function saidBy(
  { visitor }: Arrived,
  { isAdaptive }: ShownSite,
  { key_generation: keyGeneration }: SiteRow,
): Pick<ContentToken, 'claims' | 'keyGeneration'> {
  const { claims, unsigned, token } = visitor
  const known = Object.keys(unsigned).length === 0 ? claims : { ...claims, unsigned }
  return {
    ...(isAdaptive && nameClaims(visitor) !== '' && { claims: known }),
    ...(token === 'valid' && { keyGeneration }),
  }
}

/** Tells whether the name of a section or a variant could follow what was named. */
function canFollow({ sections }: ShownSite, { names, isDefault }: Variant, { variants }: Section): boolean {
  if (names.length === 0 && sections.length > 1) return true
  // The default one has no name of its own: where it was not named, another one could be.
  return variants.length > 1 && isDefault
}

/** Returns the spaces of a site that somebody of its organization may read. */
async function findReadable(
  request: LoadRequest,
  { row }: ReachedSite['addressed'],
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

/**
 * Lets the bearers of content tokens in: a token opens what the site shows its reader now, as long as the reader would
 * be let in without it. What it says of itself is true because it is signed; whether that still counts is asked of the
 * site, and of whoever the reader is, with every request.
 */
import { type Services, type Source, committed, requestOf } from '../../access/route/scope.js'
import { type SiteReading, nobodysId } from '../../access/signin/actor.js'
import { type ContentToken, readContentToken } from '../../access/signin/content-tokens.js'
import { requireOpen } from '../../access/signin/credential-scope.js'
import type { ContentSignIn } from '../../access/signin/request.js'
import { findBySessionId } from '../../access/signin/sessions.js'
import { findByTokenId } from '../../access/signin/tokens.js'
import { ApiError } from '../../contract/errors.js'
import type { Credential } from '../../contract/signatures.js'
import type { SpaceId } from '../../core/ids.js'
import { askNobody, createAsker } from '../../core/conditions/asker.js'
import type { Claims as KnownClaims } from '../../core/conditions/visitor-schema.js'
import type { Claims, Visitor } from '../../core/visitor/visitor.js'
import type { Look } from '../../store/cache/caches.js'
import { inSite, recallSite, standingOf } from '../../resources/sites/scope.js'
import { shownSections } from '../../resources/sites/shown.js'
import { type SiteWithSpaces, isOpenSite } from '../../resources/sites/store.js'
import { enterSite, holderOf } from '../enter.js'
import { filePath } from '../routing/address.js'

const nobody = { id: nobodysId, displayName: '', email: null, photoUrl: null }

export function createContentSignIn(services: Services): ContentSignIn {
  return async (look, token, now) => {
    const content = readContentToken(services.addresses, token, now)
    const reading = content && (await findReading(services, look, content, now))
    if (content === undefined || reading === undefined) throw new ApiError('token_invalid')
    return {
      userId: nobodysId,
      user: nobody,
      by: 'token',
      credentialId: content.site,
      expiresAt: content.exp * 1000,
      onlyIn: content.organization,
      closed: new Map(),
      samlProviderId: null,
      handedBy: null,
      reading,
    }
  }
}

/** Returns what a token opens; undefined when that is nothing any more. */
async function findReading(
  services: Services,
  look: Look,
  content: ContentToken,
  now: number,
): Promise<SiteReading | undefined> {
  const { organization: organizationId, site: siteId, admission } = content
  const { key, credential } = admission
  const source = committed(services.database, look)
  const site = await recallSite(source, services.caches, organizationId, siteId)
  if (site === undefined) return undefined
  if (content.keyGeneration !== undefined && content.keyGeneration !== site.row.key_generation)
    return undefined
  const visitor = site.row.adaptive_content === 1 ? visitorOf(content) : undefined
  const shown = shownSpaces(site, visitor)
  const reading = {
    organizationId,
    siteId,
    standing: standingOf(site.row),
    changeRequestId: content.changeRequest,
    revisionId: content.revision,
    isPreview:
      content.changeRequest !== undefined || content.revision !== undefined || key?.kind === 'preview',
    visitor,
    now,
  }
  const here = { caches: services.caches, addresses: services.addresses, look, now }
  const asker = credential === undefined ? async () => null : holderOf(credential, here)
  const entry = await enterSite(source, site, { asker, visitor: visitorOf(content), key }, here)
  if (entry.refusal !== undefined) return undefined
  if (credential === undefined) {
    const isForAll = isOpenSite(site.row) && site.row.adaptive_content === 0 && key === undefined
    const filesBelow = isForAll ? undefined : content.url + filePath
    return { ...reading, spaces: shown, credential: null, filesBelow }
  }
  const readable = await findReadable(services, { source, look }, content, { credential, now })
  if (readable === undefined) return undefined
  const spaces = new Set([...shown].filter((id) => readable.has(id)))
  return { ...reading, spaces, credential, filesBelow: undefined }
}

function visitorOf({ claims = {}, keyGeneration }: ContentToken): Visitor {
  const { unsigned = {}, ...signed } = claims as Claims & { readonly unsigned?: Claims }
  return { claims: signed, unsigned, token: keyGeneration === undefined ? 'none' : 'valid' }
}

/** Returns the spaces that a site shows to a reader. */
function shownSpaces(site: SiteWithSpaces, visitor: Visitor | undefined): ReadonlySet<SpaceId> {
  const asker =
    visitor === undefined
      ? askNobody()
      : createAsker({ ...visitor.claims, unsigned: visitor.unsigned } as KnownClaims)
  return new Set(shownSections(site, asker).flatMap(({ links }) => links.map(({ space }) => space.id)))
}

/** Returns the spaces of the site that a session or API token lets its person read; undefined when not even the site. */
async function findReadable(
  services: Services,
  { source, look }: { readonly source: Source; readonly look: Look },
  { organization: organizationId, site: siteId }: ContentToken,
  { credential: { by, credentialId: id }, now }: { readonly credential: Credential; readonly now: number },
): Promise<ReadonlySet<SpaceId> | undefined> {
  const find = by === 'session' ? findBySessionId : findByTokenId
  const actor = await find(services.caches, look, { id, now })
  if (actor === undefined) return undefined
  try {
    const request = requestOf(source, actor, services)
    const { site } = await inSite.load(request, { organizationId, siteId })
    requireOpen(actor, organizationId, services.addresses)
    return site.readable
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

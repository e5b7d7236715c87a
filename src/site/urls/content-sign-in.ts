/**
 * Bearer authentication with content tokens: a token grants what the site shows its reader now, as long as the reader
 * still has access. The signature proves its claims; the site's and the reader's current state are checked with every
 * request.
 */
import { type Services, type Source, committedSource, loadRequestFrom } from '../../access/route/scope.js'
import { type SiteReading, anonymousUserId } from '../../access/signin/actor.js'
import { type ContentToken, readContentToken } from '../../access/signin/content-tokens.js'
import { requireOrganizationAccess } from '../../access/signin/credential-scope.js'
import type { ContentSignIn } from '../../access/signin/request.js'
import { findBySessionId } from '../../access/signin/sessions.js'
import { findByTokenId } from '../../access/signin/tokens.js'
import { ApiError } from '../../contract/errors.js'
import type { Credential } from '../../contract/signatures.js'
import type { SpaceId } from '../../core/ids.js'
import {
  type ClaimReader,
  createAnonymousReader,
  createClaimReader,
} from '../../core/conditions/claim-reader.js'
import type { Claims as KnownClaims } from '../../core/conditions/visitor-schema.js'
import type { Claims, Visitor } from '../../core/visitor/visitor.js'
import type { ReadContext } from '../../store/cache/caches.js'
import { inSite, readCachedSite, publicationStateOf } from '../../resources/sites/scope.js'
import { visibleSpaces } from '../../resources/sites/published-structure.js'
import { type SiteWithSpaces, isOpenSite } from '../../resources/sites/store.js'
import { authorizeSiteVisit, credentialReader } from '../reader-access.js'
import { filePath } from '../routing/address.js'

const anonymousUser = { id: anonymousUserId, displayName: '', email: null, photoUrl: null }

export function createContentSignIn(services: Services): ContentSignIn {
  return async (readContext, token, now) => {
    const content = readContentToken(services.addresses, token, now)
    const reading = content && (await findReading(services, readContext, content, now))
    if (content === undefined || reading === undefined) throw new ApiError('token_invalid')
    return {
      userId: anonymousUserId,
      user: anonymousUser,
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

/** Returns what a token grants; undefined when it grants nothing any more. */
async function findReading(
  services: Services,
  readContext: ReadContext,
  content: ContentToken,
  now: number,
): Promise<SiteReading | undefined> {
  const { organization: organizationId, site: siteId, admission } = content
  const { key, credential } = admission
  const source = committedSource(services.database, readContext)
  const site = await readCachedSite(source, services.caches, organizationId, siteId)
  if (site === undefined) return undefined
  if (content.keyGeneration !== undefined && content.keyGeneration !== site.row.key_generation)
    return undefined
  const visitor = site.row.adaptive_content === 1 ? visitorOf(content) : undefined
  const visible = visibleSpaces(site, claimReaderOf(visitor))
  const reading = {
    organizationId,
    siteId,
    publicationState: publicationStateOf(site.row),
    heads: headsOf(content, site),
    changeRequestId: content.changeRequest,
    revisionId: content.revision,
    isPreview:
      content.changeRequest !== undefined || content.revision !== undefined || key?.kind === 'preview',
    visitor,
  }
  const context = { caches: services.caches, addresses: services.addresses, readContext, now }
  const resolveReader = credential === undefined ? async () => null : credentialReader(credential, context)
  const access = await authorizeSiteVisit(
    source,
    site,
    { resolveReader, visitor: visitorOf(content), key },
    context,
  )
  if (access.refusal !== undefined) return undefined
  if (credential === undefined) {
    const isForAll = isOpenSite(site.row) && site.row.adaptive_content === 0 && key === undefined
    const filesBelow = isForAll ? undefined : content.url + filePath
    return { ...reading, spaces: visible, credential: null, filesBelow }
  }
  const readable = await findReadableSpaces(services, { source, readContext }, content, { credential, now })
  if (readable === undefined) return undefined
  const spaces = new Set([...visible].filter((id) => readable.has(id)))
  return { ...reading, spaces, credential, filesBelow: undefined }
}

/** Returns the heads from which a token reads; none after something of the site was closed to readers. */
function headsOf(
  { spaces, heads, closures }: ContentToken,
  { row }: SiteWithSpaces,
): ReadonlyMap<SpaceId, number> {
  return new Map(closures === row.closures ? spaces.map((id, at) => [id, heads[at]!]) : [])
}

function visitorOf({ claims = {}, keyGeneration }: ContentToken): Visitor {
  const { unsigned = {}, ...signed } = claims as Claims & { readonly unsigned?: Claims }
  return { claims: signed, unsigned, token: keyGeneration === undefined ? 'none' : 'valid' }
}

/** Returns a reader of the claims of a visitor, or of none. */
function claimReaderOf(visitor: Visitor | undefined): ClaimReader {
  return visitor === undefined
    ? createAnonymousReader()
    : createClaimReader({ ...visitor.claims, unsigned: visitor.unsigned } as KnownClaims)
}

/** Returns the spaces of the site that the user of a session or API token may read; undefined without access to the site. */
async function findReadableSpaces(
  services: Services,
  { source, readContext }: { readonly source: Source; readonly readContext: ReadContext },
  { organization: organizationId, site: siteId }: ContentToken,
  { credential: { by, credentialId: id }, now }: { readonly credential: Credential; readonly now: number },
): Promise<ReadonlySet<SpaceId> | undefined> {
  const find = by === 'session' ? findBySessionId : findByTokenId
  const actor = await find(services.caches, readContext, { id, now })
  if (actor === undefined) return undefined
  try {
    const request = loadRequestFrom(source, actor, services)
    const { site } = await inSite.load(request, { organizationId, siteId })
    requireOrganizationAccess(actor, organizationId, services.addresses)
    return site.readable
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

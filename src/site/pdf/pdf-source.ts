/** Authorizes and loads the content that the URL of a PDF names, and derives the cache key of the PDF from it. */
import { createHash } from 'node:crypto'
import type { PdfContent } from '../../contract/addresses.js'
import type { PdfQuery } from '../../contract/pdfs.js'
import { constantTimeEqual } from '../../contract/signatures.js'
import type { ChangeRequestId, PageId, RevisionId, SpaceId } from '../../core/ids.js'
import { usedSpecifications } from '../../core/openapi/expand-computed-pages.js'
import { readDownloadToken } from '../../contract/addresses.js'
import { readConsistently } from '../../access/route/consistent-read.js'
import type { Services } from '../../access/route/scope.js'
import { type ChangeRequestRow, findChangeRequest } from '../../resources/change-requests/store.js'
import { type ContentContext, findContent, expandContent } from '../../resources/content/content.js'
import { type LatestVersion, listLatestVersions } from '../../resources/openapi-specs/store.js'
import type { PdfKey } from '../../resources/pdfs/store.js'
import type { SpaceRow } from '../../resources/spaces/store.js'
import { type ReaderResolver, authorizeReader, readableSpace } from '../reader-access.js'
import { type FileReadContext, downloadTokenReader } from '../find-file.js'

/** Parameters of the URL of a PDF. */
export interface PdfAddress {
  readonly spaceId: SpaceId
  /** Of the space, or of the change request; their current one by default. */
  readonly revision?: RevisionId | undefined
  readonly changeRequest?: ChangeRequestId | undefined
  readonly page?: string | undefined
  readonly only: boolean
  readonly token?: string | undefined
}

/** All inputs of a PDF. */
export interface PdfSource {
  readonly space: SpaceRow
  readonly changeRequest?: ChangeRequestRow
  readonly content: ContentContext
  /** Of the organization: pages render parts of them. */
  readonly specifications: readonly LatestVersion[]
  /** Those that the content can render: new versions of others leave the PDF unchanged. */
  readonly usedSpecs: readonly LatestVersion[]
  readonly query: PdfQuery
}

/** Incremented when PDFs of unchanged content look different. */
const formatVersion = 1

/** Returns the content if the visitor may read it; `reader` identifies the visitor of a URL without token. */
export async function findPdfSource(
  reader: ReaderResolver,
  address: PdfAddress,
  context: FileReadContext,
): Promise<PdfSource | undefined> {
  const { token, spaceId } = address
  if (token !== undefined && !isValidToken(context.services, address, token)) return undefined
  const holder = token === undefined ? reader : downloadTokenReader(token, context)
  const authorized = await readConsistently(context, async (source, setOrganization) => {
    const entry = await authorizeReader(holder, readableSpace(source, spaceId))
    if (entry.refusal !== undefined) return undefined
    const space = entry.resource.row
    setOrganization(space.organization_id)
    if (address.changeRequest === undefined) return { space, revision: space.revision_id }
    const changeRequest = await findChangeRequest(source.db, space, address.changeRequest)
    return changeRequest && { space, changeRequest, revision: changeRequest.revision_id }
  })
  if (authorized === undefined) return undefined
  const { space, revision, ...more } = authorized
  const opened =
    address.revision === undefined
      ? await loadVisibleContent(context.services, space, revision)
      : await loadRevisionContent(context.services, space, address.revision)
  const { page, only } = address
  return opened && { space, ...more, ...opened, query: { ...(page !== undefined && { page }), only } }
}

/** Returns the content of a revision of a space and the specifications that its pages use; undefined for unknown ones. */
export async function loadRevisionContent(
  services: Services,
  { organization_id: organizationId, id: spaceId }: SpaceRow,
  revision: RevisionId,
): Promise<Pick<PdfSource, 'content' | 'specifications' | 'usedSpecs'> | undefined> {
  const { read: db } = services.database
  const content = await findContent({ db, services, organizationId, spaceId }, revision)
  if (content === undefined) return undefined
  const specifications = await listLatestVersions(db, organizationId)
  const slugs = specifications.map(({ slug }) => slug)
  const used = await content.run(usedSpecifications(content.revision.snapshot, slugs))
  // Content links contain specifications by slug only, not those that older blocks name by URL.
  const usedSpecs = specifications.filter(({ slug, address }) => used.has(slug) || address !== null)
  return { content, specifications, usedSpecs }
}

/** Returns the same for a revision as readers see it now: with pages computed from specifications. */
async function loadVisibleContent(services: Services, space: SpaceRow, revision: RevisionId) {
  const opened = await loadRevisionContent(services, space, revision)
  if (opened === undefined) return undefined
  const { content } = opened
  return {
    ...opened,
    content: await expandContent({ ...content, db: services.database.read, services }, content),
  }
}

function isValidToken(
  { addresses }: Pick<Services, 'addresses'>,
  address: PdfAddress,
  token: string,
): boolean {
  const tokenParts = readDownloadToken(token)
  const { revision } = address
  if (tokenParts === undefined || revision === undefined) return false
  const content: PdfContent = { ...address, revision }
  return constantTimeEqual(addresses.pdfToken(content, tokenParts), token)
}

/** Returns the cache key of a PDF: equal for content that looks the same, for all readers and revisions. */
export function pdfKeyOf({ space, changeRequest, content, usedSpecs, query }: PdfSource): PdfKey {
  const { page = null, only = false } = query
  const identity = [
    formatVersion,
    space.title,
    space.emoji,
    space.language,
    changeRequest === undefined ? null : [changeRequest.number, changeRequest.subject],
    content.revision.snapshot,
    usedSpecs,
    page,
    only,
  ]
  const key = createHash('sha256').update(JSON.stringify(identity)).digest('base64url')
  return { organization_id: space.organization_id, space_id: space.id, key }
}

export const pageIdOf = ({ page }: PdfQuery): PageId | null => (page ?? null) as PageId | null

/** The content that the address of a PDF speaks of, for whoever may read it, and the name of the PDF that it makes. */
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
import { type ContentContext, findContent, shownContent } from '../../resources/content/content.js'
import { type LatestVersion, listLatestVersions } from '../../resources/openapi-specs/store.js'
import type { PdfKey } from '../../resources/pdfs/store.js'
import type { SpaceRow } from '../../resources/spaces/store.js'
import { type ReaderResolver, authorizeReader, readableSpace } from '../reader-access.js'
import { type FileReadContext, downloadTokenReader } from '../find-file.js'

/** What an address of a PDF says. */
export interface PdfAddress {
  readonly spaceId: SpaceId
  /** Of the space, or of the change request; what stands there now unless it is named. */
  readonly revision?: RevisionId | undefined
  readonly changeRequest?: ChangeRequestId | undefined
  readonly page?: string | undefined
  readonly only: boolean
  readonly token?: string | undefined
}

/** All that a PDF is made of. */
export interface PdfSource {
  readonly space: SpaceRow
  readonly changeRequest?: ChangeRequestRow
  readonly content: ContentContext
  /** Of the organization: pages show parts of them. */
  readonly specifications: readonly LatestVersion[]
  /** Those of them that the content can show: a later version of another changes nothing. */
  readonly shown: readonly LatestVersion[]
  readonly query: PdfQuery
}

/** Counted up when a PDF of the same content looks otherwise than before. */
const formatVersion = 1

/** Returns the content where the visitor may read it; `asker` is who comes when the address names nobody. */
export async function findPdfSource(
  reader: ReaderResolver,
  address: PdfAddress,
  context: FileReadContext,
): Promise<PdfSource | undefined> {
  const { token, spaceId } = address
  if (token !== undefined && !isValidToken(context.services, address, token)) return undefined
  const holder = token === undefined ? reader : downloadTokenReader(token, context)
  const found = await readConsistently(context, async (source, about) => {
    const entry = await authorizeReader(holder, readableSpace(source, spaceId))
    if (entry.refusal !== undefined) return undefined
    const space = entry.resource.row
    about(space.organization_id)
    if (address.changeRequest === undefined) return { space, revision: space.revision_id }
    const changeRequest = await findChangeRequest(source.db, space, address.changeRequest)
    return changeRequest && { space, changeRequest, revision: changeRequest.revision_id }
  })
  if (found === undefined) return undefined
  const { space, revision, ...more } = found
  const opened =
    address.revision === undefined
      ? await loadVisibleContent(context.services, space, revision)
      : await loadRevisionContent(context.services, space, address.revision)
  const { page, only } = address
  return opened && { space, ...more, ...opened, query: { ...(page !== undefined && { page }), only } }
}

/** Returns the content of a revision of a space, with what its pages show beside it; undefined when there is none. */
export async function loadRevisionContent(
  services: Services,
  { organization_id: organizationId, id: spaceId }: SpaceRow,
  revision: RevisionId,
): Promise<Pick<PdfSource, 'content' | 'specifications' | 'shown'> | undefined> {
  const { read: db } = services.database
  const content = await findContent({ db, services, organizationId, spaceId }, revision)
  if (content === undefined) return undefined
  const specifications = await listLatestVersions(db, organizationId)
  const slugs = specifications.map(({ slug }) => slug)
  const used = await content.run(usedSpecifications(content.revision.snapshot, slugs))
  // The links of content know what it names by a slug, and not what an older block names by its address.
  const shown = specifications.filter(({ slug, address }) => used.has(slug) || address !== null)
  return { content, specifications, shown }
}

/** Returns the same of a revision as readers are shown it now: with the pages that are made of specifications. */
async function loadVisibleContent(services: Services, space: SpaceRow, revision: RevisionId) {
  const opened = await loadRevisionContent(services, space, revision)
  if (opened === undefined) return undefined
  const { content } = opened
  return {
    ...opened,
    content: await shownContent({ ...content, db: services.database.read, services }, content),
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
  const printed: PdfContent = { ...address, revision }
  return constantTimeEqual(addresses.pdfToken(printed, tokenParts), token)
}

/** Returns the name of a PDF: the same for the same content that looks the same, whoever asks and by whichever revision. */
export function pdfKeyOf({ space, changeRequest, content, shown, query }: PdfSource): PdfKey {
  const { page = null, only = false } = query
  const identity = [
    formatVersion,
    space.title,
    space.emoji,
    space.language,
    changeRequest === undefined ? null : [changeRequest.number, changeRequest.subject],
    content.revision.snapshot,
    shown,
    page,
    only,
  ]
  const key = createHash('sha256').update(JSON.stringify(identity)).digest('base64url')
  return { organization_id: space.organization_id, space_id: space.id, key }
}

export const pageIdOf = ({ page }: PdfQuery): PageId | null => (page ?? null) as PageId | null

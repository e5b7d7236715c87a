/**
 * File downloads: finds the file of an address for readers who may read its content. A token in the address stands for
 * the session or API token that requested it: it grants what that grants now, until either ends.
 */
import { timingSafeEqual } from 'node:crypto'
import { readDownloadToken } from '../contract/addresses.js'
import type { ChangeRequestId, FileId, OrganizationId, RevisionId, SpaceId } from '../core/ids.js'
import { findFile } from '../core/pages/read.js'
import type { FileRecord } from '../core/pages/types.js'
import { type SetOrganization, readConsistently } from '../access/route/consistent-read.js'
import { type Services, type Source, readThroughFrom } from '../access/route/scope.js'
import { findChangeRequest } from '../resources/change-requests/store.js'
import { type ContentContext, type ContentSource, findContent } from '../resources/content/content.js'
import { isFileVisible } from '../resources/content/file-visibility.js'
import { recentRevisions } from '../resources/content/published-revisions.js'
import { createVisibilityFilter } from '../resources/content/visibility.js'
import { readVariables } from '../resources/content/settings.js'
import { isPublicSpace } from '../resources/sites/public-spaces.js'
import { type SpaceRow, findSpaceAnywhere } from '../resources/spaces/store.js'
import type { ReadContext } from '../store/cache/caches.js'
import { rowCacheKind } from '../store/cache/kinds.js'
import type { Db } from '../store/db/database.js'
import type { PublishedSite, Variant } from './routing/site.js'
import { type ReaderResolver, authorizeReader, credentialReader, readableSpace } from './reader-access.js'

/** The parts of a file's address. */
export interface FileAddress {
  readonly spaceId: SpaceId
  readonly fileId: FileId
  /** Whose content; the head of the space unless one of these is set. */
  readonly revision?: RevisionId | undefined
  readonly changeRequest?: ChangeRequestId | undefined
  /** The beginning of the file's hash. */
  readonly version?: string | undefined
  readonly token?: string | undefined
}

/** Characters of a hash by which an address names a version: 96 bits, which nobody guesses. */
export const minVersionLength = 16

export interface FoundFile {
  readonly file: FileRecord
  /** True for files of a public site. */
  readonly isForAll: boolean
}

interface FileSpace {
  readonly row: SpaceRow
  /** True while the space is on a public site. */
  readonly isOpen: boolean
}

const fileSpaceKind = rowCacheKind<FileSpace>('space of files', ({ row }) => [row.organization_id])

export interface FileReadContext {
  readonly services: Services
  readonly readContext: ReadContext
  readonly now: number
}

/** Returns the file where the reader may read it; `resolveReader` is used when the address has no token. */
export async function findReadableFile(
  resolveReader: ReaderResolver,
  address: FileAddress,
  context: FileReadContext,
): Promise<FoundFile | undefined> {
  const { spaceId, token } = address
  const { services } = context
  const resolver = token === undefined ? resolveReader : downloadTokenReader(token, context)
  const readable = await readConsistently(context, (source, about) =>
    findReadableRevision(resolver, address, { services, source, about }),
  )
  if (readable === undefined) return undefined
  const { organizationId, id, isForAll } = readable
  const location = { db: services.database.read, services, organizationId, spaceId }
  const content = await findContent(location, id)
  const current = content && (await content.run(findFile(content.revision.snapshot, address.fileId)))
  const file =
    current ?? (isForAll ? (await findFormerFile(location, id, address, context.now))?.file : undefined)
  if (!file) return undefined
  const isValid = isForAll || token === undefined || isTokenFor(services, spaceId, file, token)
  return isValid ? { file, isForAll } : undefined
}

/**
 * Returns a file that was removed from a published space not long ago, for an address with its version: pages that were
 * read before still refer to it. The last content that has the file decides.
 */
async function findFormerFile(
  source: ContentSource,
  head: RevisionId,
  { fileId, version = '' }: Pick<FileAddress, 'fileId' | 'version'>,
  now: number,
): Promise<{ readonly file: FileRecord; readonly content: ContentContext } | undefined> {
  if (version.length < minVersionLength) return undefined
  for await (const content of recentRevisions({ revision_id: head }, source, now)) {
    const file = await content.run(findFile(content.revision.snapshot, fileId))
    if (file !== undefined) return file.hash.startsWith(version) ? { file, content } : undefined
  }
  return undefined
}

interface ReadableRevision {
  readonly organizationId: OrganizationId
  readonly id: RevisionId
  readonly isForAll: boolean
}

/** Returns the revision of the address, where the reader may read it. */
async function findReadableRevision(
  resolveReader: ReaderResolver,
  { spaceId, revision, changeRequest }: FileAddress,
  { services, source, about }: { services: Services; source: Source; about: SetOrganization },
): Promise<ReadableRevision | undefined> {
  const space = await readThroughFrom(source, services.caches, fileSpaceKind, spaceId, (db) =>
    findFileSpace(db, spaceId),
  )
  if (space === undefined) return undefined
  about(space.row.organization_id)
  // Unpublished revisions need read access to the space.
  const isHead = revision === undefined && changeRequest === undefined
  const open = space.isOpen && isHead ? space : undefined
  const access = await authorizeReader(resolveReader, readableSpace(source, spaceId, open))
  if (access.refusal !== undefined) return undefined
  const { row } = access.resource
  const id =
    revision ??
    (changeRequest === undefined
      ? row.revision_id
      : (await findChangeRequest(source.db, row, changeRequest))?.revision_id)
  return id && { organizationId: row.organization_id, id, isForAll: access.isForAll }
}

async function findFileSpace(db: Db, id: SpaceId): Promise<FileSpace | undefined> {
  const row = await findSpaceAnywhere(db, id)
  if (row === undefined || row.deleted_at !== null) return undefined
  return { row, isOpen: await isPublicSpace(db, row) }
}

/** Resolves the user for whom a download token was signed; null when it or its credential has ended. */
export function downloadTokenReader(
  token: string,
  { services: { caches }, readContext, now }: FileReadContext,
): ReaderResolver {
  const payload = readDownloadToken(token)
  if (payload === undefined || payload.expires <= now) return async () => null
  return credentialReader(payload.credential, { caches, readContext, now })
}

/** True when the token was signed for this content hash, of a space or a specification: it does not open a newer file of the same id. */
export function isTokenFor(
  { addresses }: Services,
  ownerId: string,
  file: { readonly id: string; readonly hash: string },
  token: string,
): boolean {
  const payload = readDownloadToken(token)
  if (payload === undefined) return false
  const expected = Buffer.from(addresses.downloadToken(ownerId, file, payload))
  const actual = Buffer.from(token)
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}

/** Returns a file of a published space, for readers of the site who may read a page that uses it. */
export async function findSiteFile(
  services: Services,
  {
    organizationId,
    isAdaptive,
    claimReader,
  }: Pick<PublishedSite, 'organizationId' | 'isAdaptive' | 'claimReader'>,
  {
    variant,
    now,
    ...address
  }: Pick<FileAddress, 'fileId' | 'version'> & { readonly variant: Variant; readonly now: number },
): Promise<FileRecord | undefined> {
  const { spaceId, revisionId } = variant
  const location = { db: services.database.read, services, organizationId, spaceId }
  const head = await findContent(location, revisionId)
  const current = head && (await head.run(findFile(head.revision.snapshot, address.fileId)))
  const found = current
    ? { file: current, content: head }
    : await findFormerFile(location, revisionId, address, now)
  if (found === undefined || !isAdaptive) return found?.file
  const filter = createVisibilityFilter(claimReader, await readVariables(found.content))
  return (await isFileVisible(filter, found.content, found.file)) ? found.file : undefined
}

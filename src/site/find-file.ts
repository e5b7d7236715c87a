/**
 * The file that an address names, for whoever may read the content that it belongs to. A token in the address stands
 * for the session or API token that asked for it: it opens what that opens now, until either of them ends.
 */
import { timingSafeEqual } from 'node:crypto'
import { readDownloadToken } from '../contract/addresses.js'
import type { ChangeRequestId, FileId, OrganizationId, RevisionId, SpaceId } from '../core/ids.js'
import { findFile } from '../core/pages/read.js'
import type { FileRecord } from '../core/pages/types.js'
import { type About, readAtOneMoment } from '../access/route/consistent-read.js'
import { type Services, type Source, recallFrom } from '../access/route/scope.js'
import { findChangeRequest } from '../resources/change-requests/store.js'
import { findContent } from '../resources/content/content.js'
import { isFileOpen } from '../resources/content/open-files.js'
import { createOpening } from '../resources/content/visibility.js'
import { readVariables } from '../resources/content/settings.js'
import { isOpenToAll } from '../resources/sites/open.js'
import { type SpaceRow, findSpaceAnywhere } from '../resources/spaces/store.js'
import type { Look } from '../store/cache/caches.js'
import { rowKind } from '../store/cache/kinds.js'
import type { Db } from '../store/db/database.js'
import type { ShownSite, Variant } from './routing/site.js'
import { type Asker, enterAsReader, holderOf, readableSpace } from './enter.js'

/** What an address of a file says. */
export interface FileAddress {
  readonly spaceId: SpaceId
  readonly fileId: FileId
  /** Of which content; the head of the space unless one of these is named. */
  readonly revision?: RevisionId | undefined
  readonly changeRequest?: ChangeRequestId | undefined
  readonly token?: string | undefined
}

export interface FoundFile {
  readonly file: FileRecord
  /** True for bytes that a published site shows to anybody. */
  readonly isForAll: boolean
}

interface FileSpace {
  readonly row: SpaceRow
  /** True while the space is on a site that anybody can read. */
  readonly isOpen: boolean
}

const fileSpaceKind = rowKind<FileSpace>('space of files', ({ row }) => [row.organization_id])

export interface Here {
  readonly services: Services
  readonly look: Look
  readonly now: number
}

/** Returns the file where the visitor may read it; `asker` is who comes when the address names nobody. */
export async function findFileFor(
  asker: Asker,
  address: FileAddress,
  here: Here,
): Promise<FoundFile | undefined> {
  const { spaceId, token } = address
  const { services } = here
  const holder = token === undefined ? asker : tokenHolder(token, here)
  const opened = await readAtOneMoment(here, (source, about) =>
    openRevision(holder, address, { services, source, about }),
  )
  if (opened === undefined) return undefined
  const { organizationId, id, isForAll } = opened
  const content = await findContent({ db: services.database.read, services, organizationId, spaceId }, id)
  const file = content && (await content.run(findFile(content.revision.snapshot, address.fileId)))
  if (!file) return undefined
  const isTheirs = isForAll || token === undefined || isTokenOf(services, spaceId, file, token)
  return isTheirs ? { file, isForAll } : undefined
}

interface OpenedRevision {
  readonly organizationId: OrganizationId
  readonly id: RevisionId
  readonly isForAll: boolean
}

/** Returns the revision that the address speaks of, where the visitor may read it. */
async function openRevision(
  asker: Asker,
  { spaceId, revision, changeRequest }: FileAddress,
  { services, source, about }: { services: Services; source: Source; about: About },
): Promise<OpenedRevision | undefined> {
  const space = await recallFrom(source, services.caches, fileSpaceKind, spaceId, (db) =>
    findFileSpace(db, spaceId),
  )
  if (space === undefined) return undefined
  about(space.row.organization_id)
  // What is not the published content is for readers of the space alone.
  const isHead = revision === undefined && changeRequest === undefined
  const open = space.isOpen && isHead ? space : undefined
  const entry = await enterAsReader(asker, readableSpace(source, spaceId, open))
  if (entry.refusal !== undefined) return undefined
  const { row } = entry.place
  const id =
    revision ??
    (changeRequest === undefined
      ? row.revision_id
      : (await findChangeRequest(source.db, row, changeRequest))?.revision_id)
  return id && { organizationId: row.organization_id, id, isForAll: entry.isForAll }
}

async function findFileSpace(db: Db, id: SpaceId): Promise<FileSpace | undefined> {
  const row = await findSpaceAnywhere(db, id)
  if (row === undefined || row.deleted_at !== null) return undefined
  return { row, isOpen: await isOpenToAll(db, row) }
}

/** For whom a token says that it is; nobody, when it has ended, or what it was asked with. */
export function tokenHolder(token: string, { services: { caches }, look, now }: Here): Asker {
  const holder = readDownloadToken(token)
  if (holder === undefined || holder.expires <= now) return async () => null
  return holderOf(holder.credential, { caches, look, now })
}

/** True when the token was signed for these very bytes, of a space or a specification: it opens no others that stand in their place by now. */
export function isTokenOf(
  { addresses }: Services,
  holder: string,
  file: { readonly id: string; readonly hash: string },
  token: string,
): boolean {
  const said = readDownloadToken(token)
  if (said === undefined) return false
  const expected = Buffer.from(addresses.downloadToken(holder, file, said))
  const given = Buffer.from(token)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** Returns a file of a space as a site shows it now, for whoever was let into the site and may read what uses it. */
export async function findShownFile(
  services: Services,
  { organizationId, isAdaptive, asker }: Pick<ShownSite, 'organizationId' | 'isAdaptive' | 'asker'>,
  { variant, fileId }: { readonly variant: Variant; readonly fileId: FileId },
): Promise<FileRecord | undefined> {
  const { spaceId, revisionId } = variant
  const place = { db: services.database.read, services, organizationId, spaceId }
  const content = await findContent(place, revisionId)
  const file = content && (await content.run(findFile(content.revision.snapshot, fileId)))
  if (!file || !isAdaptive) return file
  const opening = createOpening(asker, await readVariables(content))
  return (await isFileOpen(opening, content, file)) ? file : undefined
}

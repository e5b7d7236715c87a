/**
 * Expansion of computed pages: generates pages from OpenAPI specifications into a revision.
 *
 * An expansion is identified by the written revision and the versions of the specifications and files that it is
 * generated from: what is cached under its id never changes, and a new version of a specification gives another id.
 * It is not stored, but generated from the outlines of the versions and files on first read.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { OrganizationId, PageId, RevisionId } from '../../core/ids.js'
import { describePage } from '../../core/markdown/describe.js'
import {
  type OutlineVersion,
  type SpecificationPage,
  expandSnapshot,
  findSpecificationPages,
  outlineName,
  slugsOf,
} from '../../core/openapi/expand-computed-pages.js'
import type { SpecificationOutline } from '../../core/openapi/outline.js'
import type { FileRecord } from '../../core/pages/types.js'
import { letters } from '../../access/ids.js'
import type { Services } from '../../access/route/scope.js'
import { ApiError } from '../../contract/errors.js'
import { hashOf } from '../../store/content/encoding.js'
import { createMemorySink } from '../../store/content/memory-sink.js'
import { type ComputedRevision, run, runYielding } from '../../store/content/objects.js'
import type { Revision } from '../../store/content/revisions.js'
import type { Db } from '../../store/db/database.js'
import { type FileOutline, readFileOutline } from '../openapi-specs/file-specification.js'
import {
  type OutlinedVersion,
  findLatestVersions,
  findOutlines,
  findOutlinedVersions,
} from '../openapi-specs/outlined-versions.js'

export type Expansion = ComputedRevision

export type ContentServices = Pick<Services, 'objects' | 'files' | 'caches' | 'specifications' | 'background'>

interface ExpansionSource {
  readonly db: Db
  readonly services: ContentServices
  readonly organizationId: OrganizationId
}

/** Returns the latest versions of specifications by slug. */
export type FindVersions = (slugs: readonly string[]) => Promise<readonly OutlinedVersion[]>

/** Milliseconds between two polls of a file that is being parsed, and polls before the request fails. */
const [pollInterval, maxPolls] = [1_000, 10]

/** Bytes that a cached computed page takes. */
const pageWeight = 1_500

/** Returns the written revision that an id of content names; with the key of the versions when it names an expansion. */
export function parseContentId(id: RevisionId): { readonly writtenId: RevisionId; readonly key?: string } {
  const [, writtenId, key] = /^([\dA-Za-z]{8,40})-([\dA-Za-z]{12})$/.exec(id) ?? []
  return writtenId === undefined ? { writtenId: id } : { writtenId: writtenId as RevisionId, key: key! }
}

/** Returns the id of a revision's current expansion; its own id when it has no computed page. */
export async function latestContentId(source: ExpansionSource, revision: Revision): Promise<RevisionId> {
  const pages = await computedPagesOf(source, revision)
  if (pages.length === 0) return revision.id
  return idOf(revision, keyOf(pages, await latestVersionsOf(source, pages)))
}

/** Returns the expansion with the latest versions; undefined when the revision has no computed page. */
export async function latestExpansion(
  source: ExpansionSource,
  revision: Revision,
  findVersions?: FindVersions,
): Promise<Expansion | undefined> {
  const pages = await computedPagesOf(source, revision)
  if (pages.length === 0) return undefined
  const versions = await latestVersionsOf(source, pages, findVersions)
  return (
    (await expand(source, revision, pages, versions)) ??
    // A version was deleted since it was found or cached.
    expand(source, revision, pages, await latestVersionsOf(source, pages))
  )
}

async function latestVersionsOf(
  { db, organizationId }: ExpansionSource,
  pages: readonly SpecificationPage[],
  findVersions: FindVersions = (slugs) => findLatestVersions(db, organizationId, slugs),
): Promise<readonly OutlinedVersion[]> {
  const slugs = slugsOf(pages)
  return slugs.length === 0 ? [] : findVersions(slugs)
}

/** Returns the expansion of a key; undefined when no existing versions have this key. */
export async function findExpansion(
  source: ExpansionSource,
  revision: Revision,
  key: string,
): Promise<Expansion | undefined> {
  const cached = source.services.objects.computed.get(cacheKeyOf(source, revision, key))
  if (cached !== undefined) return cached
  const pages = await computedPagesOf(source, revision)
  const versions = await findVersionsOfKey(source, pages, key)
  return versions && expand(source, revision, pages, versions)
}

/** Yields the expansions with earlier versions of the specifications, the latest first. */
export async function* earlierExpansions(
  source: ExpansionSource,
  revision: Revision,
): AsyncGenerator<Expansion> {
  const pages = await computedPagesOf(source, revision)
  const versions = await findOutlinedVersions(source.db, source.organizationId, slugsOf(pages))
  for (let count = versions.length - 1; count > 0; count -= 1) {
    const bySlug = new Map(versions.slice(0, count).map((version) => [version.slug, version]))
    const expansion = await expand(source, revision, pages, [...bySlug.values()])
    if (expansion !== undefined) yield expansion
  }
}

/** Returns the versions that a key stands for: the latest ones, or those that were the latest at some time. */
async function findVersionsOfKey(
  source: ExpansionSource,
  pages: readonly SpecificationPage[],
  key: string,
): Promise<readonly OutlinedVersion[] | undefined> {
  const latest = await latestVersionsOf(source, pages)
  if (keyOf(pages, latest) === key) return latest
  if (keyOf(pages, []) === key) return []
  const bySlug = new Map<string, OutlinedVersion>()
  for (const version of await findOutlinedVersions(source.db, source.organizationId, slugsOf(pages))) {
    bySlug.set(version.slug, version)
    const versions = [...bySlug.values()]
    if (keyOf(pages, versions) === key) return versions
  }
  return undefined
}

/** Returns the cached or newly generated expansion; undefined when one of the versions was deleted. */
async function expand(
  source: ExpansionSource,
  revision: Revision,
  pages: readonly SpecificationPage[],
  versions: readonly OutlinedVersion[],
): Promise<Expansion | undefined> {
  const { db, services, organizationId } = source
  const key = keyOf(pages, versions)
  const cacheKey = cacheKeyOf(source, revision, key)
  const cached = services.objects.computed.get(cacheKey)
  if (cached !== undefined) return cached

  const outlines = new Map<string, OutlineVersion>()
  const texts = await findOutlines(
    db,
    organizationId,
    versions.map(({ id }) => id),
  )
  for (const { id, slug, createdAt } of versions) {
    const text = texts.get(id)
    if (text === undefined) return undefined
    outlines.set(slug, { version: id, createdAt, outline: JSON.parse(text) as SpecificationOutline })
  }
  for (const page of pages) {
    const name = outlineName(page)
    if (page.file === undefined || outlines.has(name)) continue
    const read = await readOutline(services, page.file)
    outlines.set(name, { version: page.file.hash, outline: 'outline' in read ? read.outline : read })
  }

  const sink = createMemorySink()
  const context = { sink, describe: describePage, idOf: (text: string) => digestLetters(text, 20) as PageId }
  const { snapshot, searched: searchTexts } = await runYielding(
    expandSnapshot(revision.snapshot, pages, outlines, context),
    { db, organizationId, cache: services.objects, pending: sink },
  )
  const expansion: Expansion = {
    revision: {
      ...revision,
      id: idOf(revision, key),
      type: 'computed',
      parents: [revision.id],
      mergedFrom: null,
      snapshot,
    },
    pending: sink,
    searchTexts,
  }
  const textWeight = [...searchTexts.values()].reduce((sum, text) => sum + text.length * 2 + 200, 0)
  if (!db.isTransaction)
    services.objects.computed.set(cacheKey, expansion, sink.weight() + textWeight + 2_000)
  return expansion
}

/** Waits for the outline of a file; throws 503 when it is still being parsed after all polls. */
async function readOutline(services: ContentServices, file: FileRecord): Promise<FileOutline> {
  for (let poll = 0; poll < maxPolls; poll += 1) {
    const controller = new AbortController()
    const timeout = sleep(pollInterval, undefined, { signal: controller.signal, ref: false }).catch(() => {})
    try {
      const read = await readFileOutline(services, file, timeout)
      if (read === undefined) return { problem: 'Its bytes are missing from the file storage' }
      if (read !== 'waiting') return read
      // Parsing has not started yet when too many files are being parsed.
      await timeout
    } finally {
      controller.abort()
    }
  }
  throw new ApiError('specification_unread', { file: file.path })
}

async function computedPagesOf(
  { db, services: { objects }, organizationId }: ExpansionSource,
  revision: Revision,
): Promise<readonly SpecificationPage[]> {
  const cacheKey = `${organizationId} ${revision.id}`
  const cached = objects.computedPages.get(cacheKey)
  if (cached !== undefined) return cached
  const pages = await run(findSpecificationPages(revision.snapshot), { db, organizationId, cache: objects })
  // What was written in a transaction may be rolled back with it: it is not cached.
  if (!db.isTransaction) objects.computedPages.set(cacheKey, pages, 100 + pages.length * pageWeight)
  return pages
}

function cacheKeyOf({ organizationId }: ExpansionSource, revision: Revision, key: string): string {
  return `${organizationId} ${revision.id} ${key}`
}

function idOf({ id }: Revision, key: string): RevisionId {
  return `${id}-${key}` as RevisionId
}

/** Returns the key of the versions and files, 12 letters and digits. */
function keyOf(pages: readonly SpecificationPage[], versions: readonly OutlinedVersion[]): string {
  const files = new Set(pages.flatMap((page) => ('file' in page.source ? [outlineName(page)] : [])))
  const named = [...versions.map(({ slug, id }) => `${slug} ${id}`), ...files].toSorted()
  return digestLetters(named.join('\n'), 12)
}

/** Returns letters and digits that are a digest of a text. */
function digestLetters(text: string, length: number): string {
  const bytes = Buffer.from(hashOf(Buffer.from(text)), 'base64url')
  return Array.from(bytes.subarray(0, length), (byte) => letters[byte % letters.length]).join('')
}

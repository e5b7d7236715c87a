/**
 * Content with its computed pages made: what readers are shown, and whoever does not ask for it otherwise.
 *
 * It is named by the revision that was written and by the versions of the specifications and the files that went into
 * it, so that what is kept of it under that name is right for ever, and a specification that changes gives another
 * name. Nothing of it is stored: it is made from the outlines of the versions and files when it is first asked for.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { OrganizationId, PageId, RevisionId } from '../../core/ids.js'
import { describePage } from '../../core/markdown/describe.js'
import {
  type ExpandedSnapshot,
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
import { type FileOutline, readFileOutline } from '../openapi-specs/from-file.js'
import {
  type ToldVersion,
  findLatestVersions,
  findOutlines,
  findToldVersions,
} from '../openapi-specs/outlines.js'

/** Where it is told what pages are made of. */
interface ObjectsSource {
  readonly db: Db
  readonly services: Pick<Services, 'objects'>
  readonly organizationId: OrganizationId
}

/** Where pages are made, of versions and of files. */
export interface ExpansionSource extends ObjectsSource {
  readonly services: ContentServices
}

export type ContentServices = Pick<Services, 'objects' | 'files' | 'caches' | 'specifications' | 'background'>

/** Milliseconds between two looks at a file that is being read, and how many looks are taken before that is told. */
const [patience, mostLooks] = [1_000, 10]

/** Bytes that a computed page takes. */
const sourcedWeight = 1_500

/** Returns the revision and the versions that the id of a computed one names; undefined for any other id. */
export function readComputedId(
  id: RevisionId,
): { readonly source: RevisionId; readonly key: string } | undefined {
  const [, source, key] = /^([\dA-Za-z]{8,40})-([\dA-Za-z]{12})$/.exec(id) ?? []
  return source === undefined ? undefined : { source: source as RevisionId, key: key! }
}

/** Returns the id under which a revision is shown now: its own, where no page of it is made of a specification. */
export async function shownId(
  place: ObjectsSource,
  revision: Revision,
  recall: FindLatestVersions = (slugs) => findLatestVersions(place.db, place.organizationId, slugs),
): Promise<RevisionId> {
  const sourced = await sourcedOf(place, revision)
  if (sourced.length === 0) return revision.id
  const slugs = slugsOf(sourced)
  const versions = slugs.length === 0 ? [] : await recall(slugs)
  return `${revision.id}-${keyOf(sourced, versions)}` as RevisionId
}

/** Finds the latest versions of specifications, by their slugs. */
export type FindLatestVersions = (slugs: readonly string[]) => Promise<readonly ToldVersion[]>

/** Returns the computed revision of a key; undefined where no versions that there are make it. */
export async function findComputed(
  place: ExpansionSource,
  revision: Revision,
  key: string,
): Promise<ComputedRevision | undefined> {
  const { computed } = place.services.objects
  const name = `${place.organizationId} ${revision.id} ${key}`
  const known = computed.get(name)
  if (known !== undefined) return known
  const sourced = await sourcedOf(place, revision)
  const versions = await findVersions(place, sourced, key)
  if (versions === undefined) return undefined
  const { made, weight } = await make(place, revision, { key, sourced, versions })
  if (!place.db.isTransaction) computed.set(name, made, weight)
  return made
}

/** The versions that a key names: the latest ones, or those that were at some time before. */
async function findVersions(
  { db, organizationId }: ExpansionSource,
  sourced: readonly SpecificationPage[],
  key: string,
): Promise<readonly ToldVersion[] | undefined> {
  const slugs = slugsOf(sourced)
  const latest = await findLatestVersions(db, organizationId, slugs)
  if (keyOf(sourced, latest) === key) return latest
  const then = new Map<string, ToldVersion>()
  if (keyOf(sourced, []) === key) return []
  for (const version of await findToldVersions(db, organizationId, slugs)) {
    then.set(version.slug, version)
    const versions = [...then.values()]
    if (keyOf(sourced, versions) === key) return versions
  }
  return undefined
}

async function make(
  { db, services, organizationId }: ExpansionSource,
  revision: Revision,
  {
    key,
    sourced,
    versions,
  }: {
    readonly key: string
    readonly sourced: readonly SpecificationPage[]
    readonly versions: readonly ToldVersion[]
  },
): Promise<{ readonly made: ComputedRevision; readonly weight: number }> {
  const texts = await findOutlines(
    db,
    organizationId,
    versions.map(({ id }) => id),
  )
  const files = await readFileOutlines(services, sourced)
  const outlines = new Map([
    ...files,
    ...versions.flatMap(({ id, slug, createdAt }): [string, OutlineVersion][] => {
      const text = texts.get(id)
      if (text === undefined) return []
      return [[slug, { version: id, createdAt, outline: JSON.parse(text) as SpecificationOutline }]]
    }),
  ])
  const sink = createMemorySink()
  const context = { sink, describe: describePage, idOf: (text: string) => digestLetters(text, 20) as PageId }
  const step = expandSnapshot(revision.snapshot, sourced, outlines, context)
  const source = { db, organizationId, cache: services.objects, pending: sink }
  const { snapshot, searched: searchTexts }: ExpandedSnapshot = await runYielding(step, source)
  const words = [...searchTexts.values()].reduce((sum, text) => sum + text.length * 2 + 200, 0)
  const computed: Revision = {
    ...revision,
    id: `${revision.id}-${key}` as RevisionId,
    type: 'computed',
    parents: [revision.id],
    mergedFrom: null,
    snapshot,
  }
  return { made: { revision: computed, pending: sink, searchTexts }, weight: sink.weight() + words + 2_000 }
}

/** The outlines of the files, by the names that go by their hashes; throws 503 while one is being read. */
async function readFileOutlines(
  services: ContentServices,
  sourced: readonly SpecificationPage[],
): Promise<ReadonlyMap<string, OutlineVersion>> {
  const outlines = new Map<string, OutlineVersion>()
  for (const one of sourced) {
    const name = outlineName(one)
    if (one.file === undefined || outlines.has(name)) continue
    const read = await readOutline(services, one.file)
    outlines.set(name, { version: one.file.hash, outline: 'outline' in read ? read.outline : read })
  }
  return outlines
}

async function readOutline(services: ContentServices, file: FileRecord): Promise<FileOutline> {
  for (let looks = 0; looks < mostLooks; looks++) {
    const over = new AbortController()
    const late = sleep(patience, undefined, { signal: over.signal, ref: false }).catch(() => {})
    try {
      const read = await readFileOutline(services, file, late)
      if (read === undefined) return { problem: 'Its bytes are missing from the file storage' }
      if (read !== 'waiting') return read
      // Nobody began to read it where too many are read at once.
      await late
    } finally {
      over.abort()
    }
  }
  throw new ApiError('specification_unread', { file: file.path })
}

async function sourcedOf(
  { db, services, organizationId }: ObjectsSource,
  revision: Revision,
): Promise<readonly SpecificationPage[]> {
  const name = `${organizationId} ${revision.id}`
  const known = services.objects.computedPages.get(name)
  if (known !== undefined) return known
  const sourced = await run(findSpecificationPages(revision.snapshot), {
    db,
    organizationId,
    cache: services.objects,
  })
  // What was written in a transaction may be rolled back with it.
  if (!db.isTransaction)
    services.objects.computedPages.set(name, sourced, 100 + sourced.length * sourcedWeight)
  return sourced
}

function keyOf(sourced: readonly SpecificationPage[], versions: readonly ToldVersion[]): string {
  const files = new Set(sourced.flatMap((one) => ('file' in one.source ? [outlineName(one)] : [])))
  const named = [...versions.map(({ slug, id }) => `${slug} ${id}`), ...files].toSorted()
  return digestLetters(named.join('\n'), 12)
}

/** Returns letters and digits that follow from a text. */
function digestLetters(text: string, length: number): string {
  const bytes = Buffer.from(hashOf(Buffer.from(text)), 'base64url')
  return Array.from(bytes.subarray(0, length), (byte) => letters[byte % letters.length]).join('')
}

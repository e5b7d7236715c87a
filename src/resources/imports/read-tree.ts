/**
 * Import, reading stage: every file is read once, described, and stored by its content hash.
 *
 * Only a few files are in memory at a time: being read, or pending to be written. Of a text only its hash and its
 * description are retained.
 */
import type { Hash, OrganizationId } from '../../core/ids.js'
import type { ImportEntry } from '../../core/pages/import.js'
import { detectLanguage } from '../../core/language/detect.js'
import { addTally } from '../../core/language/tally.js'
import { isTextPath, nameOf } from '../../core/pages/paths.js'
import type { ImportProblem } from '../../core/pages/import-problems.js'
import type { Services } from '../../access/route/scope.js'
import { ApiError } from '../../contract/errors.js'
import { decodeText, hashOf } from '../../store/content/encoding.js'
import { noLocks } from '../../store/db/lock-scope.js'
import {
  type LinkedDescription,
  type TextAnalysis,
  type TextReader,
  decodeDescription,
} from '../../store/reading/reader.js'
import { hasRecentBlob, insertBlobs } from '../../store/content/blobs.js'
import { detectFileType } from '../content/uploads.js'
import type { ArchiveEntry, ArchiveItem } from './archive.js'
import { createObjectWriter } from './object-writer.js'
import type { ImportTarget } from './target.js'

export interface TreeReadOptions {
  readonly services: Pick<Services, 'database' | 'files' | 'reader'>
  readonly target: Pick<ImportTarget, 'organizationId'>
  readonly entries: AsyncIterable<ArchiveItem>
  /** Milliseconds since 1970. */
  readonly now: number
  /** Called after each file, and once more when the last one is written. */
  readonly progress?: (read: FilesRead) => void
}

export interface ImportedTree {
  readonly entries: ReadonlyMap<string, ImportEntry>
  /** The description of each text, by its path. */
  readonly texts: ReadonlyMap<string, LinkedDescription>
  readonly problems: readonly ImportProblem[]
  readonly language: string | undefined
}

/** Number of files read so far. */
export interface FilesRead {
  readonly texts: number
  /** Images and all other files that are not texts. */
  readonly others: number
}

/** Largest text, in bytes; larger Markdown is not readable as a page. */
export const maxTextBytes = 50_000_000

/** Texts that are analyzed ahead of the one being settled. */
const readAhead = 96

/** Returns the entries by path; objects and bytes are durable when it resolves. */
export async function readTree({
  services,
  target: { organizationId },
  entries,
  now,
  progress,
}: TreeReadOptions): Promise<ImportedTree> {
  services.reader.prepare()
  const objectWriter = createObjectWriter(services.database, organizationId)
  const texts = new Map<Hash, Promise<TextAnalysis>>()
  const read = new Map<string, ImportEntry>()
  const descriptions = new Map<string, LinkedDescription>()
  const problems: ImportProblem[] = []
  const language: Record<string, number> = {}
  const pending: PendingText[] = []
  const reportProgress = (): void =>
    progress?.({ texts: descriptions.size, others: read.size - descriptions.size })

  async function settle({ path, hash, bytes, size, reading }: PendingText): Promise<void> {
    const analysis = await reading
    const description = decodeDescription(analysis)
    read.set(path, { kind: 'text', text: { hash, size, description } })
    descriptions.set(path, description)
    for (const problem of analysis.problems) problems.push({ ...problem, path })
    if (bytes !== undefined) {
      addTally(language, analysis.language)
      await objectWriter.add(hash, bytes, analysis.encodedLinks)
    }
    reportProgress()
  }

  for await (const entry of entries) {
    const { path } = entry
    if ('leftOut' in entry) {
      problems.push({ kind: 'left-out', path, message: entry.leftOut })
    } else if ('notice' in entry) {
      problems.push({ kind: 'conversion', path, message: entry.notice })
    } else if (isTextPath(path)) {
      pending.push(await startReadingText(entry, texts, services.reader))
      if (pending.length > readAhead) await settle(pending.shift()!)
    } else {
      read.set(path, await readFile(entry, services, organizationId, now))
      reportProgress()
    }
  }
  for (const text of pending) await settle(text)
  await objectWriter.flush()
  return { entries: read, texts: descriptions, problems, language: detectLanguage(language) }
}

interface PendingText {
  readonly path: string
  readonly hash: Hash
  /** Absent when an equal text was already read at another path. */
  readonly bytes: Uint8Array | undefined
  readonly size: number
  readonly reading: Promise<TextAnalysis>
}

async function startReadingText(
  entry: ArchiveEntry,
  analyses: Map<Hash, Promise<TextAnalysis>>,
  reader: TextReader,
): Promise<PendingText> {
  const { path } = entry
  if (entry.size > maxTextBytes) {
    throw new ApiError('page_too_large', { page: `"${path}"`, limit: `${maxTextBytes / 1_000_000} MB` })
  }
  const bytes = await entry.open()
  const hash = hashOf(bytes)
  const same = analyses.get(hash)
  if (same !== undefined) return { path, hash, bytes: undefined, size: bytes.length, reading: same }
  const reading = reader.describe(decodeText(bytes))
  analyses.set(hash, reading)
  return { path, hash, bytes, size: bytes.length, reading }
}

/** The blob row is written after the bytes, and before any page that references them. */
async function readFile(
  entry: ArchiveEntry,
  services: Pick<Services, 'database' | 'files'>,
  organizationId: OrganizationId,
  now: number,
): Promise<ImportEntry> {
  const { database, files } = services
  const bytes = await entry.open()
  const [hash, size] = [hashOf(bytes), bytes.length]
  if (!(await hasRecentBlob(database.read, organizationId, hash))) {
    await files.put(bytes)
    await database.writeInBulk(noLocks, (tx) => insertBlobs(tx, files, organizationId, [{ hash, size }], now))
  }
  return { kind: 'file', hash, size, ...(await detectFileType(bytes, nameOf(entry.path))) }
}

/**
 * The first half of an import: every file is read once, described, and stored by its content.
 *
 * One file is in memory at a time, beside a few waiting to be written; what remains of a text is its hash
 * and what it says about itself.
 */
import type { Hash, OrganizationId } from '../../../core/ids.js'
import { type PageDescription, describePage } from '../../../core/document/describe.js'
import type { DescribedText } from '../../../core/pages/build.js'
import type { Description } from '../../../core/pages/describe.js'
import type { ImportEntry } from '../../../core/pages/import.js'
import type { OutlineProblem } from '../../../core/pages/outline.js'
import { isTextPath, nameOf } from '../../../core/pages/paths.js'
import type { Services } from '../../../access/route/scope.js'
import { ApiError } from '../../../contract/errors.js'
import { decodeText, hashOf } from '../../../store/content/encoding.js'
import { holdsBlob, insertBlobs, recogniseBytes } from '../content/uploads.js'
import type { ArchiveEntry } from './archive.js'
import type { ImportRequest } from './import.js'
import { type Stage, createStage } from './stage.js'

export interface ReadTree {
  readonly entries: ReadonlyMap<string, ImportEntry>
  readonly problems: readonly OutlineProblem[]
}

/** Largest text, in bytes; larger Markdown is no page that anybody could read. */
export const maxTextBytes = 50_000_000

/** More are not kept: whoever looks at them has enough to do. */
const mostProblems = 1_000

/** Answers what stands where; objects and bytes are durable when it does. */
export async function readTree({
  services,
  target: { organizationId },
  entries,
  now,
  progress,
}: ImportRequest): Promise<ReadTree> {
  const stage = createStage(services.database, organizationId)
  const texts = new Map<Hash, DescribedText>()
  const read = new Map<string, ImportEntry>()
  const problems: OutlineProblem[] = []
  for await (const entry of entries) {
    const { path } = entry
    if (isTextPath(path)) {
      const { text, found } = await readText(entry, texts, stage)
      read.set(path, { kind: 'text', text })
      for (const message of found) if (problems.length < mostProblems) problems.push({ path, message })
    } else {
      read.set(path, await readFile(entry, services, organizationId, now))
    }
    progress?.(read.size)
  }
  await stage.flush()
  return { entries: read, problems }
}

async function readText(
  entry: ArchiveEntry,
  known: Map<Hash, DescribedText>,
  stage: Stage,
): Promise<{ text: DescribedText; found: readonly string[] }> {
  if (entry.size > maxTextBytes) {
    throw new ApiError('page_too_large', { page: `"${entry.path}"`, limit: `${maxTextBytes / 1_000_000} MB` })
  }
  const bytes = await entry.open()
  const hash = hashOf(bytes)
  const same = known.get(hash)
  if (same !== undefined) return { text: same, found: [] }
  const described = describePage(decodeText(bytes))
  const text = { hash, size: bytes.length, description: pack(described) }
  known.set(hash, text)
  await stage.add(hash, bytes)
  return { text, found: [...new Set(described.problems.map(({ message }) => message))] }
}

/**
 * Parts of a string keep the whole string in memory, and a page has dozens of references: copied into one
 * text and unpacked when they are asked for, they take a tenth.
 */
function pack({ title, metadata, references }: PageDescription): Description {
  const rest = JSON.stringify({ ...(title !== undefined && { title }), metadata })
  const packed = Buffer.from(JSON.stringify(references))
  return {
    ...(JSON.parse(rest) as Omit<Description, 'references'>),
    get references() {
      return JSON.parse(packed.toString()) as Description['references']
    },
  }
}

/** The row that names the bytes comes after them, and before any page that shows them. */
async function readFile(
  entry: ArchiveEntry,
  services: Pick<Services, 'database' | 'files'>,
  organizationId: OrganizationId,
  now: number,
): Promise<ImportEntry> {
  const { database, files } = services
  const bytes = await entry.open()
  const [hash, size] = [hashOf(bytes), bytes.length]
  if (!(await holdsBlob(database.read, organizationId, hash))) {
    await files.put(bytes)
    await database.write((tx) => insertBlobs(tx, organizationId, [{ hash, size }], now))
  }
  return { kind: 'file', hash, size, ...(await recogniseBytes(bytes, nameOf(entry.path))) }
}

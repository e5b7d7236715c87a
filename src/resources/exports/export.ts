/** The files of some content, as it was imported or edited: what a folder or a zip is made of. */
import { Readable } from 'node:stream'
import type { ExportEntry } from '../../core/pages/export.js'
import { listExport } from '../../core/pages/export.js'
import type { Services } from '../../access/route/scope.js'
import { encodeText } from '../../store/content/encoding.js'
import { findBytes } from '../../store/content/objects.js'
import type { ContentHere } from '../content/content.js'

export interface ExportFile {
  /** From the root of the tree. */
  readonly path: string
  stream(): AsyncIterable<Uint8Array>
}

/** Answers the files in order of their paths; the bytes of each are read when they are asked for. */
export async function listExportFiles(
  content: ContentHere,
  services: Pick<Services, 'database' | 'files'>,
): Promise<readonly ExportFile[]> {
  const entries = await content.run(listExport(content.revision.snapshot))
  return entries.map((entry) => ({
    path: entry.path,
    stream: () => readEntry(entry, content, services),
  }))
}

async function* readEntry(
  entry: ExportEntry,
  { organizationId }: ContentHere,
  { database, files }: Pick<Services, 'database' | 'files'>,
): AsyncGenerator<Uint8Array> {
  if (entry.kind === 'written') {
    yield encodeText(entry.text)
    return
  }
  if (entry.kind === 'text') {
    // As bytes: a text in another encoding than UTF-8 must come out as it came in.
    yield present(await findBytes(database.read, organizationId, entry.hash), entry.path)
    return
  }
  const stream: Readable = present(await files.open(entry.file.hash), entry.path)
  yield* stream as AsyncIterable<Uint8Array>
}

function present<Value>(found: Value | undefined, path: string): Value {
  if (found === undefined) throw new Error(`The bytes of ${path} are missing: "octavo doctor" tells more`)
  return found
}

/** Export files: the content of a revision as files, for a folder or a zip. */
import { Readable } from 'node:stream'
import type { ExportEntry } from '../../core/pages/export.js'
import { listExport } from '../../core/pages/export.js'
import { withShortNames } from '../../core/pages/short-names.js'
import type { Services } from '../../access/route/scope.js'
import { encodeText } from '../../store/content/encoding.js'
import { findBytes, noObjectCache } from '../../store/content/objects.js'
import { createSink } from '../../store/content/sink.js'
import type { ContentServices } from '../content/expansion.js'
import { type ContentContext, runWith } from '../content/content.js'
import { describeInto } from '../content/describe.js'

export interface ExportFile {
  /** From the root of the tree. */
  readonly path: string
  stream(): AsyncIterable<Uint8Array>
}

/** Returns the files in path order; the bytes of each are read on demand. */
export async function listExportFiles(
  content: ContentContext,
  services: ContentServices & Pick<Services, 'database'>,
): Promise<readonly ExportFile[]> {
  const { organizationId } = content
  // Never flushed: texts that an export changes are written only into the export.
  const sink = createSink(organizationId, noObjectCache)
  const source = { db: services.database.read, services, organizationId, spaceId: content.spaceId }
  const snapshot = await runWith(
    source,
    sink,
    withShortNames(content.revision.snapshot, { sink, describe: describeInto(sink) }),
  )
  const entries = await runWith(source, sink, listExport(snapshot))
  return entries.map((entry) => {
    const text = entry.kind === 'text' ? sink.findText(entry.hash) : undefined
    const written = text === undefined ? entry : ({ path: entry.path, kind: 'written', text } as const)
    return { path: entry.path, stream: () => readEntry(written, content, services) }
  })
}

async function* readEntry(
  entry: ExportEntry,
  { organizationId }: ContentContext,
  { database, files }: Pick<Services, 'database' | 'files'>,
): AsyncGenerator<Uint8Array> {
  if (entry.kind === 'written') {
    yield encodeText(entry.text)
    return
  }
  if (entry.kind === 'text') {
    // As bytes: a text in an encoding other than UTF-8 must be exported as it was imported.
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

/**
 * Incremental backup: the rows of all tables in one snapshot of the database, then the uploaded files that they name.
 *
 * Files are stored before rows refer to them, so every file of the snapshot exists; the collector leaves unreferenced
 * ones for a week. Rows are cut into chunks at boundaries that depend on the row alone, so that an unchanged stretch has
 * the same chunks as in the backup before, and is stored once.
 */
import { crc32 } from 'node:zlib'
import type { Hash } from '../../core/ids.js'
import { type DumpedRow, dumpedTables, openTableDump } from '../../store/db/table-dump.js'
import type { Database } from '../../store/db/database.js'
import type { FileStorage } from '../../store/files/storage.js'
import type { Reporter } from '../reporter.js'
import { BackupError, type DumpedTable, type Manifest, type Repository } from './repository.js'

/** Rows of a chunk on average. */
const rowsPerChunk = 128
/** Characters of a chunk at most. */
const maxChunkSize = 4_000_000

export interface CreatedBackup {
  readonly name: string
  readonly manifest: Manifest
}

export interface BackupSource {
  readonly database: Database
  readonly dataFolder: string
  /** Of PostgreSQL. */
  readonly url: string | undefined
  readonly files: FileStorage
}

/** Writes a backup; resolves once it is complete and durable. Throws `BackupError`. */
export async function createBackup(
  { database: { engine }, dataFolder, url, files: storage }: BackupSource,
  repository: Repository,
  report: Reporter,
  now: number,
): Promise<CreatedBackup> {
  const dump = await openTableDump({ engine, dataFolder, url })
  const tables: DumpedTable[] = []
  const blobs: { readonly hash: Hash; readonly size: number }[] = []
  const rowTask = report.startTask('Tables', dumpedTables.length)
  try {
    for (const name of dumpedTables) {
      const columns = await dump.listColumns(name)
      // A table of a later schema.
      if (columns.length === 0) continue
      const writer = createChunkWriter(repository)
      const [hash, size] = ['hash', 'size'].map((member) =>
        columns.findIndex((column) => column.name === member),
      )
      for await (const row of dump.readRows(name, columns)) {
        await writer.add(row)
        if (name === 'blobs') blobs.push({ hash: row[hash!] as Hash, size: row[size!] as number })
      }
      tables.push({ name, columns, ...(await writer.end()) })
      rowTask.advance(tables.length)
    }
  } finally {
    rowTask.end()
    await dump.close()
  }

  const stored = await listStoredFiles(repository)
  const files = new Map(blobs.map(({ hash, size }) => [hash, size]))
  const fileList = createChunkWriter(repository)
  const fileTask = report.startTask('Files', files.size)
  try {
    let done = 0
    for (const hash of files.keys()) {
      const known = stored.get(hash)
      await fileList.add([hash, known ?? (await copyFile(hash))])
      fileTask.advance((done += 1))
    }
  } finally {
    fileTask.end()
  }
  const { chunks: fileChunks } = await fileList.end()
  const manifest: Manifest = {
    createdAt: new Date(now).toISOString(),
    engine,
    migrations: dump.migrations,
    tables,
    files: files.size,
    fileBytes: [...files.values()].reduce((sum, size) => sum + size, 0),
    fileChunks,
  }
  return { name: await repository.writeManifest(manifest), manifest }

  async function copyFile(hash: Hash): Promise<Hash> {
    const content = await storage.open(hash)
    if (content === undefined)
      throw new BackupError(`The file ${hash} is missing, so nothing was backed up: see "octavo doctor".`)
    return repository.putFile(hash, content)
  }
}

/** Returns the stored hashes of the files of the newest backup, which the next one need not copy again. */
async function listStoredFiles(repository: Repository): Promise<ReadonlyMap<string, Hash>> {
  const newest = (await repository.listSnapshots()).at(-1)
  const stored = new Map<string, Hash>()
  if (newest === undefined) return stored
  const { fileChunks } = await repository.readManifest(newest)
  for await (const [hash, name] of readChunks(repository, fileChunks))
    stored.set(hash as string, name as Hash)
  return stored
}

/** Yields the rows of chunks. */
export async function* readChunks(repository: Repository, chunks: readonly Hash[]): AsyncIterable<DumpedRow> {
  for (const chunk of chunks) {
    const lines = (await repository.readChunk(chunk)).split('\n')
    for (const line of lines) if (line !== '') yield JSON.parse(line) as DumpedRow
  }
}

interface ChunkWriter {
  add(row: DumpedRow): Promise<void>
  end(): Promise<{ readonly rows: number; readonly chunks: readonly Hash[] }>
}

function createChunkWriter(repository: Repository): ChunkWriter {
  const chunks: Hash[] = []
  let lines: string[] = []
  let size = 0
  let rows = 0
  const flush = async () => {
    if (lines.length === 0) return
    chunks.push(await repository.putChunk(`${lines.join('\n')}\n`))
    lines = []
    size = 0
  }
  return {
    async add(row) {
      const line = JSON.stringify(row)
      lines.push(line)
      size += line.length
      rows += 1
      if (size >= maxChunkSize || crc32(line) % rowsPerChunk === 0) await flush()
    },
    async end() {
      await flush()
      return { rows, chunks }
    },
  }
}

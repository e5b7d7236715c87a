/**
 * What stands at an address that somebody gave, as the entries of an import: a website page by page, all else fetched to
 * a file that lives as long.
 */
import { randomUUID } from 'node:crypto'
import { open, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createReadStream } from 'node:fs'
import type { Services } from '../../access/route/scope.js'
import type { ImportSource } from '../../contract/imports.js'
import { ApiError } from '../../contract/errors.js'
import { limits } from '../../contract/limits.js'
import { slugify } from '../../core/pages/paths.js'
import { makePrivateFolder } from '../../store/files/private.js'
import { RemoteError, type RemoteSource } from '../../store/remote/remote.js'
import { type ArchiveEntry, type ArchiveItem, collectBytes } from './archive.js'
import { readZip } from './read-zip.js'
import type { RunUnderWay } from './run.js'
import { readWebsite } from './website/read-website.js'

export interface SourceAddress {
  readonly url: string
  readonly source: ImportSource
}

export interface FetchedSource {
  readonly entries: AsyncIterable<ArchiveItem>
  /** What the whole is called, from its address. */
  readonly name: string
  /** True for a single text, which is added to what stands there, where a tree replaces it. */
  readonly isAlone: boolean
}

/** Answers what the work makes of the source; its file is gone when it does. Throws an ApiError for what cannot be had. */
export async function withSource<Result>(
  services: Pick<Services, 'database' | 'files' | 'reader' | 'remote' | 'spoolFolder'>,
  { url, source }: SourceAddress,
  { row, signal, journal, tell }: RunUnderWay,
  work: (fetched: FetchedSource) => Promise<Result>,
): Promise<Result> {
  const { remote, spoolFolder } = services
  if (source === 'website') {
    const entries = readWebsite({
      services,
      organizationId: row.organization_id,
      url,
      journal,
      signal,
      progress: (done, found) => tell('fetching', done, found),
    })
    return work({ entries, name: new URL(url).hostname, isAlone: false })
  }
  if (source !== 'zip' && source !== 'markdown') throw unsupported(source)
  await makePrivateFolder(spoolFolder)
  const path = join(spoolFolder, randomUUID())
  try {
    const found = await download(() =>
      remote.download(url, path, {
        maxBytes: limits.archiveBytes,
        timeout: limits.fetchSeconds * 1_000,
        signal,
      }),
    )
    const name = nameInUrl(found.url)
    if (source === 'zip' || (await isZip(path))) {
      return await work({ entries: readZip(path), name, isAlone: false })
    }
    return await work({ entries: oneText(path, `${slugify(name)}.md`), name, isAlone: true })
  } finally {
    await rm(path, { force: true })
  }
}

async function download(fetching: () => Promise<RemoteSource>): Promise<RemoteSource> {
  try {
    return await fetching()
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error
    throw new ApiError('url_not_allowed', { member: 'url', problem: error.message })
  }
}

async function isZip(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0)
    return buffer.equals(Buffer.from('PK\u0003\u0004'))
  } finally {
    await file.close()
  }
}

async function* oneText(file: string, path: string): AsyncGenerator<ArchiveEntry> {
  const { size } = await stat(file)
  const stream = (): AsyncIterable<Uint8Array> => createReadStream(file)
  yield { path, size, stream, open: () => collectBytes(stream()) }
}

/** The last part of the path without its extension, as a title. */
function nameInUrl(url: string): string {
  const { pathname, hostname } = new URL(url)
  const last = pathname.split('/').findLast((part) => part !== '') ?? hostname
  return (
    safeDecode(last)
      .replace(/\.[a-z\d]{1,10}$/i, '')
      .slice(0, 100) || 'Imported page'
  )
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function unsupported(source: ImportSource): ApiError {
  const problem = `only "website", "zip" and "markdown" are read; save it as a zip of Markdown and send that`
  return new ApiError('import_source_unsupported', { source, problem })
}

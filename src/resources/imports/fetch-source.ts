/**
 * Import from a URL: fetches what a URL refers to as import entries. A website is crawled page by page; everything
 * else is downloaded to a temporary file that is deleted when the import ends.
 */
import { randomUUID } from 'node:crypto'
import { open, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { OrganizationId } from '../../core/ids.js'
import type { Services } from '../../access/route/scope.js'
import type { ImportSource, ImportSplit } from '../../contract/imports.js'
import { ApiError } from '../../contract/errors.js'
import { limits } from '../../contract/limits.js'
import { slugify } from '../../core/pages/paths.js'
import { makePrivateFolder } from '../../store/files/private-permissions.js'
import { RemoteError, type RemoteSource } from '../../store/remote/remote.js'
import type { ArchiveItem } from './archive.js'
import { readZip } from './read-zip.js'
import { listPaths, singleFile } from './sources/source.js'
import { type FileSource, convertItems } from './sources/sources.js'
import { type WebsiteJournal, readWebsite } from './website/read-website.js'
import { decodePart } from './website/site-urls.js'

export interface SourceAddress {
  readonly url: string
  readonly source: ImportSource
  readonly split?: ImportSplit | undefined
}

/** What fetching needs of a running import. */
export interface ImportContext {
  readonly organizationId: OrganizationId
  /** Aborted when the import is cancelled or the process stops. */
  readonly signal: AbortSignal
  readonly journal: WebsiteJournal
  reportProgress(stage: 'fetching' | 'placing', done: number, found: number): void
}

export interface FetchedSource {
  readonly entries: AsyncIterable<ArchiveItem>
  /** Title of the whole source, derived from its URL. */
  readonly name: string
  /** True for a single page, which is added to the existing content; a tree replaces it. */
  readonly isSinglePage: boolean
}

/**
 * Returns the result of `work` on the fetched source; the temporary file is deleted afterwards. Throws an ApiError
 * when the source cannot be fetched.
 */
export async function withSource<Result>(
  services: Pick<Services, 'database' | 'files' | 'reader' | 'remote' | 'spoolFolder'>,
  { url, source, split }: SourceAddress,
  { organizationId, signal, journal, reportProgress }: ImportContext,
  work: (fetched: FetchedSource) => Promise<Result>,
): Promise<Result> {
  const { remote, spoolFolder } = services
  const pages = (isSinglePage: boolean): AsyncIterable<ArchiveItem> =>
    readWebsite({
      services,
      organizationId,
      url,
      isSinglePage,
      journal,
      signal,
      progress: (done, found) => reportProgress('fetching', done, found),
    })
  if (source === 'website')
    return work({ entries: pages(false), name: new URL(url).hostname, isSinglePage: false })
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
    // Its images and linked pages are relative to its URL, so it is read as a website of one page.
    if (source === 'html' && !(await isArchive(path, source)))
      return await work({ entries: pages(true), name, isSinglePage: true })
    return await work(await readSourceFile(services.reader, { path, name, source, split }))
  } finally {
    await rm(path, { force: true })
  }
}

interface SourceFile {
  /** Where the file is. */
  readonly path: string
  /** Title of the whole source. */
  readonly name: string
  readonly source: FileSource
  readonly split?: ImportSplit | undefined
}

/** Returns what a file holds: an archive, or one document. */
export async function readSourceFile(
  reader: Services['reader'],
  { path, name, source, split }: SourceFile,
): Promise<FetchedSource> {
  const isTree = await isArchive(path, source)
  const items = isTree ? () => readZip(path) : singleFile(...(await wholeFile(path, name, source)))
  const entries = convertItems(source, items, { reader, splitsChapters: split !== 'none' })
  return { entries, name, isSinglePage: !isTree }
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

/** Returns whether the file is a zip of files; a Word document is a zip, too, but a single document. */
async function isArchive(path: string, source: FileSource): Promise<boolean> {
  // Anything else is refused as a damaged zip.
  if (source === 'zip') return true
  if (!(await isZip(path))) return false
  if (source !== 'docx' && source !== 'google-docs') return true
  return !(await listPaths(() => readZip(path))).includes('[Content_Types].xml')
}

/** The file name by which a converter recognizes the format, and the bytes. */
async function wholeFile(path: string, name: string, source: FileSource): Promise<[string, Uint8Array]> {
  const { size } = await stat(path)
  if (size > limits.fileBytes) {
    const problem = `it is larger than ${limits.fileBytes / 1_000_000} MB, and no archive`
    throw new ApiError('import_failed', { problem })
  }
  const isWord = source === 'docx' || (source === 'google-docs' && (await isZip(path)))
  // Markdown is placed by its file name; the other formats use it as the title when they have none.
  if (isWord) return [`${name.replaceAll('/', ' ')}.docx`, await readFile(path)]
  return [`${slugify(name)}.${source === 'markdown' ? 'md' : 'html'}`, await readFile(path)]
}

/** Returns the last part of the path without its extension, as a title. */
function nameInUrl(url: string): string {
  const { pathname, hostname } = new URL(url)
  const last = pathname.split('/').findLast((part) => part !== '') ?? hostname
  return nameOfFile(decodePart(last))
}

/** Returns a file name without its extension, as a title. */
export function nameOfFile(file: string): string {
  return file.replace(/\.[a-z\d]{1,10}$/i, '').slice(0, 100) || 'Imported page'
}

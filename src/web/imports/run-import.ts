/** Runs an import: makes the space or the change request that it goes into, sends the source, and follows the import. */
import { createChangeRequest, updateChangeRequest } from '../../contract/change-requests.js'
import {
  type ImportFileSource,
  type ImportResult,
  type ImportRun,
  type ImportSource,
  cancelImportRun,
  changeRequestImports,
  getImportRun,
  importChangeRequestArchive,
  importSpaceArchive,
  spaceImports,
} from '../../contract/imports.js'
import { createSpace, deleteSpace } from '../../contract/spaces.js'
import { contentRequest } from '../api/content-request.js'
import { api } from '../api/client.js'
import { text } from '../i18n/text.js'
import { upload } from './upload.js'

export type Source =
  | { readonly kind: 'files'; readonly files: readonly File[]; readonly format: ImportFileSource }
  | { readonly kind: 'address'; readonly url: string; readonly format: ImportSource }

export type Target =
  | { readonly kind: 'new'; readonly organization: string; readonly title: string }
  | { readonly kind: 'existing'; readonly space: string; readonly mode: 'update' | 'replace' }

export interface Progress {
  readonly words: string
  /** From 0 to 1; undefined where it is not known. */
  readonly share?: number
}

/** The place that was made for the import, and the report. */
export interface Imported {
  readonly space: string
  readonly change: number | undefined
  readonly result: ImportResult
}

interface Progressing {
  readonly signal: AbortSignal
  readonly onProgress: (progress: Progress) => void
}

/** Imports and returns the report. When it fails or is aborted, what was made for it is removed. */
export async function runImport(source: Source, target: Target, progressing: Progressing): Promise<Imported> {
  const place = await makePlace(source, target)
  const mode = target.kind === 'existing' ? target.mode : 'update'
  try {
    const begun = await begin(source, place, mode, progressing)
    return { ...place, result: await follow(begun, progressing) }
  } catch (error) {
    await removePlace(place, target).catch(() => {})
    throw error
  }
}

type Place = Omit<Imported, 'result'>

async function makePlace(source: Source, target: Target): Promise<Place> {
  if (target.kind === 'new') {
    const { organization, title } = target
    const created = await api.call(createSpace, {
      params: { organizationId: organization },
      body: { title, empty: true },
    })
    return { space: created.id, change: undefined }
  }
  const { space } = target
  const subject = text.imports.subject(nameOf(source))
  const created = await api.call(createChangeRequest, { params: { spaceId: space }, body: { subject } })
  return { space, change: created.number }
}

/** An empty space, or change request, that nobody wanted is of no use. */
async function removePlace({ space, change }: Place, target: Target): Promise<void> {
  if (target.kind === 'new') await api.call(deleteSpace, { params: { spaceId: space } })
  else if (change !== undefined)
    await api.call(updateChangeRequest, {
      params: { spaceId: space, changeRequestId: change },
      body: { status: 'archived' },
    })
}

/** Starts the import; the server answers at once, and goes on by itself. */
async function begin(
  source: Source,
  place: Place,
  mode: 'update' | 'replace',
  { signal, onProgress }: Progressing,
): Promise<ImportRun | ImportResult> {
  const headers = { prefer: 'respond-async' }
  if (source.kind === 'address') {
    const body = { url: source.url, source: source.format, mode }
    const response = await api.send(
      ...contentRequest(place, spaceImports.whole, changeRequestImports.whole, { body, headers, signal }),
    )
    return (await response.json()) as ImportRun | ImportResult
  }
  const file = await fileToSend(source.files)
  signal.throwIfAborted()
  const { space, change } = place
  const { path } = change === undefined ? importSpaceArchive : importChangeRequestArchive
  const filled = path.replace(':spaceId', space).replace(':changeRequestId', String(change))
  const form = new FormData()
  form.append('file', file, file.name)
  return upload<ImportRun | ImportResult>(`/v1${filled}?source=${source.format}&mode=${mode}`, form, {
    headers,
    signal,
    onProgress: (sent, total) =>
      onProgress(
        sent < total
          ? { words: text.imports.sending(`${Math.floor((sent / total) * 100)} %`), share: sent / total }
          : { words: text.imports.placing },
      ),
  })
}

/** Returns the only file as it is, and several as a zip. */
async function fileToSend(files: readonly File[]): Promise<File> {
  const [only, ...others] = files
  if (only !== undefined && others.length === 0 && only.webkitRelativePath === '') return only
  const { zipFolder } = await import('./zip-folder.js')
  return new File([await zipFolder(files)], `${nameOfFiles(files)}.zip`, { type: 'application/zip' })
}

async function follow(
  begun: ImportRun | ImportResult,
  { signal, onProgress }: Progressing,
): Promise<ImportResult> {
  if (!('status' in begun)) return begun
  const params = { spaceId: begun.space, importRunId: begun.id }
  let run: ImportRun = begun
  while (run.status === 'in-progress') {
    const { stage, done, found } = run.progress
    onProgress(
      stage === 'fetching'
        ? { words: text.imports.fetching(done, found), ...(found > 0 && { share: done / found }) }
        : { words: text.imports.placing },
    )
    await pause(700, signal)
    // One that ended meanwhile is not cancelled: it is reported.
    if (signal.aborted) await api.call(cancelImportRun, { params }).catch(() => {})
    run = await api.call(getImportRun, { params })
  }
  if (run.result !== undefined) return run.result
  throw new Error(
    run.status === 'cancelled' ? text.imports.stopped : (run.error?.message ?? text.imports.stopped),
  )
}

/** Resolves after a time, or when the signal is aborted. */
const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })

function nameOfFiles(files: readonly File[]): string {
  const [first] = files
  const folder = first?.webkitRelativePath.split('/')[0]
  return folder || first?.name.replace(/\.[a-z\d]{1,10}$/i, '') || text.common.untitled
}

/** Returns a name for the source: that of its folder, its file or its host. */
export function nameOf(source: Source): string {
  const name = source.kind === 'files' ? nameOfFiles(source.files) : new URL(source.url).hostname
  return name.replace(/[-_]+/g, ' ').trim().slice(0, 50) || text.common.untitled
}

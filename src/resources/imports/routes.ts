/** Importing the content of a space as a whole. */
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { count } from '../../core/merkle/map.js'
import { type Route, longRoute } from '../../access/route/route.js'
import type { Committing } from '../../access/route/route.js'
import type { Services } from '../../access/route/scope.js'
import type { Actor } from '../../access/signin/actor.js'
import { type ImportResult, importSources } from '../../contract/imports.js'
import { ApiError } from '../../contract/errors.js'
import { limits } from '../../contract/limits.js'
import { importSpaceArchive, importSpaceContent } from '../../contract/imports.js'
import { makePrivateFolder } from '../../store/files/private.js'
import { RemoteError } from '../../store/remote/remote.js'
import { spool } from '../../store/files/storage.js'
import type { ContentHere } from '../content/content.js'
import { type SpaceHere, administers, inSpaceContent } from '../spaces/scope.js'
import type { SpaceRow } from '../spaces/store.js'
import type { ArchiveItem } from './archive.js'
import { importPage } from './import-page.js'
import { importTree } from './import.js'
import { presentImport } from './present.js'
import { readZip } from './read-zip.js'
import { intoSpace } from './target.js'

/** The packed archive, in bytes; what it may unpack to is limited where it is read. */
const maxArchiveBytes = limits.archiveBytes
const remoteLimits = { maxBytes: 100_000_000, timeout: 60_000 }

interface ImportHere {
  readonly space: SpaceHere
  readonly actor: Actor
  readonly now: number
  readonly services: Services
  readonly commit: Committing<object>['commit']
}

export const importRoutes: readonly Route[] = [
  longRoute(importSpaceArchive, {
    at: inSpaceContent,
    allow: 'edit',
    async handle({ upload, content, ...here }) {
      // Before the upload is read, so that who may not import need not send it.
      await requireImportable(here.space, here.space.row, content)
      await makePrivateFolder(here.services.spoolFolder)
      const path = join(here.services.spoolFolder, randomUUID())
      try {
        const { stream } = await upload.file(maxArchiveBytes)
        await spool(Readable.from(stream), path)
        return await importHere(here, readZip(path))
      } finally {
        await rm(path, { force: true })
      }
    },
  }),

  longRoute(importSpaceContent, {
    at: inSpaceContent,
    allow: 'edit',
    async handle({ body, content, ...here }) {
      await requireImportable(here.space, here.space.row, content)
      const { url, source } = body
      if (source !== 'zip' && source !== 'markdown') throw unsupported(source)
      const bytes = await fetchSource(here.services, url)
      if (source === 'zip') return importHere(here, readZip(bytes))
      return importPage({
        ...here,
        commit: (work) => here.commit(({ tx }) => work(tx)),
        space: here.space.row,
        bytes,
        name: nameInUrl(url),
        requireAllowed: (row, now) => requireImportable(here.space, row, now),
      })
    },
  }),
]

async function importHere(
  { space, actor, now, services, commit }: ImportHere,
  entries: AsyncIterable<ArchiveItem>,
): Promise<ImportResult> {
  const allowed = (row: SpaceRow, content: ContentHere): Promise<void> =>
    requireImportable(space, row, content)
  const target = intoSpace(space.row, allowed, { services, userId: actor.userId, now })
  const imported = await importTree({
    services,
    target,
    commit: (work) => commit(({ tx }) => work(tx)),
    entries,
    now,
  })
  return presentImport(imported)
}

/** An import is a live edit; only its makers may fill a space that nobody has written in, locked or not. */
async function requireImportable(
  { level }: SpaceHere,
  row: SpaceRow,
  { revision, run }: ContentHere,
): Promise<void> {
  if (row.edit_mode === 'live') return
  // A space begins with one page, or with none; one that began with an import has more.
  const isUntouched = revision.parents.length === 0 && (await run(count(revision.snapshot.pages))) <= 1
  if (!isUntouched || !administers(level)) throw new ApiError('live_edits_locked')
}

async function fetchSource({ remote }: Services, url: string): Promise<Uint8Array> {
  try {
    return (await remote.fetch(url, remoteLimits)).bytes
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error
    throw new ApiError('url_not_allowed', { member: 'url', problem: error.message })
  }
}

/** The last part of the path without its extension, as a title. */
function nameInUrl(url: string): string {
  const last = new URL(url).pathname.split('/').findLast((part) => part !== '') ?? ''
  const plain = safeDecode(last).replace(/\.(?:md|markdown)$/i, '')
  return plain.slice(0, 255) || 'Imported page'
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function unsupported(source: (typeof importSources)[number]): ApiError {
  const problem = `only "zip" and "markdown" are read; save it as a zip of Markdown and send that`
  return new ApiError('import_source_unsupported', { source, problem })
}

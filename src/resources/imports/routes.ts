/** Import endpoints of spaces and change requests: uploaded archives, imports from a URL, and import runs. */
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { type Route, route } from '../../access/route/route.js'
import { ApiError } from '../../contract/errors.js'
import { cancelImportRun, getImportRun, importSpaceArchive, listImportRuns } from '../../contract/imports.js'
import { limits } from '../../contract/limits.js'
import { makePrivateFolder } from '../../store/files/private-permissions.js'
import { spool } from '../../store/files/storage.js'
import { inSpace, inSpaceContent } from '../spaces/scope.js'
import { atChangeRequest, atSpace, commitImportable, importFromUrlRoutes } from './import-from-url.js'
import { importTree } from './import.js'
import { presentImport, presentRun } from './present.js'
import { readZip } from './read-zip.js'
import { inImportRun } from './scope.js'
import { listRuns, updateActiveRun } from './store.js'

export const importRoutes: readonly Route[] = [
  route(importSpaceArchive, {
    at: inSpaceContent,
    allow: 'edit',
    async handleLong({ upload, query: { mode = 'update' }, commit, ...context }) {
      const { services, now } = context
      // Checked before the upload is read, so that a caller who may not import need not send it.
      await atSpace.requireImportable(context)
      await makePrivateFolder(services.spoolFolder)
      const path = join(services.spoolFolder, randomUUID())
      try {
        const { stream } = await upload.file(limits.archiveBytes)
        await spool(Readable.from(stream), path)
        const imported = await importTree({
          services,
          target: atSpace.target(context),
          mode,
          commit: commitImportable(atSpace, commit),
          entries: readZip(path),
          now,
        })
        return presentImport(imported)
      } finally {
        await rm(path, { force: true })
      }
    },
  }),

  route(listImportRuns, {
    at: inSpace,
    allow: 'edit',
    handle: async ({ db, space, query, services }) => {
      const page = await listRuns(db, space.row, query)
      const items = page.items.map((row) => presentRun(services.addresses, row, Date.now(), 'in a list'))
      return { ...page, items }
    },
  }),

  route(getImportRun, {
    at: inImportRun,
    allow: 'edit',
    handle: async ({ importRun, services }) => presentRun(services.addresses, importRun, Date.now()),
  }),

  route(cancelImportRun, {
    at: inImportRun,
    allow: 'edit',
    handle: async ({ tx, importRun, services }) => {
      const change = { status: 'cancelled', ended_at: Date.now() } as const
      const row = await updateActiveRun(tx, importRun, change)
      if (row === undefined) throw new ApiError('import_ended')
      return presentRun(services.addresses, row, Date.now())
    },
  }),

  ...importFromUrlRoutes(atSpace),
  ...importFromUrlRoutes(atChangeRequest),
]

/** Import endpoints of spaces and change requests: uploaded archives, imports from a URL, and import runs. */
import { type Route, route } from '../../access/route/route.js'
import { ApiError } from '../../contract/errors.js'
import {
  cancelImportRun,
  getImportRun,
  importChangeRequestArchive,
  importSpaceArchive,
  listImportRuns,
} from '../../contract/imports.js'
import { inSpace } from '../spaces/scope.js'
import { atChangeRequest, atSpace, importFromUrlRoutes } from './import-from-url.js'
import { uploadRoute } from './import-from-upload.js'
import { presentRun } from './present.js'
import { inImportRun } from './scope.js'
import { listRuns, updateActiveRun } from './store.js'

export const importRoutes: readonly Route[] = [
  uploadRoute(atSpace, importSpaceArchive),
  uploadRoute(atChangeRequest, importChangeRequestArchive),

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

/** Export endpoint: the content of a space as a zip. */
import { Readable } from 'node:stream'
import { download } from '../../access/route/responses.js'
import { type Route, route } from '../../access/route/route.js'
import { exportSpaceArchive } from '../../contract/imports.js'
import { inSpaceContent } from '../spaces/scope.js'
import { listExportFiles } from './export.js'
import { writeZip } from './write-zip.js'

export const exportRoutes: readonly Route[] = [
  route(exportSpaceArchive, {
    at: inSpaceContent,
    allow: 'view',
    async handle({ space, content, services }) {
      const files = await listExportFiles(content, services)
      return download(`${space.row.title}.zip`, writeZip(Readable.from(files)))
    },
  }),
]

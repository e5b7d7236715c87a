/** The step `/imports/:importRunId`, always inside a space. */
import { within } from '../../access/route/scope.js'
import type { ImportRunId } from '../../core/ids.js'
import { inSpace } from '../spaces/scope.js'
import { findRun } from './store.js'

export const inImportRun = within(inSpace, 'importRunId', {
  key: 'importRun',
  thing: 'import',
  find: ({ db }, id, { space }) => findRun(db, space.row, id as ImportRunId),
})

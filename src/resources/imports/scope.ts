/** Scope of `/imports/:importRunId` within a space. */
import { subresourceScope } from '../../access/route/scope.js'
import type { ImportRunId } from '../../core/ids.js'
import { inSpace } from '../spaces/scope.js'
import { findRun } from './store.js'

export const inImportRun = subresourceScope(inSpace, 'importRunId', {
  key: 'importRun',
  noun: 'import',
  find: ({ db }, id, { space }) => findRun(db, space.row, id as ImportRunId),
})

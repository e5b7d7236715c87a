/** Whether an import removes what its source does not have, so that it is resumed as it was requested. */
import type { Migration } from './types.js'

export const importModes: Migration = {
  name: '0071-import-modes',
  statements: ({ text }) => [`alter table import_runs add column mode ${text} not null default 'update'`],
}

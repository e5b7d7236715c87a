/** Whether an import splits documents into pages, so that it is resumed with the same setting. */
import type { Migration } from './types.js'

export const importSplits: Migration = {
  name: '0065-imports-split',
  statements: ({ text }) => [`alter table import_runs add column split ${text}`],
}

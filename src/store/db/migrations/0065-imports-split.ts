/** An import says whether its documents become several pages, so that it goes on as it was begun. */
import type { Migration } from './types.js'

export const importSplits: Migration = {
  name: '0065-imports-split',
  statements: ({ text }) => [`alter table import_runs add column split ${text}`],
}

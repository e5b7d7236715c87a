/** Third-party scripts on the pages of a site. */
import type { Migration } from './types.js'

export const siteScripts: Migration = {
  name: '0060-site-scripts',
  statements: ({ text }) => [`alter table sites add column scripts ${text}`],
}

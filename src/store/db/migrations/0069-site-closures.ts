/** How often something of a site was closed to its readers. */
import type { Migration } from './types.js'

export const siteClosures: Migration = {
  name: '0069-site-closures',
  statements: ({ integer }) => [`alter table sites add column closures ${integer} not null default 0`],
}

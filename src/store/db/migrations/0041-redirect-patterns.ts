/** Redirects whose source ends with a star, and that take along what stands in its place. */
import type { Migration } from './types.js'

export const redirectPatterns: Migration = {
  name: '0041-redirect-patterns',
  statements: ({ integer }) => [
    `alter table site_redirects add column capture_wildcard ${integer} not null default 0`,
  ],
}

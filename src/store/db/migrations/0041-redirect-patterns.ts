/** Redirects whose source ends with a wildcard, and that append the matched part. */
import type { Migration } from './types.js'

export const redirectPatterns: Migration = {
  name: '0041-redirect-patterns',
  statements: ({ integer }) => [
    `alter table site_redirects add column capture_wildcard ${integer} not null default 0`,
  ],
}

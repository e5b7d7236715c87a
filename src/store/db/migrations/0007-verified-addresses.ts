/** When an e-mail address was verified, and which sign-in links verify it: those that are mailed. */
import type { Migration } from './types.js'

export const verifiedAddresses: Migration = {
  name: '0007-verified-addresses',
  statements: ({ integer }) => [
    `alter table users add column email_verified_at ${integer}`,
    `alter table sign_in_links add column is_mailed ${integer} not null default 0`,
  ],
}

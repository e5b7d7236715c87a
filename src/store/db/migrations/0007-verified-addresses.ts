/** When somebody showed that their e-mail address is theirs, and which sign-in links show it: those that are mailed. */
import type { Migration } from './types.js'

export const verifiedAddresses: Migration = {
  name: '0007-verified-addresses',
  statements: ({ integer }) => [
    `alter table users add column email_verified_at ${integer}`,
    `alter table sign_in_links add column is_mailed ${integer} not null default 0`,
  ],
}

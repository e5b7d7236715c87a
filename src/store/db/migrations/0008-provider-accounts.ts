/** Accounts at OpenID providers: issuer and subject identify a user, whatever their address becomes. */
import type { Migration } from './types.js'

export const providerAccounts: Migration = {
  name: '0008-provider-accounts',
  statements: ({ text, integer, end }) => [
    `create table provider_accounts (
      issuer ${text} not null,
      subject ${text} not null,
      user_id ${text} not null references users (id) on delete cascade,
      linked_at ${integer} not null,
      primary key (issuer, subject),
      unique (user_id, issuer)
    ${end}`,
  ],
}

/** Names of former members who never accepted their membership, for what they left in an organization. */
import type { Migration } from './types.js'

export const formerNames: Migration = {
  name: '0068-former-names',
  statements: ({ text, end }) => [
    `create table former_names (
      organization_id ${text} not null references organizations (id) on delete cascade,
      user_id ${text} not null references users (id) on delete cascade,
      known_as ${text} not null,
      primary key (organization_id, user_id)
    ${end}`,
  ],
}

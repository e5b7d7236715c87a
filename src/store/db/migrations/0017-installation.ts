/** What is the same for all processes of an installation, by name: so far the secret that signs what leaves it. */
import type { Migration } from './types.js'

export const installation: Migration = {
  name: '0017-installation',
  statements: ({ text, end }) => [
    `create table installation (
      name ${text} primary key,
      value ${text} not null
    ${end}`,
  ],
}

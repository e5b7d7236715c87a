/** Settings shared by all processes of an installation: so far the secret for signatures. */
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

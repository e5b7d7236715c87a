/** Browsers in which a user entered the correct password: brute force from other clients does not lock them out. */
import type { Migration } from './types.js'

export const knownDevices: Migration = {
  name: '0011-known-devices',
  statements: ({ text, integer, end }) => [
    `create table known_devices (
      token_hash ${text} primary key,
      user_id ${text} not null references users (id) on delete cascade,
      expires_at ${integer} not null
    ${end}`,
    'create index known_devices_by_user on known_devices (user_id)',
  ],
}

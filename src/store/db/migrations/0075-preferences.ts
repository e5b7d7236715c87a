/** Preferences of users, as JSON. */
import type { Migration } from './types.js'

export const preferences: Migration = {
  name: '0075-preferences',
  statements: ({ text }) => [`alter table users add column preferences ${text}`],
}

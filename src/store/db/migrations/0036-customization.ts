/** Customization overrides of a space of a site. */
import type { Migration } from './types.js'

export const customization: Migration = {
  name: '0036-customization',
  statements: ({ text }) => [`alter table site_spaces add column customization ${text}`],
}

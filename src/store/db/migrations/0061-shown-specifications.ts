/** The index of a space says which versions of specifications its pages show, so that it follows them. */
import type { Migration } from './types.js'

export const shownSpecifications: Migration = {
  name: '0061-shown-specifications',
  statements: ({ text }) => [
    `alter table search_spaces add column specifications ${text} not null default ''`,
  ],
}

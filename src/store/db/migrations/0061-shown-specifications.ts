/** The versions of specifications that the index of a space includes, so that it is updated with them. */
import type { Migration } from './types.js'

export const shownSpecifications: Migration = {
  name: '0061-shown-specifications',
  statements: ({ text }) => [
    `alter table search_spaces add column specifications ${text} not null default ''`,
  ],
}

/** Comments on words of a block, and suggestions of other words. */
import type { Migration } from './types.js'

export const commentsOnWords: Migration = {
  name: '0077-comments-on-words',
  statements: ({ text, integer }) => [
    `alter table comments add column range_start ${integer}`,
    `alter table comments add column range_end ${integer}`,
    `alter table comments add column words ${text}`,
    `alter table comments add column suggestion ${text}`,
    `alter table comments add column applied_at ${integer}`,
    `alter table comments add column applied_by ${text}`,
    `alter table comments add column applied_revision_id ${text}`,
  ],
}

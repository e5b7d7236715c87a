/** Merge rules of organizations and spaces, and descriptions of change requests. */
import type { Migration } from './types.js'

export const mergeRules: Migration = {
  name: '0027-merge-rules',
  statements: ({ text }) => [
    `alter table organizations add column merge_rules ${text}`,
    `alter table spaces add column merge_rules ${text}`,
    `alter table change_requests add column description ${text} not null default ''`,
  ],
}

/** What an organization and a space ask of a change request before it is merged, and what a change request is about. */
import type { Migration } from './types.js'

export const mergeRules: Migration = {
  name: '0027-merge-rules',
  statements: ({ text }) => [
    `alter table organizations add column merge_rules ${text}`,
    `alter table spaces add column merge_rules ${text}`,
    `alter table change_requests add column description ${text} not null default ''`,
  ],
}

/**
 * Number of releases of a job because its process was stopped, which do not count as attempts. Claims are still counted
 * when they are made, since a killed process cannot count them.
 */
import type { Migration } from './types.js'

export const jobsGivenBack: Migration = {
  name: '0067-jobs-given-back',
  statements: ({ integer }) => [`alter table jobs add column given_back ${integer} not null default 0`],
}

/**
 * Jobs say how often they were given back because the process was asked to end: that was no attempt. How often they
 * were taken is still counted when they are, since nobody could count it for a process that is killed.
 */
import type { Migration } from './types.js'

export const jobsGivenBack: Migration = {
  name: '0067-jobs-given-back',
  statements: ({ integer }) => [`alter table jobs add column given_back ${integer} not null default 0`],
}

/**
 * Number of failures of a job, which alone count as its attempts: claims that ended with their process are counted apart.
 * The index finds the dead jobs that a later one supersedes.
 */
import type { Migration } from './types.js'

export const jobFailures: Migration = {
  name: '0070-job-failures',
  statements: ({ integer }) => [
    `alter table jobs add column failures ${integer} not null default 0`,
    'create index jobs_dead on jobs (type, key) where due_at is null',
  ],
}

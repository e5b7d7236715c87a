/** Explicit order of jobs: waiting ones keep their order by time. */
import type { Migration } from './types.js'

export const orderOfJobs: Migration = {
  name: '0020-order-of-jobs',
  statements: ({ integer }) => [
    `alter table jobs add column number ${integer} not null default 0`,
    `update jobs set number = ordered.number
      from (select id, row_number() over (order by created_at, id) as number from jobs) as ordered
      where ordered.id = jobs.id`,
    'create index jobs_by_number on jobs (number) where due_at is not null',
  ],
}

/** Running and finished imports, and the pages that running ones have fetched. */
import type { Migration } from './types.js'

export const imports: Migration = {
  name: '0031-imports',
  statements: ({ text, integer, end }) => [
    `create table import_runs (
      organization_id ${text} not null,
      id ${text} not null,
      space_id ${text} not null,
      change_request_id ${text},
      page_id ${text},
      user_id ${text} not null,
      source ${text} not null,
      url ${text} not null,
      status ${text} not null,
      stage ${text} not null default 'fetching',
      done ${integer} not null default 0,
      found ${integer} not null default 0,
      began_at ${integer} not null,
      beat_at ${integer} not null,
      ended_at ${integer},
      revision_id ${text},
      result ${text},
      error ${text},
      primary key (organization_id, id),
      foreign key (organization_id, space_id) references spaces (organization_id, id) on delete cascade,
      foreign key (organization_id, change_request_id)
        references change_requests (organization_id, id) on delete cascade
    ${end}`,
    'create index import_runs_of_spaces on import_runs (organization_id, space_id, began_at, id)',
    "create index import_runs_under_way on import_runs (organization_id, beat_at) where status = 'in-progress'",
    'create index import_runs_by_age on import_runs (began_at)',

    `create table import_fetches (
      organization_id ${text} not null,
      space_id ${text} not null,
      run_id ${text} not null,
      name ${text} not null,
      fetched ${text} not null,
      fetched_at ${integer} not null,
      primary key (organization_id, run_id, name),
      foreign key (organization_id, run_id) references import_runs (organization_id, id) on delete cascade
    ${end}`,
    'create index import_fetches_by_age on import_fetches (fetched_at)',
  ],
}

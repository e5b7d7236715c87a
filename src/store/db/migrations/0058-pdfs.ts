/** Requested PDFs: their progress and files. */
import type { Migration } from './types.js'

export const pdfs: Migration = {
  name: '0058-pdfs',
  statements: ({ text, integer, end }) => [
    `create table pdfs (
      organization_id ${text} not null,
      space_id ${text} not null,
      key ${text} not null,
      revision_id ${text} not null,
      page_id ${text},
      only_page ${integer} not null,
      state ${text} not null,
      done ${integer} not null,
      total ${integer} not null,
      hash ${text},
      size ${integer},
      problem ${text},
      asked_at ${integer} not null,
      expires_at ${integer} not null,
      primary key (organization_id, space_id, key),
      foreign key (organization_id, space_id) references spaces (organization_id, id) on delete cascade
    ${end}`,
    'create index pdfs_by_state on pdfs (organization_id, state)',
    'create index pdfs_by_expiry on pdfs (expires_at)',
  ],
}

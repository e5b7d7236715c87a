/**
 * Recent edits of the texts of pages, for editors that save by splices: what others did since the text that an editor has,
 * and what was answered to a request that is sent again.
 */
import type { Migration } from './types.js'

export const textEdits: Migration = {
  name: '0072-text-edits',
  statements: ({ text, integer, end }) => [
    `create table text_edits (
      organization_id ${text} not null,
      space_id ${text} not null,
      line ${text} not null,
      number ${integer} not null,
      before_hash ${text} not null,
      after_hash ${text} not null,
      splices ${text} not null,
      inverse ${text} not null,
      client ${text} not null,
      client_seq ${integer} not null,
      request ${text} not null,
      answer ${text} not null,
      created_at ${integer} not null,
      primary key (organization_id, space_id, line, number),
      foreign key (organization_id, space_id) references spaces (organization_id, id) on delete cascade
    ${end}`,
    `create unique index text_edits_by_client
      on text_edits (organization_id, space_id, line, client, client_seq)`,
    'create index text_edits_by_age on text_edits (created_at)',
  ],
}

/** Links of each text, derived from it, so that a list of links parses no texts. Deleted with the text. */
import type { Migration } from './types.js'

export const textLinks: Migration = {
  name: '0029-text-links',
  statements: ({ text, integer, bytes, end }) => [
    `create table text_links (
      organization_id ${text} not null,
      hash ${text} not null,
      version ${integer} not null,
      links ${bytes} not null,
      primary key (organization_id, hash),
      foreign key (organization_id, hash) references objects (organization_id, hash) on delete cascade
    ${end}`,
  ],
}

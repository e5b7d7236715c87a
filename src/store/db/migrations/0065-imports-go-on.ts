/** An import says by which session or token it was asked for, so that it goes on by itself as far as that still reaches. */
import type { Migration } from './types.js'

export const importsGoOn: Migration = {
  name: '0065-imports-go-on',
  statements: ({ text, integer }) => [
    `alter table import_runs add column credential_type ${text}`,
    `alter table import_runs add column credential_id ${text}`,
    `alter table import_runs add column attempts ${integer} not null default 1`,
  ],
}

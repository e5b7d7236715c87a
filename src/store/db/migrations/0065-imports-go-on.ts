/** The session or token that requested an import, so that it is resumed as far as that is still authorized. */
import type { Migration } from './types.js'

export const importsGoOn: Migration = {
  name: '0065-imports-go-on',
  statements: ({ text, integer }) => [
    `alter table import_runs add column credential_type ${text}`,
    `alter table import_runs add column credential_id ${text}`,
    `alter table import_runs add column attempts ${integer} not null default 1`,
  ],
}

/** Translation settings of organizations. */
import type { Migration } from './types.js'

export const translations: Migration = {
  name: '0040-translations',
  statements: ({ text, integer, end }) => [
    `create table translation_settings (
      organization_id ${text} not null references organizations (id) on delete cascade,
      id ${text} not null,
      title ${text} not null,
      languages ${text} not null,
      created_at ${integer} not null,
      updated_at ${integer} not null,
      primary key (organization_id, id)
    ${end}`,
    'create index translation_settings_by_created on translation_settings (organization_id, created_at, id)',
  ],
}

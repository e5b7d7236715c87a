/** Translated spaces, the translation memory, and translators. */
import type { Migration } from './types.js'

export const spaceTranslations: Migration = {
  name: '0047-space-translations',
  statements: ({ text, integer, end }) => [
    `alter table translation_settings add column instructions ${text}`,
    `alter table translation_settings add column glossary ${text}`,

    `create table organization_translators (
      organization_id ${text} not null references organizations (id) on delete cascade,
      endpoint ${text} not null,
      model ${text} not null,
      sealed_key ${text},
      characters_per_run ${integer} not null,
      updated_at ${integer} not null,
      primary key (organization_id)
    ${end}`,

    `create table space_translations (
      organization_id ${text} not null,
      space_id ${text} not null,
      source_space_id ${text} not null,
      settings_id ${text} not null,
      source_language ${text} not null,
      language ${text} not null,
      follows ${integer} not null,
      source_revision_id ${text} not null,
      machine ${text} not null,
      is_whole ${integer} not null,
      state ${text} not null,
      asked ${integer} not null,
      again ${text},
      done ${integer} not null,
      total ${integer} not null,
      characters ${integer} not null,
      characters_ever ${integer} not null,
      problem ${text},
      asked_by ${text} not null,
      began_at ${integer},
      ended_at ${integer},
      created_at ${integer} not null,
      updated_at ${integer} not null,
      primary key (organization_id, space_id),
      foreign key (organization_id, space_id) references spaces (organization_id, id) on delete cascade,
      foreign key (organization_id, source_space_id) references spaces (organization_id, id) on delete cascade,
      foreign key (organization_id, settings_id) references translation_settings (organization_id, id) on delete cascade
    ${end}`,
    'create unique index space_translations_one_by_language on space_translations (organization_id, source_space_id, language)',
    'create index space_translations_by_settings on space_translations (organization_id, settings_id, created_at, space_id)',

    `create table translation_memory (
      organization_id ${text} not null,
      space_id ${text} not null,
      hash ${text} not null,
      words ${text},
      fault ${text},
      by_person ${integer} not null,
      primary key (organization_id, space_id, hash),
      foreign key (organization_id, space_id) references space_translations (organization_id, space_id) on delete cascade
    ${end}`,

    `create table translation_pages (
      organization_id ${text} not null,
      space_id ${text} not null,
      page_id ${text} not null,
      missing ${integer} not null,
      failed ${integer} not null,
      outdated ${text} not null,
      primary key (organization_id, space_id, page_id),
      foreign key (organization_id, space_id) references space_translations (organization_id, space_id) on delete cascade
    ${end}`,
  ],
}

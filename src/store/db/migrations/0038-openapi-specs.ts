/** OpenAPI specifications of organizations, and their versions. */
import type { Migration } from './types.js'

export const openApiSpecs: Migration = {
  name: '0038-openapi-specs',
  statements: ({ text, integer, end }) => [
    `create table openapi_specs (
      organization_id ${text} not null references organizations (id) on delete cascade,
      id ${text} not null,
      slug ${text} not null,
      visibility ${text} not null,
      source_url ${text},
      source_hash ${text},
      asked ${integer} not null,
      processing_state ${text} not null,
      last_version_id ${text},
      last_processed_at ${integer},
      error_code ${text},
      errors ${text},
      due_at ${integer},
      created_at ${integer} not null,
      updated_at ${integer} not null,
      primary key (organization_id, id)
    ${end}`,
    'create unique index openapi_specs_by_slug on openapi_specs (organization_id, slug)',
    'create index openapi_specs_by_created on openapi_specs (organization_id, created_at, id)',
    'create index openapi_specs_due on openapi_specs (due_at) where due_at is not null',

    `create table openapi_spec_versions (
      organization_id ${text} not null,
      id ${text} not null,
      spec_id ${text} not null,
      number ${integer} not null,
      hash ${text} not null,
      size ${integer} not null,
      raw_hash ${text} not null,
      raw_size ${integer} not null,
      format ${text} not null,
      created_at ${integer} not null,
      primary key (organization_id, id),
      foreign key (organization_id, spec_id) references openapi_specs (organization_id, id) on delete cascade
    ${end}`,
    'create unique index openapi_spec_versions_by_number on openapi_spec_versions (organization_id, spec_id, number)',
  ],
}

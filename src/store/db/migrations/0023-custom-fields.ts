/**
 * Custom fields of organizations, and their values for each space: a row for every item of a value, in the
 * order of the list, so that spaces are found by it.
 */
import type { Migration } from './types.js'

export const customFields: Migration = {
  name: '0023-custom-fields',
  statements: ({ text, integer, end }) => [
    `create table custom_fields (
      organization_id ${text} not null references organizations (id) on delete cascade,
      id ${text} not null,
      name ${text} not null,
      title ${text} not null,
      description ${text} not null,
      placeholder ${text} not null,
      type ${text} not null,
      options ${text},
      created_at ${integer} not null,
      updated_at ${integer} not null,
      primary key (organization_id, id)
    ${end}`,
    'create unique index custom_fields_by_name on custom_fields (organization_id, name)',
    'create index custom_fields_by_created on custom_fields (organization_id, created_at, id)',

    `create table custom_field_values (
      organization_id ${text} not null,
      space_id ${text} not null,
      field_id ${text} not null,
      ordinal ${integer} not null,
      value ${text} not null,
      primary key (organization_id, space_id, field_id, ordinal),
      foreign key (organization_id, space_id) references spaces (organization_id, id) on delete cascade,
      foreign key (organization_id, field_id) references custom_fields (organization_id, id) on delete cascade
    ${end}`,
    'create index custom_field_values_by_value on custom_field_values (organization_id, field_id, value, space_id)',
  ],
}

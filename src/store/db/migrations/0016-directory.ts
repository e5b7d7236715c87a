/**
 * The directory: global index from ids and hosts, unique in the installation, to organizations. Filled from existing rows.
 */
import type { Migration } from './types.js'

export const directory: Migration = {
  name: '0016-directory',
  statements: ({ text, end }) => [
    `create table directory (
      id ${text} primary key,
      kind ${text} not null,
      organization_id ${text} not null references organizations (id) on delete cascade
    ${end}`,
    'create index directory_by_organization on directory (organization_id)',
    "insert into directory (id, kind, organization_id) select id, 'space', organization_id from spaces",
    "insert into directory (id, kind, organization_id) select id, 'collection', organization_id from collections",
    "insert into directory (id, kind, organization_id) select id, 'site', organization_id from sites",
    "insert into directory (id, kind, organization_id) select id, 'saml-provider', organization_id from saml_providers",
    `insert into directory (id, kind, organization_id)
      select hostname, 'host', organization_id from sites where hostname is not null`,
  ],
}

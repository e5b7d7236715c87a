/**
 * The tables of organizations as 0018-keys leaves them: what they are rebuilt from on SQLite, which of their keys
 * and indexes are new, and which former ones are dropped on PostgreSQL. Parents are before the tables that refer to them.
 */

export interface KeyedTable {
  readonly name: string
  /** All columns, one per line, in SQLite syntax. */
  readonly columns: string
  readonly keys: readonly string[]
  readonly references?: readonly string[]
  /** Former keys and references, by their PostgreSQL names, which are replaced. */
  readonly formerKeys: readonly string[]
  readonly formerReferences?: readonly string[]
  /** All indexes by their names: each is what follows `create`, up to the columns. */
  readonly indexes?: Readonly<Record<string, string>>
  /** Former indexes with these names that differ or are not needed any more. */
  readonly formerIndexes?: readonly string[]
}

const byId = ['primary key (organization_id, id)']
const ofOrganization = 'organization_id text not null references organizations (id) on delete cascade'

/** Within one organization. */
const refersTo = (table: string, column: string, end = ' on delete cascade') =>
  `foreign key (organization_id, ${column}) references ${table} (organization_id, id)${end}`

export const keyedTables: readonly KeyedTable[] = [
  {
    name: 'teams',
    columns: `id text not null
      ${ofOrganization}
      title text not null
      created_at integer not null
      updated_at integer not null`,
    keys: byId,
    formerKeys: ['teams_pkey'],
    indexes: { teams_by_created: '(organization_id, created_at, id)' },
  },
  {
    name: 'team_members',
    columns: `organization_id text not null
      team_id text not null
      user_id text not null
      role text not null
      joined_at integer not null`,
    keys: ['primary key (organization_id, team_id, user_id)'],
    references: [
      refersTo('teams', 'team_id'),
      'foreign key (organization_id, user_id) references members (organization_id, user_id) on delete cascade',
    ],
    formerKeys: ['team_members_pkey'],
    formerReferences: ['team_members_team_id_fkey', 'team_members_organization_id_user_id_fkey'],
    indexes: {
      team_members_by_user: '(organization_id, user_id)',
      team_members_by_joined: '(organization_id, team_id, joined_at, user_id)',
    },
    formerIndexes: ['team_members_by_joined'],
  },
  {
    name: 'collections',
    columns: `id text not null
      ${ofOrganization}
      parent_id text
      position text not null
      title text not null
      description text
      default_level text default 'inherit'
      created_by text not null
      created_at integer not null
      updated_at integer not null`,
    keys: byId,
    references: [refersTo('collections', 'parent_id', '')],
    formerKeys: ['collections_pkey'],
    formerReferences: ['collections_parent_id_fkey'],
    indexes: {
      collections_by_position: '(organization_id, parent_id, position, id)',
      collections_by_place: '(organization_id, position, id)',
    },
    formerIndexes: ['collections_by_parent'],
  },
  {
    name: 'grants',
    columns: `${ofOrganization}
      target_kind text not null
      target_id text not null
      grantee_kind text not null
      grantee_id text not null
      role text not null
      created_at integer not null`,
    keys: ['primary key (organization_id, target_id, grantee_id)'],
    formerKeys: ['grants_pkey'],
    indexes: {
      grants_by_grantee: '(organization_id, grantee_id, target_id, role)',
      grants_by_target: '(organization_id, target_id, grantee_kind, created_at, grantee_id)',
    },
    formerIndexes: ['grants_by_target'],
  },
  {
    name: 'link_invites',
    columns: `id text not null
      ${ofOrganization}
      target_kind text not null
      target_id text not null
      role text
      created_by text not null
      created_at integer not null`,
    keys: byId,
    formerKeys: ['link_invites_pkey'],
    indexes: {
      link_invites_by_created: '(organization_id, target_kind, created_at, id)',
      link_invites_by_target: '(organization_id, target_id)',
    },
    formerIndexes: ['link_invites_by_target'],
  },
  {
    name: 'saml_providers',
    columns: `id text not null
      ${ofOrganization}
      label text not null
      entity_id text
      sso_url text
      certificate text
      default_team_id text
      default_role text
      created_at integer not null
      updated_at integer not null`,
    keys: byId,
    formerKeys: ['saml_providers_pkey'],
    indexes: { saml_providers_by_created: '(organization_id, created_at, id)' },
  },
  {
    name: 'saml_requests',
    columns: `id text not null
      organization_id text not null
      provider_id text not null
      browser_hash text not null
      return_to text not null
      expires_at integer not null
      finish_hash text
      user_id text`,
    keys: [...byId, 'unique (organization_id, finish_hash)'],
    references: [refersTo('saml_providers', 'provider_id')],
    formerKeys: ['saml_requests_pkey', 'saml_requests_finish_hash_key'],
    formerReferences: ['saml_requests_provider_id_fkey'],
    indexes: { saml_requests_by_expiry: '(expires_at)' },
  },
  {
    name: 'saml_assertions',
    columns: `organization_id text not null
      provider_id text not null
      assertion_id text not null
      expires_at integer not null`,
    keys: ['primary key (organization_id, provider_id, assertion_id)'],
    references: [refersTo('saml_providers', 'provider_id')],
    formerKeys: ['saml_assertions_pkey'],
    formerReferences: ['saml_assertions_provider_id_fkey'],
    indexes: { saml_assertions_by_expiry: '(expires_at)' },
  },
  {
    name: 'spaces',
    columns: `id text not null
      ${ofOrganization}
      collection_id text
      position text not null
      title text not null
      emoji text
      visibility text not null
      edit_mode text not null
      default_level text default 'inherit'
      revision_id text not null
      next_change_request_number integer not null default 1
      language text
      created_by text not null
      created_at integer not null
      updated_at integer not null
      deleted_at integer
      head_number integer not null default 0`,
    keys: byId,
    formerKeys: ['spaces_pkey'],
    indexes: {
      spaces_by_created: '(organization_id, created_at, id)',
      spaces_by_position: '(organization_id, collection_id, position, id)',
      spaces_by_access:
        '(organization_id, position, id, deleted_at, default_level, collection_id, created_by)',
      spaces_by_level: '(organization_id, default_level, collection_id, created_by, deleted_at, id)',
    },
  },
  {
    name: 'change_requests',
    columns: `id text not null
      organization_id text not null
      space_id text not null
      number integer not null
      status text not null
      subject text not null
      created_by text not null
      created_at integer not null
      updated_at integer not null
      revision_id text not null
      revision_initial_id text not null
      revision_merged_ancestor_id text not null
      revision_merged_id text
      agent_task_id text
      merged_by text
      merged_at integer
      conflicts text`,
    keys: [...byId, 'unique (organization_id, space_id, number)'],
    references: [refersTo('spaces', 'space_id')],
    formerKeys: ['change_requests_pkey', 'change_requests_space_id_number_key'],
    formerReferences: ['change_requests_space_id_fkey'],
    indexes: {
      change_requests_by_status: '(organization_id, space_id, status, number)',
      change_requests_by_creator: '(organization_id, created_by)',
      change_requests_by_created: '(organization_id, created_at, id)',
    },
    formerIndexes: ['change_requests_by_status'],
  },
  {
    name: 'contributions',
    columns: `organization_id text not null
      change_request_id text not null
      user_id text not null
      updated_at integer not null
      count integer not null`,
    keys: ['primary key (organization_id, change_request_id, user_id)'],
    references: [refersTo('change_requests', 'change_request_id')],
    formerKeys: ['contributions_pkey'],
    formerReferences: ['contributions_change_request_id_fkey'],
  },
  {
    name: 'revisions',
    columns: `id text not null
      organization_id text not null
      space_id text not null
      change_request_id text
      type text not null
      snapshot text not null
      parents text not null
      created_by text not null
      created_at integer not null
      merged_from text
      message text
      git text`,
    keys: byId,
    references: [refersTo('spaces', 'space_id')],
    formerKeys: ['revisions_pkey'],
    formerReferences: ['revisions_space_id_fkey'],
    indexes: { revisions_by_space: '(organization_id, space_id, change_request_id, created_at, id)' },
    formerIndexes: ['revisions_by_space', 'revisions_by_organization'],
  },
  {
    name: 'sites',
    columns: `id text not null
      ${ofOrganization}
      type text not null
      title text not null
      basename text not null
      hostname text
      visibility text not null
      published integer not null
      published_at integer
      adaptive_content integer not null
      proxy text
      icon text
      customization text not null
      created_at integer not null
      updated_at integer not null`,
    keys: [...byId, 'unique (organization_id, hostname)'],
    formerKeys: ['sites_pkey', 'sites_hostname_key', 'sites_organization_id_basename_key'],
    indexes: {
      sites_by_created: '(organization_id, created_at, id)',
      sites_by_publication: '(published, visibility, published_at, id)',
      sites_one_by_name: 'unique (organization_id, lower(basename))',
    },
    formerIndexes: ['sites_by_name'],
  },
  {
    name: 'site_spaces',
    columns: `id text not null
      organization_id text not null
      site_id text not null
      section_id text
      space_id text not null
      path text not null
      position text not null
      is_default integer not null
      condition text`,
    keys: [...byId, 'unique (organization_id, site_id, space_id)'],
    references: [refersTo('sites', 'site_id'), refersTo('spaces', 'space_id')],
    formerKeys: ['site_spaces_pkey', 'site_spaces_site_id_space_id_key'],
    formerReferences: ['site_spaces_site_id_fkey', 'site_spaces_space_id_fkey'],
    indexes: {
      site_spaces_by_position: '(organization_id, site_id, section_id, position, id)',
      site_spaces_by_space: '(organization_id, space_id)',
      site_spaces_by_place: '(organization_id, site_id, position, id)',
      site_spaces_by_path: "unique (organization_id, site_id, coalesce(section_id, ''), path)",
      site_spaces_by_default: 'unique (organization_id, site_id) where is_default = 1',
    },
    formerIndexes: [
      'site_spaces_by_position',
      'site_spaces_by_space',
      'site_spaces_by_place',
      'site_spaces_by_path',
      'site_spaces_by_default',
    ],
  },
  {
    name: 'search_spaces',
    columns: `organization_id text not null
      space_id text not null
      revision_id text
      head_number integer not null
      version integer not null
      builder text
      builder_until integer`,
    keys: ['primary key (organization_id, space_id)'],
    formerKeys: ['search_spaces_pkey'],
  },
  {
    name: 'search_pages',
    columns: `organization_id text not null
      space_id text not null
      page_id text not null
      title text not null
      path text not null
      text_hash text not null default ''
      version integer not null default 0
      failure text`,
    keys: ['primary key (organization_id, space_id, page_id)'],
    formerKeys: ['search_pages_pkey'],
    indexes: { search_pages_failed: '(organization_id, space_id) where failure is not null' },
    formerIndexes: ['search_pages_failed'],
  },
  {
    name: 'audit_events',
    columns: `id text not null
      ${ofOrganization}
      at integer not null
      actor_id text
      action text not null
      thing text
      place text not null
      detail text
      credential_type text
      credential_id text
      ip text
      user_agent text`,
    keys: byId,
    formerKeys: ['audit_events_pkey'],
    indexes: {
      audit_events_by_time: '(organization_id, at, id)',
      audit_events_by_actor: '(organization_id, actor_id, at, id)',
      audit_events_by_thing: '(organization_id, thing, at, id)',
      audit_events_by_action: '(organization_id, action, at, id)',
      audit_events_by_age: '(at)',
    },
  },
]

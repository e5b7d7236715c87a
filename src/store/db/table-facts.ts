/**
 * Metadata of every table: how it is sharded, which locks its writers need, which caches its changes invalidate, and
 * whether its rows are transferred with a space. A new table does not compile without it. Columns: tables.ts.
 */
import type { Tables } from './tables.js'

export interface TableFacts {
  /**
   * Sharding. `organization`: with all rows of their organization, which is the first column of every key.
   * `everywhere`: replicated to each server, because they are read with the rows of any organization; they never refer
   * to those. `coordinator`: on one server.
   */
  readonly storedIn: 'organization' | 'everywhere' | 'coordinator'
  /**
   * The lock that a writing transaction needs; `anyone` is for rows that are only added, or changed by statements that
   * are correct under any concurrency.
   */
  readonly locks: 'space' | 'organization' | 'people' | 'anyone'
  /**
   * Which cached values depend on them: those of their organization, of its search index, of a person, of all sites.
   * None when they are immutable and content-addressed, or never cached.
   */
  readonly invalidates: readonly ('organization' | 'index' | 'people' | 'sites')[]
  /** The column by which they belong to the history of a space, which is transferred with it. */
  readonly historyKey?: 'space_id' | 'change_request_id'
}

const ofOrganization = {
  storedIn: 'organization',
  locks: 'organization',
  invalidates: ['organization'],
} as const
const ofPeople = { storedIn: 'everywhere', locks: 'people', invalidates: ['people'] } as const
const partOfSpace = { storedIn: 'organization', locks: 'space', invalidates: [] } as const

/** Parents before those that refer to them. */
export const tableFacts: Readonly<Record<keyof Tables, TableFacts>> = {
  users: ofPeople,
  api_tokens: ofPeople,
  sessions: ofPeople,
  provider_accounts: ofPeople,
  sign_in_links: { ...ofPeople, invalidates: [] },
  known_devices: { ...ofPeople, invalidates: [] },

  // Few and seldom written, with a hostname that is unique in the installation. The access of a session depends on the
  // memberships of its user and on the requirements of their organizations.
  organizations: { storedIn: 'everywhere', locks: 'organization', invalidates: ['organization', 'people'] },
  email_domains: { ...ofOrganization, storedIn: 'everywhere' },
  directory: { ...ofOrganization, storedIn: 'everywhere' },

  members: { ...ofOrganization, invalidates: ['organization', 'people'] },
  former_names: ofOrganization,
  teams: ofOrganization,
  team_members: ofOrganization,
  collections: ofOrganization,
  grants: ofOrganization,
  link_invites: ofOrganization,
  saml_providers: { ...ofOrganization, invalidates: ['organization', 'people'] },
  saml_requests: { storedIn: 'organization', locks: 'people', invalidates: [] },
  saml_assertions: { storedIn: 'organization', locks: 'people', invalidates: [] },
  sites: { ...ofOrganization, invalidates: ['organization', 'sites'] },

  spaces: ofOrganization,
  change_requests: { ...partOfSpace, invalidates: ['organization'], historyKey: 'space_id' },
  contributions: { ...partOfSpace, historyKey: 'change_request_id' },
  revisions: { ...partOfSpace, historyKey: 'space_id' },
  comments: { ...partOfSpace, historyKey: 'space_id' },
  comment_reactions: { ...partOfSpace, historyKey: 'space_id' },
  reviews: { ...partOfSpace, historyKey: 'change_request_id' },
  // Reviewers belong to the organization, so their requests are not transferred.
  requested_reviewers: partOfSpace,
  // Written by the worker and by their person alone; their people belong to the organization, so they are not transferred.
  inbox_entries: { storedIn: 'organization', locks: 'anyone', invalidates: [] },
  import_runs: { storedIn: 'organization', locks: 'anyone', invalidates: [], historyKey: 'space_id' },
  import_fetches: { storedIn: 'organization', locks: 'anyone', invalidates: [], historyKey: 'space_id' },
  // Rendered again on demand after a transfer of the space.
  pdfs: { storedIn: 'organization', locks: 'anyone', invalidates: [] },
  // Every change of the index changes one of these.
  search_spaces: { ...partOfSpace, invalidates: ['index'] },
  search_pages: { ...partOfSpace, invalidates: ['index'] },
  search_sections: partOfSpace,
  search_vocabulary: partOfSpace,
  search_guards: partOfSpace,
  text_edits: { ...partOfSpace, historyKey: 'space_id' },
  // Derived again after a transfer of the space.
  space_links: partOfSpace,
  space_link_states: partOfSpace,
  site_section_groups: ofOrganization,
  site_sections: ofOrganization,
  site_spaces: ofOrganization,
  site_redirects: { ...ofOrganization, invalidates: [] },
  site_former_paths: { ...ofOrganization, invalidates: [] },
  site_share_links: ofOrganization,
  page_feedback: { ...ofOrganization, invalidates: [] },
  page_views: { ...ofOrganization, invalidates: [] },
  site_events: { ...ofOrganization, invalidates: [] },
  site_visitor_schemas: ofOrganization,
  custom_fields: ofOrganization,
  custom_field_values: ofOrganization,
  translation_settings: ofOrganization,
  organization_translators: ofOrganization,
  space_translations: ofOrganization,
  // Returned with the row of their translation, which changes with them.
  translation_memory: { ...ofOrganization, invalidates: [] },
  translation_pages: { ...ofOrganization, invalidates: [] },
  openapi_specs: ofOrganization,
  openapi_spec_versions: { ...ofOrganization, invalidates: [] },
  // Numbered under the lock of their space.
  events: { ...partOfSpace, historyKey: 'space_id' },
  webhooks: { ...ofOrganization, invalidates: [] },
  webhook_subscriptions: { ...ofOrganization, invalidates: [] },
  webhook_deliveries: { storedIn: 'organization', locks: 'anyone', invalidates: [] },
  objects: { storedIn: 'organization', locks: 'anyone', invalidates: [] },
  text_links: { storedIn: 'organization', locks: 'anyone', invalidates: [] },
  blobs: { storedIn: 'organization', locks: 'anyone', invalidates: [] },
  departures: { storedIn: 'organization', locks: 'anyone', invalidates: [] },
  audit_events: { storedIn: 'organization', locks: 'anyone', invalidates: [] },

  installation: { storedIn: 'coordinator', locks: 'anyone', invalidates: [] },
  jobs: { storedIn: 'coordinator', locks: 'anyone', invalidates: [] },
  attempts: { storedIn: 'coordinator', locks: 'anyone', invalidates: [] },
  commits: { storedIn: 'coordinator', locks: 'anyone', invalidates: [] },
}

/** The tables that are sharded by organization. */
export const tablesOfOrganizations = namesOf(({ storedIn }) => storedIn === 'organization')

/** The tables of a space's history, parents before those that refer to them. */
export const tablesOfHistory = namesOf(({ historyKey }) => historyKey !== undefined)

function namesOf(matches: (facts: TableFacts) => boolean): readonly (keyof Tables)[] {
  const names = Object.keys(tableFacts) as (keyof Tables)[]
  return names.filter((name) => matches(tableFacts[name]))
}

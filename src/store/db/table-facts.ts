/**
 * What is to be known of every table, in one place: where its rows lie when one server is not enough, who holds them
 * while they are written, whom a change of them concerns, and which of them go along with a space. A new table does
 * not compile before it is said. What the columns mean: tables.ts.
 */
import type { Tables } from './tables.js'

export interface TableFacts {
  /**
   * `organization`: with all else of their organization, which begins every key. `everywhere`: a copy on each server,
   * of what is read beside the rows of any organization; they never refer to those. `coordinator`: on one server.
   */
  readonly lies: 'organization' | 'everywhere' | 'coordinator'
  /**
   * What a transaction holds that writes them; `anyone` is for rows that are only added, or changed by statements
   * that are right whatever others do.
   */
  readonly held: 'space' | 'organization' | 'people' | 'anyone'
  /**
   * What may be kept in memory that follows from them: of their organization, of its index of words, of a person, of
   * all sites. Nothing, when they are written once and named by what they are, or read whenever they are asked for.
   */
  readonly kept: readonly ('organization' | 'index' | 'people' | 'sites')[]
  /** By what they belong to the history of a space, which goes with it to another organization. */
  readonly ofSpace?: 'space_id' | 'change_request_id'
}

const ofOrganization = { lies: 'organization', held: 'organization', kept: ['organization'] } as const
const ofPeople = { lies: 'everywhere', held: 'people', kept: ['people'] } as const
const partOfSpace = { lies: 'organization', held: 'space', kept: [] } as const

/** Parents before those that refer to them. */
export const tableFacts: Readonly<Record<keyof Tables, TableFacts>> = {
  users: ofPeople,
  api_tokens: ofPeople,
  sessions: ofPeople,
  provider_accounts: ofPeople,
  sign_in_links: { ...ofPeople, kept: [] },
  known_devices: { ...ofPeople, kept: [] },

  // Few and seldom written, with a hostname that is the only one of the installation. What a session opens follows
  // from the memberships of its user and from what their organizations demand.
  organizations: { lies: 'everywhere', held: 'organization', kept: ['organization', 'people'] },
  email_domains: { ...ofOrganization, lies: 'everywhere' },
  directory: { ...ofOrganization, lies: 'everywhere' },

  members: { ...ofOrganization, kept: ['organization', 'people'] },
  former_names: ofOrganization,
  teams: ofOrganization,
  team_members: ofOrganization,
  collections: ofOrganization,
  grants: ofOrganization,
  link_invites: ofOrganization,
  saml_providers: { ...ofOrganization, kept: ['organization', 'people'] },
  saml_requests: { lies: 'organization', held: 'people', kept: [] },
  saml_assertions: { lies: 'organization', held: 'people', kept: [] },
  sites: { ...ofOrganization, kept: ['organization', 'sites'] },

  spaces: ofOrganization,
  change_requests: { ...partOfSpace, kept: ['organization'], ofSpace: 'space_id' },
  contributions: { ...partOfSpace, ofSpace: 'change_request_id' },
  revisions: { ...partOfSpace, ofSpace: 'space_id' },
  comments: { ...partOfSpace, ofSpace: 'space_id' },
  comment_reactions: { ...partOfSpace, ofSpace: 'space_id' },
  reviews: { ...partOfSpace, ofSpace: 'change_request_id' },
  // Who was asked belongs to the organization, so the question stays there.
  requested_reviewers: partOfSpace,
  import_runs: { lies: 'organization', held: 'anyone', kept: [], ofSpace: 'space_id' },
  import_fetches: { lies: 'organization', held: 'anyone', kept: [], ofSpace: 'space_id' },
  // Made again where they are asked for, should the space go to another organization.
  pdfs: { lies: 'organization', held: 'anyone', kept: [] },
  // Every change of the index changes one of these.
  search_spaces: { ...partOfSpace, kept: ['index'] },
  search_pages: { ...partOfSpace, kept: ['index'] },
  search_sections: partOfSpace,
  search_vocabulary: partOfSpace,
  search_guards: partOfSpace,
  // Followed anew where the space goes to another organization.
  space_links: partOfSpace,
  space_link_states: partOfSpace,
  site_section_groups: ofOrganization,
  site_sections: ofOrganization,
  site_spaces: ofOrganization,
  site_redirects: { ...ofOrganization, kept: [] },
  site_former_paths: { ...ofOrganization, kept: [] },
  site_share_links: ofOrganization,
  page_feedback: { ...ofOrganization, kept: [] },
  page_views: { ...ofOrganization, kept: [] },
  site_events: { ...ofOrganization, kept: [] },
  site_visitor_schemas: ofOrganization,
  custom_fields: ofOrganization,
  custom_field_values: ofOrganization,
  translation_settings: ofOrganization,
  organization_translators: ofOrganization,
  space_translations: ofOrganization,
  // Shown with the row of their translation, which changes with them.
  translation_memory: { ...ofOrganization, kept: [] },
  translation_pages: { ...ofOrganization, kept: [] },
  openapi_specs: ofOrganization,
  openapi_spec_versions: { ...ofOrganization, kept: [] },
  // Numbered under the hold of what they are about.
  events: { ...partOfSpace, ofSpace: 'space_id' },
  webhooks: { ...ofOrganization, kept: [] },
  webhook_subscriptions: { ...ofOrganization, kept: [] },
  webhook_deliveries: { lies: 'organization', held: 'anyone', kept: [] },
  objects: { lies: 'organization', held: 'anyone', kept: [] },
  text_links: { lies: 'organization', held: 'anyone', kept: [] },
  blobs: { lies: 'organization', held: 'anyone', kept: [] },
  departures: { lies: 'organization', held: 'anyone', kept: [] },
  audit_events: { lies: 'organization', held: 'anyone', kept: [] },

  installation: { lies: 'coordinator', held: 'anyone', kept: [] },
  jobs: { lies: 'coordinator', held: 'anyone', kept: [] },
  attempts: { lies: 'coordinator', held: 'anyone', kept: [] },
  commits: { lies: 'coordinator', held: 'anyone', kept: [] },
}

/** The tables whose rows lie with their organization. */
export const tablesOfOrganizations = namesOf(({ lies }) => lies === 'organization')

/** The tables of a space's history, parents before those that refer to them. */
export const tablesOfHistory = namesOf(({ ofSpace }) => ofSpace !== undefined)

function namesOf(isMeant: (facts: TableFacts) => boolean): readonly (keyof Tables)[] {
  const names = Object.keys(tableFacts) as (keyof Tables)[]
  return names.filter((name) => isMeant(tableFacts[name]))
}

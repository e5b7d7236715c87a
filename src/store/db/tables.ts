/**
 * Table types. One schema for both engines: text ids, times in milliseconds since 1970, booleans as 0 or 1,
 * JSON as text that no query reads, bytes.
 *
 * Every table names the organization its rows belong to, except those about people, who may belong to several.
 * The DDL is in migrations/. The rows of a resource are read and written in one `store.ts` only.
 */
import type { Generated, Insertable, Selectable, Updateable } from 'kysely'
import type {
  ChangeRequestId,
  CollectionId,
  Hash,
  OrganizationId,
  PageId,
  RevisionId,
  SiteId,
  SiteRedirectId,
  SiteShareLinkId,
  SiteSectionGroupId,
  SiteSectionId,
  SiteSpaceId,
  SpaceId,
  UserId,
} from '../../core/ids.js'
import type { Bit, JsonText, Milliseconds } from './columns.js'
import type { CommentTables } from './comment-tables.js'
import type { EventTables } from './event-tables.js'
import type { InboxTables } from './inbox-tables.js'
import type { ImportTables } from './import-tables.js'
import type { OpenApiTables } from './openapi-tables.js'
import type { PdfTables } from './pdf-tables.js'
import type { PeopleTables } from './people-tables.js'
import type { ReviewTables } from './review-tables.js'
import type { SignInTables } from './sign-in-tables.js'
import type { TranslationTables } from './translation-tables.js'

export type Row<Name extends keyof Tables> = Selectable<Tables[Name]>
export type NewRow<Name extends keyof Tables> = Insertable<Tables[Name]>
export type RowUpdate<Name extends keyof Tables> = Updateable<Tables[Name]>

export interface Tables
  extends
    SignInTables,
    PeopleTables,
    CommentTables,
    ImportTables,
    ReviewTables,
    InboxTables,
    OpenApiTables,
    EventTables,
    PdfTables,
    TranslationTables {
  users: UsersTable
  organizations: OrganizationsTable
  members: MembersTable
  former_names: FormerNamesTable
  spaces: SpacesTable
  change_requests: ChangeRequestsTable
  contributions: ContributionsTable
  revisions: RevisionsTable
  objects: ObjectsTable
  text_links: TextLinksTable
  text_edits: TextEditsTable
  space_links: SpaceLinksTable
  space_link_states: SpaceLinkStatesTable
  blobs: BlobsTable
  departures: DeparturesTable
  sites: SitesTable
  site_spaces: SiteSpacesTable
  site_sections: SiteSectionsTable
  site_section_groups: SiteSectionGroupsTable
  site_redirects: SiteRedirectsTable
  site_former_paths: SiteFormerPathsTable
  site_share_links: SiteShareLinksTable
  page_feedback: PageFeedbackTable
  page_views: PageViewsTable
  site_events: SiteEventsTable
  site_visitor_schemas: SiteVisitorSchemasTable
  directory: DirectoryTable
  installation: InstallationTable
  jobs: JobsTable
  attempts: AttemptsTable
  commits: CommitsTable
  search_spaces: SearchSpacesTable
  search_pages: SearchPagesTable
  search_sections: SearchSectionsTable
  search_vocabulary: SearchVocabularyTable
  search_guards: SearchGuardsTable
}

export interface UsersTable {
  id: UserId
  display_name: string
  /** Lower case: uniqueness is byte-wise. */
  email: string | null
  photo_url: string | null
  password_hash: string | null
  /** When the address was first verified. */
  email_verified_at: Generated<Milliseconds | null>
  /** JSON of `StoredPreferences`; null for the defaults. */
  preferences: Generated<string | null>
  created_at: Milliseconds
  updated_at: Milliseconds
}

export interface OrganizationsTable {
  id: OrganizationId
  title: string
  hostname: string
  type: string
  use_case: string | null
  community_type: string | null
  /** string[]. */
  email_domains: JsonText
  /** Null makes new members guests. */
  default_role: string | null
  default_content: JsonText | null
  sso: Bit
  ai: Bit
  invite_links: Bit
  logo_url: string | null
  /** OrganizationMergeRules; null for none. */
  merge_rules: Generated<JsonText | null>
  blocked_reason: string | null
  created_at: Milliseconds
  updated_at: Milliseconds
}

export interface MembersTable {
  organization_id: OrganizationId
  user_id: UserId
  /** Null for a guest, who sees only what is granted explicitly. */
  role: string | null
  disabled: Bit
  sso: Bit
  joined_at: Milliseconds
  last_seen_at: Milliseconds | null
  /** Null until the user accepts the membership. */
  accepted_at: Milliseconds | null
  /** The name used by the organization for a user who has not accepted: their profile is not visible to it. */
  known_as: string | null
}

/** Names of former members who had not accepted. */
export interface FormerNamesTable {
  organization_id: OrganizationId
  user_id: UserId
  known_as: string
}

export interface SpacesTable {
  id: SpaceId
  organization_id: OrganizationId
  collection_id: CollectionId | null
  position: string
  title: string
  emoji: string | null
  visibility: string
  edit_mode: string
  /** A role, `inherit`, or null for no access. */
  default_level: string | null
  /** The head; moved by compare-and-set in content/heads.ts alone. */
  revision_id: RevisionId
  /** The number of that head, counted from 0: incremented with each move. */
  head_number: Generated<number>
  next_change_request_number: Generated<number>
  language: string | null
  created_by: UserId
  /** SpaceMergeRules; null for those of the organization. */
  merge_rules: Generated<JsonText | null>
  /** Number of open comments, including those of merged change requests. */
  comments: Generated<number>
  created_at: Milliseconds
  updated_at: Milliseconds
  /** Time of its deletion, while it is in the trash. */
  deleted_at: Milliseconds | null
}

export interface ChangeRequestsTable {
  id: ChangeRequestId
  organization_id: OrganizationId
  space_id: SpaceId
  /** Counts within the space, from 1. */
  number: Generated<number>
  status: string
  subject: string
  /** Markdown. */
  description: Generated<string>
  created_by: UserId
  created_at: Milliseconds
  updated_at: Milliseconds
  /** The head of its branch. */
  revision_id: RevisionId
  /** The person whose next save amends the head; null when something refers to it, or it is no save. */
  amendable_by: Generated<UserId | null>
  /** When the first save of the head was written. */
  amendable_since: Generated<Milliseconds | null>
  /** The session or token of the last save: another one has an audit entry of its own. */
  amendable_credential: Generated<string | null>
  /** The revision from which it branched off. */
  revision_initial_id: RevisionId
  /** The last merged revision of the space: the base of the next merge. */
  revision_merged_ancestor_id: RevisionId
  /** The revision of the space that its merge created. */
  revision_merged_id: RevisionId | null
  agent_task_id: string | null
  merged_by: UserId | null
  merged_at: Milliseconds | null
  /** Unresolved conflicts of an update. */
  conflicts: JsonText | null
  /** Number of open comments. */
  comments: Generated<number>
}

/** The authors of a change request, with the time and number of their edits. */
export interface ContributionsTable {
  organization_id: OrganizationId
  change_request_id: ChangeRequestId
  user_id: UserId
  updated_at: Milliseconds
  count: number
}

export interface RevisionsTable {
  id: RevisionId
  organization_id: OrganizationId
  space_id: SpaceId
  /** The change request whose branch it is on; null for the space's own branch. */
  change_request_id: ChangeRequestId | null
  /** Its position on the branch, counted from 1: history is in this order, never by time. */
  number: number
  /** Saves that it has, one for each time it was amended; only the row with the most is part of the history. */
  saves: Generated<number>
  type: string
  /** A Snapshot: the roots of the content's maps. */
  snapshot: JsonText
  /** RevisionId[]. */
  parents: JsonText
  created_by: UserId
  created_at: Milliseconds
  /** The change request that a revision of type merge came from. */
  merged_from: ChangeRequestId | null
  message: string | null
  git: JsonText | null
}

/** Content-addressed objects: map nodes, texts, and other small bytes. */
export interface ObjectsTable {
  organization_id: OrganizationId
  /** Of the object itself, however it is stored. */
  hash: Hash
  bytes: Uint8Array
  /** When it was last put, by the database's clock and to the day. */
  put_at: Generated<Milliseconds>
  /** How `bytes` are packed; see content/stored-form.ts. */
  encoding: Generated<number>
  /** The object from which `bytes` are a delta. */
  base: Generated<Hash | null>
}

/** Links of texts, by the hash of the text; see content/text-links.ts. */
export interface TextLinksTable {
  organization_id: OrganizationId
  hash: Hash
  /** Version of the parser. */
  version: number
  links: Uint8Array
}

/** A recent edit of the text of a page; see content/text-edits.ts. */
export interface TextEditsTable {
  organization_id: OrganizationId
  space_id: SpaceId
  /** The change request, if it is on the branch of one, and the page. */
  line: string
  number: number
  before_hash: Hash
  after_hash: Hash
  splices: JsonText
  inverse: JsonText
  /** The user and the name of the client. */
  client: string
  client_seq: number
  request: string
  answer: JsonText
  created_at: Milliseconds
}

/** A link from a text of a space to a page of another one; see resources/links/follow-links.ts. */
export interface SpaceLinksTable {
  organization_id: OrganizationId
  space_id: SpaceId
  /** Path of the text, as in lists of links. */
  place: string
  /** Index among the links of the text. */
  number: number
  /** The linked space, which may be any, or not exist. */
  target_id: string
  /** Id of the page, or its path; in lower case. */
  path: string
}

/** State of the links of a space. */
export interface SpaceLinkStatesTable {
  organization_id: OrganizationId
  space_id: SpaceId
  revision_id: RevisionId
  /** The base URL by which links to spaces were recognized. */
  application: string
}

/** References of organizations to uploaded files. */
export interface BlobsTable {
  organization_id: OrganizationId
  hash: Hash
  size: number
  created_at: Milliseconds
  /** As for an object. */
  put_at: Generated<Milliseconds>
}

/** Counter of removed revisions of an organization; see collect/gc-triggers.ts. */
export interface DeparturesTable {
  organization_id: OrganizationId
  count: number
}

export interface SitesTable {
  id: SiteId
  organization_id: OrganizationId
  type: string
  title: string
  basename: string
  hostname: string | null
  visibility: string
  published: Bit
  published_at: Milliseconds | null
  adaptive_content: Bit
  proxy: JsonText | null
  icon: JsonText | null
  customization: JsonText
  /** Number of the current signing key of visitor tokens: see contract/site-keys.ts. */
  key_generation: Generated<number>
  /** The visitors' sign-in and sign-out URLs. */
  login_url: Generated<string | null>
  logout_url: Generated<string | null>
  /** Third-party scripts on its pages; null for none. */
  scripts: Generated<JsonText | null>
  /** Settings of its analytics; null for the default. See resources/insights/settings.ts. */
  insights: Generated<JsonText | null>
  /** How often something of it was closed to readers: see resources/sites/closures.ts. */
  closures: Generated<number>
  created_at: Milliseconds
  updated_at: Milliseconds
}

export interface SiteSpacesTable {
  id: SiteSpaceId
  organization_id: OrganizationId
  site_id: SiteId
  /** Null while the site has no sections. */
  section_id: SiteSectionId | null
  space_id: SpaceId
  /** Lower case, because readers' input is case-insensitive. */
  path: string
  position: string
  /** The default of its section, or of the site. */
  is_default: Bit
  condition: string | null
  /** Overrides that of the space. */
  title: Generated<string | null>
  draft: Generated<Bit>
  hidden: Generated<Bit>
  /** Its overrides of the site's customization, null for none. */
  customization: Generated<JsonText | null>
}

export interface SiteSectionsTable {
  id: SiteSectionId
  organization_id: OrganizationId
  site_id: SiteId
  group_id: SiteSectionGroupId | null
  title: string
  description: string | null
  path: string
  icon: string | null
  /** Order among the sections and groups of one group, or of the site. */
  position: string
  is_default: Bit
  condition: string | null
  draft: Generated<Bit>
}

export interface SiteSectionGroupsTable {
  id: SiteSectionGroupId
  organization_id: OrganizationId
  site_id: SiteId
  parent_id: SiteSectionGroupId | null
  title: string
  icon: string | null
  position: string
}

export interface SiteVisitorSchemasTable {
  organization_id: OrganizationId
  site_id: SiteId
  json_schema: JsonText
  updated_at: Milliseconds
}

export interface SiteRedirectsTable {
  id: SiteRedirectId
  organization_id: OrganizationId
  site_id: SiteId
  source: string
  /** The normalized form, with which readers' addresses are compared. */
  source_key: string
  /** In API format. */
  destination: JsonText
  permanent: Bit
  /** For a source with a trailing wildcard: the matched part is appended to the destination. */
  capture_wildcard: Bit
  created_at: Milliseconds
  updated_at: Milliseconds | null
}

/** The key in the URL of a link is derived from its id: see contract/site-keys.ts. */
export interface SiteShareLinksTable {
  id: SiteShareLinkId
  organization_id: OrganizationId
  site_id: SiteId
  name: string | null
  /** A disabled link remains, so that it can be enabled again. */
  active: Bit
  created_at: Milliseconds
}

/** One rating of a page by one reader of a site, who may change it; the id does not identify the reader. */
export interface PageFeedbackTable {
  id: string
  organization_id: OrganizationId
  site_id: SiteId
  space_id: SpaceId
  page_id: PageId
  rating: 'bad' | 'ok' | 'good'
  comment: string | null
  created_at: Milliseconds
}

/** How often a page was read on a day of UTC, counted from 1970. */
export interface PageViewsTable {
  organization_id: OrganizationId
  site_id: SiteId
  space_id: SpaceId
  page_id: PageId
  day: number
  views: number
}

/** The number of events of one kind in a time bucket. Missing properties are null, or were dropped to aggregate. */
export interface SiteEventsTable {
  organization_id: OrganizationId
  site_id: SiteId
  /** 1, or 24 for older events. */
  hours: number
  /** The first hour, counted from 1970. */
  hour: number
  /** Hash of all following columns but the counts. */
  key: string
  type: string
  context: string | null
  site_space_id: SiteSpaceId | null
  section_id: SiteSectionId | null
  space_id: SpaceId | null
  page_id: PageId | null
  device: string | null
  browser: string | null
  system: string | null
  bot: string | null
  language: string | null
  country: string | null
  /** The host of the referrer. */
  referrer: string | null
  authenticated: Bit | null
  /** The visitor attributes by which the site counts. */
  claims: JsonText | null
  /** Properties of its event type: see resources/insights/visitor-event.ts. */
  detail: JsonText | null
  events: number
  /** Unique readers of a day, and sessions. */
  visitors: number
  sessions: number
}

/** See resources/sites/former-paths.ts. */
export interface SiteFormerPathsTable {
  organization_id: OrganizationId
  site_id: SiteId
  /** The section in which the space had the path; empty for sections, and for spaces of sites without sections. */
  scope: SiteSectionId | ''
  path: string
  /** May no longer exist. */
  target_id: SiteSectionId | SiteSpaceId
}

/** Global index from ids and hosts to organizations; see directory.ts. */
export interface DirectoryTable {
  /** Id of a resource, or host of a site. */
  id: string
  /** A DirectoryKind. */
  kind: string
  organization_id: OrganizationId
}

/** Key-value settings of all processes; see installation.ts. */
export interface InstallationTable {
  name: string
  value: string
}

/** The transactional outbox: jobs to run after a commit, and written by it. */
export interface JobsTable {
  id: string
  organization_id: OrganizationId | null
  type: string
  /** Unclaimed jobs of one type and key are merged. */
  key: string | null
  payload: JsonText
  /** Order: greater than that of all jobs that were waiting when it was written; equal for some written concurrently. */
  number: Generated<number>
  /** When it can be claimed, 0 for immediately; for a running job, the end of its lease. Null for a dead job: given up, retained for inspection. */
  due_at: Milliseconds | null
  /** Number of claims. */
  attempts: Generated<number>
  /** Number of claims that ended because the process was stopped. */
  given_back: Generated<number>
  /** Number of claims that ended with an error of the job; the rest ended with their process. */
  failures: Generated<number>
  /** Token of the current claim; null while it waits. */
  claim: string | null
  error: string | null
  created_at: Milliseconds
}

/** Rate limit counters of attempts; see attempts.ts. */
export interface AttemptsTable {
  key: string
  points: number
  expire: Milliseconds | null
}

/** The commit log; see commits.ts. */
export interface CommitsTable {
  /** A number, because the order matters. */
  id: Generated<number>
  /** The cache tags: organizations, `people`, `sites` or `everybody`, separated by spaces. */
  concerns: string
}

/** The state of a space's search index; see search/index-state.ts. */
export interface SearchSpacesTable {
  organization_id: OrganizationId
  space_id: SpaceId
  /** The indexed revision, or a later one; null before the first is complete. */
  revision_id: RevisionId | null
  /** The number of that head, -1 before the first. */
  head_number: number
  /** Version of the folding of its entries. */
  version: number
  /** Identifies the versions of specifications that its pages include; empty without any. */
  specifications: string
  /** The lease for changing it in several steps. */
  builder: string | null
  builder_until: Milliseconds | null
}

/** The displayed data of a page in search results. */
export interface SearchPagesTable {
  organization_id: OrganizationId
  space_id: SpaceId
  page_id: PageId
  title: string
  path: string
  /** Hash of the text of the sections; empty for a page without text. */
  text_hash: Generated<string>
  /** Version of the folding of the sections. */
  version: Generated<number>
  /** Why the text is not indexed, though its page is. */
  failure: Generated<string | null>
  /** The unique vocabulary words of this page, separated by spaces. */
  words: Generated<string>
  /** The visibility conditions of the whole page, as JSON; empty for none. */
  guard: Generated<string>
}

/** The words of a space's pages; see search/vocabulary.ts. */
export interface SearchVocabularyTable {
  organization_id: OrganizationId
  space_id: SpaceId
  word: string
  /** The reversed word, for suffix lookups; null where not needed. */
  backwards: string | null
  /** Number of pages with it. */
  pages: number
}

/** Visibility conditions of parts of a space, as JSON (core/conditions/guard.ts); see search/guards.ts. */
export interface SearchGuardsTable {
  organization_id: OrganizationId
  space_id: SpaceId
  /** Hash of the conditions. */
  id: string
  conditions: string
}

/**
 * The displayed data of a section in search results; the indexed words are engine-specific and in search/. The id is a
 * number, unlike all others, because SQLite's index identifies rows by numbers only.
 */
export interface SearchSectionsTable {
  id: Generated<number>
  organization_id: OrganizationId
  space_id: SpaceId
  page_id: PageId
  /** Order in the page, from 0. */
  ordinal: number
  /** Null before the first heading. */
  anchor: string | null
  heading: string
  body: string
  /** The page's title, denormalized: most results are ranked by it and not read further. */
  page_title: Generated<string>
}

/**
 * The rows, typed. One schema for both engines: text ids, times in milliseconds since 1970, booleans as 0 or 1,
 * JSON as text that no query looks into, bytes.
 *
 * Every table names the organization its rows belong to, except those about people, who may belong to several.
 * The DDL stands in migrations/. A noun's rows are read and written in one `store.ts` only.
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
  /** When they first showed that the address is theirs. */
  email_verified_at: Generated<Milliseconds | null>
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
  /** Null is a guest, who sees only what is granted to him by name. */
  role: string | null
  disabled: Bit
  sso: Bit
  joined_at: Milliseconds
  last_seen_at: Milliseconds | null
  /** Null while the membership waits for its person's word. */
  accepted_at: Milliseconds | null
  /** The name by which the organization knows somebody who has not accepted: their profile is none of its business. */
  known_as: string | null
}

/** Of those who are members no more, and had not accepted. */
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
  /** Which of the space's heads that is, counted from 0: moves with the head. */
  head_number: Generated<number>
  next_change_request_number: Generated<number>
  language: string | null
  created_by: UserId
  /** SpaceMergeRules; null for those of the organization. */
  merge_rules: Generated<JsonText | null>
  /** Open ones, those of merged change requests among them. */
  comments: Generated<number>
  created_at: Milliseconds
  updated_at: Milliseconds
  /** In the trash since. */
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
  /** Where it branched off. */
  revision_initial_id: RevisionId
  /** The space's revision it last took in: the base of the next merge. */
  revision_merged_ancestor_id: RevisionId
  /** What its merge made of the space. */
  revision_merged_id: RevisionId | null
  agent_task_id: string | null
  merged_by: UserId | null
  merged_at: Milliseconds | null
  /** Conflicts that an update left to be resolved. */
  conflicts: JsonText | null
  /** Open ones. */
  comments: Generated<number>
}

/** Who wrote in a change request, when last and how often. */
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
  /** Whose branch it is on; null for the space's own line. */
  change_request_id: ChangeRequestId | null
  /** Its place on this line, counted from 1: history is in this order, never in that of time. */
  number: number
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

/** Map nodes, texts, and other small bytes, named by what they are. */
export interface ObjectsTable {
  organization_id: OrganizationId
  hash: Hash
  bytes: Uint8Array
  /** When it was last put, by the database's clock and to the day. */
  put_at: Generated<Milliseconds>
}

/** What texts say of links, by their hashes; see content/text-links.ts. */
export interface TextLinksTable {
  organization_id: OrganizationId
  hash: Hash
  /** Of the reading that made it. */
  version: number
  links: Uint8Array
}

/** A page of a space that a text of a space names, by what it names it; see resources/links/follow-links.ts. */
export interface SpaceLinksTable {
  organization_id: OrganizationId
  space_id: SpaceId
  /** Of the text, as in lists of links. */
  place: string
  /** Among those of the text. */
  number: number
  /** The space that is named, which may be any, or none. */
  target_id: string
  /** Id of the page, or its path; in lower case. */
  path: string
}

/** What is known of the links of a space. */
export interface SpaceLinkStatesTable {
  organization_id: OrganizationId
  space_id: SpaceId
  revision_id: RevisionId
  /** Below which addresses of spaces were looked for. */
  application: string
}

/** Which uploaded bytes the file storage holds for an organization. */
export interface BlobsTable {
  organization_id: OrganizationId
  hash: Hash
  size: number
  created_at: Milliseconds
  /** As of an object. */
  put_at: Generated<Milliseconds>
}

/** How often revisions have left an organization; see collect/departures.ts. */
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
  /** Counts the keys that visitor tokens were signed with: see contract/site-keys.ts. */
  key_generation: Generated<number>
  /** Where visitors get a token, and where they end what gave them one. */
  login_url: Generated<string | null>
  logout_url: Generated<string | null>
  /** Of others, that run on its pages; null for none. */
  scripts: Generated<JsonText | null>
  /** How it counts what its readers do; null for what is usual. See resources/insights/settings.ts. */
  insights: Generated<JsonText | null>
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
  /** In lower case, as all that readers type is read. */
  path: string
  position: string
  /** Of its section, else of the site. */
  is_default: Bit
  condition: string | null
  /** In place of that of the space. */
  title: Generated<string | null>
  draft: Generated<Bit>
  hidden: Generated<Bit>
  /** What it sets otherwise than its site, null for nothing. */
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
  /** Among the sections and groups of one group, or of the site. */
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
  /** The same as readers' addresses are compared with it. */
  source_key: string
  /** Of the shape of the API. */
  destination: JsonText
  permanent: Bit
  /** Of a source that ends with a star: what stands in its place is put behind the destination. */
  capture_wildcard: Bit
  created_at: Milliseconds
  updated_at: Milliseconds | null
}

/** The key in the address of a link is made from its id: see contract/site-keys.ts. */
export interface SiteShareLinksTable {
  id: SiteShareLinkId
  organization_id: OrganizationId
  site_id: SiteId
  name: string | null
  /** An address without effect stays as it is, to be given its effect back. */
  active: Bit
  created_at: Milliseconds
}

/** One rating of a page by one reader of a site, who may change their mind; the id says whose it is to nobody. */
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

/** So many events of one kind in some hours. What a row does not tell is null, or was left out to make room. */
export interface SiteEventsTable {
  organization_id: OrganizationId
  site_id: SiteId
  /** 1, or 24 for the events of a day of long ago. */
  hours: number
  /** The first of them, counted from 1970. */
  hour: number
  /** A hash of all that follows but the counts. */
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
  /** The host of the page that led here. */
  referrer: string | null
  authenticated: Bit | null
  /** Those of a visitor that the site counts by. */
  claims: JsonText | null
  /** What only events of its type have: see resources/insights/visitor-event.ts. */
  detail: JsonText | null
  events: number
  /** Readers of whom it is the first event of a day, and first events after a pause. */
  visitors: number
  sessions: number
}

/** See resources/sites/former-paths.ts. */
export interface SiteFormerPathsTable {
  organization_id: OrganizationId
  site_id: SiteId
  /** The section in which a space had the path; empty for sections, and for spaces of sites without any. */
  scope: SiteSectionId | ''
  path: string
  /** It may be gone. */
  target_id: SiteSectionId | SiteSpaceId
}

/** Which organization something belongs to that is reached without naming one; see directory.ts. */
export interface DirectoryTable {
  /** Of a thing, or the host of a site. */
  id: string
  /** A DirectoryKind. */
  kind: string
  organization_id: OrganizationId
}

/** What is the same for all processes; see installation.ts. */
export interface InstallationTable {
  name: string
  value: string
}

/** The outbox: work to be done after a commit, and written by it. */
export interface JobsTable {
  id: string
  organization_id: OrganizationId | null
  type: string
  /** Jobs of one type and key that nobody has begun are one job. */
  key: string | null
  payload: JsonText
  /** Whose turn it is: greater than of all that waited when it was written; equal for some written together. */
  number: Generated<number>
  /** When it may be taken, 0 for at once: for a job in work, when its lease ends. Null is dead: given up, kept to be seen. */
  due_at: Milliseconds | null
  /** How often it was taken. */
  attempts: Generated<number>
  /** How often of these the process was asked to end. */
  given_back: Generated<number>
  /** Whoever works on it proves it by this; null while it waits. */
  claim: string | null
  error: string | null
  created_at: Milliseconds
}

/** How often something was tried; see attempts.ts. */
export interface AttemptsTable {
  key: string
  points: number
  expire: Milliseconds | null
}

/** The record of commits; see commits.ts. */
export interface CommitsTable {
  /** A number, because the order matters. */
  id: Generated<number>
  /** Organizations, `people`, `sites` or `everybody`, with spaces between them. */
  concerns: string
}

/** How far the index of a space has come; see search/state.ts. */
export interface SearchSpacesTable {
  organization_id: OrganizationId
  space_id: SpaceId
  /** What it shows at least; null before the first revision is whole. */
  revision_id: RevisionId | null
  /** That revision's on the space's line, -1 before the first. */
  head_number: number
  /** Of the folding that its entries were made by. */
  version: number
  /** Names the versions of specifications of which its pages show something; empty where none do. */
  specifications: string
  /** Who changes it in several steps, and until when nobody else may. */
  builder: string | null
  builder_until: Milliseconds | null
}

/** What a hit shows of its page. */
export interface SearchPagesTable {
  organization_id: OrganizationId
  space_id: SpaceId
  page_id: PageId
  title: string
  path: string
  /** Of the text that the sections were made of; empty for a page without one. */
  text_hash: Generated<string>
  /** Of the folding that made the sections. */
  version: Generated<number>
  /** Why the text is not in the index, though its page is. */
  failure: Generated<string | null>
  /** What the vocabulary counts of this page, none twice, with spaces between them. */
  words: Generated<string>
  /** The conditions under which the page as a whole stands, as JSON; empty for none. */
  guard: Generated<string>
}

/** The words of a space's pages; see search/vocabulary.ts. */
export interface SearchVocabularyTable {
  organization_id: OrganizationId
  space_id: SpaceId
  word: string
  /** The word from its last letter to its first; null where nobody asks for endings. */
  backwards: string | null
  /** How many pages hold it. */
  pages: number
}

/** Conditions under which something of a space stands, as JSON (core/conditions/guard.ts); see search/guards.ts. */
export interface SearchGuardsTable {
  organization_id: OrganizationId
  space_id: SpaceId
  /** Follows from the conditions. */
  id: string
  conditions: string
}

/**
 * What a hit shows of its section, as written; the words to find it by are engine-specific and stand in
 * search/. The id is a number, unlike all others, because SQLite's index can name rows by numbers only.
 */
export interface SearchSectionsTable {
  id: Generated<number>
  organization_id: OrganizationId
  space_id: SpaceId
  page_id: PageId
  /** Order in the page, from 0. */
  ordinal: number
  /** Null for what stands before the first heading. */
  anchor: string | null
  heading: string
  body: string
  /** Of its page, beside the section: most of what is found is ranked by it, and never looked at again. */
  page_title: Generated<string>
}

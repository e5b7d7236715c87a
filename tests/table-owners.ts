/**
 * Table ownership: the rows of a table are written and read in the folder of its owner; every other file that names a table
 * is listed with the reason. A new resource adds its tables to `owners`, and reads others through their stores.
 */

/** Rooms are folders or files below `src`. */
export const owners: Readonly<Record<string, string>> = {
  attempts: 'store/db',
  commits: 'store/db',
  directory: 'store/db',
  installation: 'store/db',
  objects: 'store/content',
  text_links: 'store/content',
  text_edits: 'store/content',
  space_links: 'resources/links',
  space_link_states: 'resources/links',
  revisions: 'store/content',
  blobs: 'store/content',
  departures: 'store/collect',
  jobs: 'store/jobs',
  search_spaces: 'store/search',
  search_pages: 'store/search',
  search_sections: 'store/search',
  search_vocabulary: 'store/search',
  search_guards: 'store/search',
  audit_events: 'access/audit',
  events: 'store/events',
  webhooks: 'resources/webhooks',
  webhook_subscriptions: 'resources/webhooks',
  webhook_deliveries: 'resources/webhooks',
  grants: 'access/rules',
  sessions: 'access/signin',
  sign_in_links: 'access/signin',
  api_tokens: 'access/signin',
  known_devices: 'access/signin',
  provider_accounts: 'access/signin',
  saml_requests: 'access/signin',
  saml_assertions: 'access/signin',
  users: 'resources/users',
  former_names: 'resources/users',
  organizations: 'resources/organizations',
  email_domains: 'resources/organizations',
  members: 'resources/members',
  teams: 'resources/teams',
  team_members: 'resources/teams',
  link_invites: 'resources/invites',
  saml_providers: 'resources/saml-providers',
  collections: 'resources/collections',
  custom_fields: 'resources/custom-fields',
  custom_field_values: 'resources/custom-fields',
  translation_settings: 'resources/translations',
  organization_translators: 'resources/translations',
  space_translations: 'resources/translations',
  translation_memory: 'resources/translations',
  translation_pages: 'resources/translations',
  openapi_specs: 'resources/openapi-specs',
  openapi_spec_versions: 'resources/openapi-specs',
  spaces: 'resources/spaces',
  change_requests: 'resources/change-requests',
  comments: 'resources/comments',
  comment_reactions: 'resources/comments',
  reviews: 'resources/reviews',
  requested_reviewers: 'resources/reviews',
  inbox_entries: 'resources/inbox',
  import_runs: 'resources/imports',
  import_fetches: 'resources/imports',
  pdfs: 'resources/pdfs',
  contributions: 'resources/change-requests',
  sites: 'resources/sites',
  site_spaces: 'resources/sites',
  site_sections: 'resources/sites',
  site_redirects: 'resources/sites',
  site_former_paths: 'resources/sites',
  site_share_links: 'resources/sites',
  page_feedback: 'resources/insights',
  page_views: 'resources/insights',
  site_events: 'resources/insights',
  site_visitor_schemas: 'resources/sites',
  site_section_groups: 'resources/sites',
}

interface Exception {
  readonly reason: string
  readonly rooms: readonly string[]
  readonly tables: readonly string[]
}

/** Rooms that write rows which are not theirs. */
export const writers: readonly Exception[] = [
  {
    reason: 'Deliveries to webhooks are begun by the act that they tell of.',
    rooms: ['store/events'],
    tables: ['webhook_deliveries'],
  },
  {
    reason: 'A head moves where it is compared with the one that was read.',
    rooms: ['store/content/heads.ts'],
    tables: ['spaces', 'change_requests'],
  },
  {
    reason: 'Who wrote in a branch is told by its revisions, and by suggestions that others applied.',
    rooms: ['store/content/revisions.ts'],
    tables: ['contributions'],
  },
  {
    reason: 'Spaces and collections stand in one row of siblings.',
    rooms: ['store/db/content-siblings.ts'],
    tables: ['spaces', 'collections'],
  },
  {
    reason: 'Proofs of an address and passwords are part of signing in.',
    rooms: ['access/signin'],
    tables: ['users'],
  },
  {
    reason: 'Signing in accepts an invitation, and an organization is made with its first member.',
    rooms: ['access/signin', 'resources/organizations'],
    tables: ['members'],
  },
  {
    reason: 'Invite links to a resource end with its grants.',
    rooms: ['access/rules'],
    tables: ['link_invites'],
  },
  {
    reason: 'Sessions and links end by the word of their owner, or of an admin.',
    rooms: ['resources/sessions'],
    tables: ['sessions', 'sign_in_links'],
  },
  {
    reason: 'What came through a provider ends with it.',
    rooms: ['resources/saml-providers'],
    tables: ['sessions', 'api_tokens'],
  },
  {
    reason: 'What belongs to a space leaves with it.',
    rooms: ['resources/spaces'],
    tables: ['change_requests', 'revisions'],
  },
  {
    reason: 'An organization cannot begin with a site that is gone.',
    rooms: ['resources/sites'],
    tables: ['organizations'],
  },
  {
    reason: 'Publishing a site locks the live edits of its spaces.',
    rooms: ['resources/sites'],
    tables: ['spaces'],
  },
]

/** Folders that read rows which they do not own; a folder that writes a table may read it. */
export const readers: readonly Exception[] = [
  {
    reason: 'An event knows whom to notify.',
    rooms: ['store/events'],
    tables: ['webhooks', 'webhook_subscriptions'],
  },
  {
    reason: 'What decides on permission is read where permission is decided.',
    rooms: ['access/rules'],
    tables: ['members', 'team_members', 'collections', 'spaces', 'site_spaces'],
  },
  {
    reason: 'Who is signed in for an organization that was blocked is not.',
    rooms: ['access/signin'],
    tables: ['organizations'],
  },
  {
    reason: 'Rows that have to agree are checked together.',
    rooms: ['store/db/invariants.ts'],
    tables: [
      'revisions',
      'grants',
      'members',
      'teams',
      'link_invites',
      'collections',
      'spaces',
      'change_requests',
      'comments',
      'reviews',
      'sites',
      'site_sections',
      'site_section_groups',
      'site_spaces',
      'openapi_specs',
      'openapi_spec_versions',
      'pdfs',
      'blobs',
    ],
  },
  {
    reason: 'What was counted in memory is written for the sites that are still there.',
    rooms: ['resources/insights'],
    tables: ['sites'],
  },
  {
    reason: 'The directory is made anew from the rows that it is about.',
    rooms: ['store/db/directory.ts'],
    tables: ['collections', 'spaces', 'sites', 'saml_providers'],
  },
  {
    reason: 'Contributions go to another organization with their change requests.',
    rooms: ['store/db/transfer.ts'],
    tables: ['change_requests'],
  },
  {
    reason: 'The doctor walks from the heads, and counts abandoned jobs.',
    rooms: ['store/content/verify.ts'],
    tables: ['organizations', 'spaces', 'change_requests', 'jobs'],
  },
  {
    reason: 'The garbage collector looks for every reference to an object.',
    rooms: ['store/collect'],
    tables: [
      'objects',
      'revisions',
      'blobs',
      'openapi_specs',
      'openapi_spec_versions',
      'pdfs',
      'space_translations',
    ],
  },
  {
    reason: 'What is written leads to a run of the translations that follow.',
    rooms: ['resources/content/content-jobs.ts'],
    tables: ['space_translations'],
  },
  {
    reason: 'A file is also used where the customization of a site refers to it.',
    rooms: ['resources/content/site-uses.ts'],
    tables: ['sites', 'site_spaces'],
  },
  {
    reason: 'The index compares itself with the head.',
    rooms: ['store/search'],
    tables: ['spaces'],
  },
  {
    reason: 'A server that starts asks of which spaces no links are known.',
    rooms: ['resources/links'],
    tables: ['spaces'],
  },
  {
    reason: 'Lists show to people what other rooms write about them.',
    rooms: ['resources/audit'],
    tables: ['audit_events', 'members', 'former_names', 'users'],
  },
  { reason: 'The same for tokens.', rooms: ['resources/tokens'], tables: ['api_tokens'] },
  {
    reason: 'An access level follows from grants on a resource or its parents.',
    rooms: ['resources/collections', 'resources/spaces'],
    tables: ['grants', 'members'],
  },
  {
    reason: 'Grants are listed with the names of their members.',
    rooms: ['resources/permissions'],
    tables: ['grants', 'teams'],
  },
  {
    reason: 'Entries of an inbox are listed with what they are about.',
    rooms: ['resources/inbox'],
    tables: ['organizations', 'spaces', 'change_requests', 'comments', 'reviews', 'teams'],
  },
  {
    reason: 'Members are listed with their names, and with the count of what is shared with them.',
    rooms: ['resources/members'],
    tables: ['users', 'team_members', 'grants', 'spaces'],
  },
  {
    reason: 'Teams are the same for several.',
    rooms: ['resources/teams'],
    tables: ['users', 'members', 'grants', 'spaces'],
  },
  {
    reason: 'An organization knows people by other names before they accept.',
    rooms: ['resources/users'],
    tables: ['members'],
  },
  {
    reason: 'An admin ends the sessions of a member, and a password must not hold the address.',
    rooms: ['resources/sessions'],
    tables: ['members', 'users'],
  },
  {
    reason: 'An invitation names the organization, and is a member that waits.',
    rooms: ['resources/invites'],
    tables: ['organizations', 'members'],
  },
  {
    reason: 'A provider has its URL below its organization.',
    rooms: ['resources/saml-providers'],
    tables: ['organizations'],
  },
  {
    reason: 'Its people may own teams, and its default content may be a site.',
    rooms: ['resources/organizations'],
    tables: ['team_members', 'sites'],
  },
  {
    reason: 'Comments of a merged change request are on its space too.',
    rooms: ['resources/comments'],
    tables: ['change_requests'],
  },
  {
    reason: 'Reviewers are members, and a review requested from a team may come from any of its members.',
    rooms: ['resources/reviews'],
    tables: ['members', 'team_members'],
  },
  {
    reason: 'Change requests of an organization are those of the spaces that one may read.',
    rooms: ['resources/change-requests'],
    tables: ['spaces'],
  },
  {
    reason: 'Change requests are found by their commenters, and by their requested reviewers.',
    rooms: ['resources/change-requests'],
    tables: ['comments', 'requested_reviewers', 'team_members'],
  },
  {
    reason: 'A space says where it is published.',
    rooms: ['resources/spaces'],
    tables: ['organizations', 'sites', 'site_sections', 'site_spaces'],
  },
  {
    reason: 'The address of a site begins with that of its organization.',
    rooms: ['resources/sites'],
    tables: ['organizations'],
  },
]

/** Tags of the OpenAPI document, the chapters of the API reference: every operation has one. */

/** Names with descriptions. */
export const tags = {
  Users: 'Your account: profile, API tokens, sessions and invitations.',
  Inbox: 'What you are notified of.',
  Organizations: 'Organizations, to which everything else belongs, and their audit logs.',
  Members: 'The people of an organization.',
  Teams: 'Groups of members who are granted roles together.',
  Invites: 'Invitations by e-mail address, and links with which people join an organization.',
  Collections: 'Folders of spaces and other collections.',
  'Custom fields': 'Metadata fields of an organization, and their values on spaces.',
  'OpenAPI specifications': 'Descriptions of APIs, with their versions, for pages that refer to them.',
  Translations: 'Translated spaces, which follow another space, and the settings of their translation.',
  Webhooks: 'Addresses that events are sent to, and the deliveries.',
  'Single sign-on': 'The identity providers of an organization.',
  Spaces: 'Containers of content.',
  Permissions: 'Roles that are granted to users and teams on spaces and collections.',
  Content: 'Pages, files and reusable contents: reading, editing, importing and exporting them.',
  Revisions: 'The history of content, and what changed from one revision to the next.',
  'Change requests': 'Branches of the content of a space, which are reviewed and merged.',
  Comments: 'Comments on content, and replies to them.',
  Reviews: 'Reviews of change requests, and requests for them.',
  Links: 'Links between contents, broken links and backlinks.',
  Sites: 'Spaces published for readers.',
  'Site structure': 'Sections, groups of sections, and the spaces of a site.',
  'Site customization': 'The appearance of a site, and scripts on its pages.',
  'Adaptive content': 'The claims about visitors on which the content of a site depends.',
  'Site redirects': 'Former paths of a site and where they lead.',
  'Site audience': 'Share links, visitor authentication and previews of a site.',
  'Site insights': 'Feedback and events of the visitors of a site.',
  Events: 'What happened in a space, a change request or a site, as a list or a stream.',
  URLs: 'Resolution of addresses of the app and of published sites.',
} as const satisfies Record<string, string>

export type TagName = keyof typeof tags

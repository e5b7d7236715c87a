/** Spaces: containers of content. */
import Type, { type Static } from 'typebox'
import { ChangeOutcome, ChangesBody, ChangesQuery, InsertedFile } from './changes.js'
import { Revision } from './content.js'
import { CustomFieldFilter, CustomFieldValue } from './custom-fields.js'
import { endpoint } from './endpoint.js'
import { SpaceMergeRules } from './merge-rules.js'
import { File } from './pages.js'
import {
  DefaultLevel,
  Identifier,
  ListOf,
  ListQuery,
  NullableString,
  Order,
  Role,
  Timestamp,
  Visibility,
  Words,
  listQueryWith,
  shape,
} from './shapes.js'

export const editModes = ['live', 'locked'] as const

export const Space = shape(
  'Space',
  Type.Object({
    object: Type.Literal('space'),
    id: Type.String(),
    title: Type.String(),
    emoji: Type.String(),
    visibility: Visibility,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    deletedAt: Type.Optional(Timestamp),
    editMode: Words(editModes),
    urls: Type.Object({
      location: Type.String(),
      app: Type.String(),
      published: Type.Optional(Type.String()),
      public: Type.Optional(Type.String()),
      icon: Type.Optional(Type.String()),
    }),
    organization: Type.String(),
    parent: Type.Optional(Type.String()),
    language: Type.Optional(Type.String()),
    customFields: Type.Optional(
      Type.Record(Type.String(), CustomFieldValue, {
        description: 'Values of custom fields by name; absent if there are none.',
      }),
    ),
    revision: Type.String(),
    defaultLevel: DefaultLevel,
    comments: Type.Integer(),
    changeRequests: Type.Integer(),
    changeRequestsOpen: Type.Integer(),
    changeRequestsDraft: Type.Integer(),
    mergeRules: SpaceMergeRules,
    permissions: Type.Object({
      view: Type.Boolean(),
      access: Type.Boolean(),
      admin: Type.Boolean(),
      viewInviteLinks: Type.Boolean(),
      edit: Type.Boolean(),
      triggerGitSync: Type.Boolean(),
      installIntegration: Type.Boolean(),
      comment: Type.Boolean(),
      merge: Type.Boolean(),
      review: Type.Boolean(),
    }),
  }),
)
export type Space = Static<typeof Space>

const SpaceTitle = Type.String({ minLength: 1, maxLength: 50 })
const SpaceEmoji = Type.String({
  maxLength: 50,
  description: 'The character, or its code points in hexadecimal.',
})
const languageCode = { maxLength: 16, pattern: '^[a-z]{2,3}(-[a-z]{2,4})?$', examples: ['en'] }

export const listSpaces = endpoint('listSpacesInOrganizationById', 'GET', '/orgs/:organizationId/spaces', {
  summary: 'List spaces',
  description: 'Returns the spaces of an organization that you may read.',
  tag: 'Spaces',
  query: listQueryWith({ customField: CustomFieldFilter }),
  reply: ListOf(Space),
})

export const createSpace = endpoint('createSpace', 'POST', '/orgs/:organizationId/spaces', {
  summary: 'Create a space',
  description: 'Creates a space with one empty page, or without pages if `empty` is true.',
  tag: 'Spaces',
  body: Type.Object({
    title: Type.Optional(SpaceTitle),
    emoji: Type.Optional(SpaceEmoji),
    parent: Type.Optional(Identifier),
    language: Type.Optional(Type.String(languageCode)),
    editMode: Type.Optional(Words(editModes)),
    empty: Type.Optional(Type.Boolean({ description: 'True creates no page.' })),
  }),
  bodyRequired: false,
  reply: Space,
  success: 201,
})

export const getSpace = endpoint('getSpaceById', 'GET', '/spaces/:spaceId', {
  summary: 'Get a space',
  description: 'Returns one space with its settings and your permissions on it.',
  tag: 'Spaces',
  readers: true,
  query: Type.Object({
    shareKey: Type.Optional(
      Type.String({ maxLength: 256, description: 'Key of a share link of a site that shows the space.' }),
    ),
  }),
  reply: Space,
})

export const updateSpace = endpoint('updateSpaceById', 'PATCH', '/spaces/:spaceId', {
  summary: 'Update a space',
  description: 'Changes the settings that are sent; the others stay as they are.',
  tag: 'Spaces',
  body: Type.Object({
    title: Type.Optional(SpaceTitle),
    emoji: Type.Optional(SpaceEmoji),
    editMode: Type.Optional(Words(editModes)),
    defaultLevel: Type.Optional(DefaultLevel),
    language: Type.Optional(NullableString(languageCode)),
    mergeRules: Type.Optional(SpaceMergeRules),
  }),
  bodyRequired: false,
  reply: Space,
})

const SpaceChanged = Type.Object({
  space: Space,
  changes: Type.Array(ChangeOutcome),
  insertedFiles: Type.Array(InsertedFile),
})

export const changeSpaceContent = endpoint('updateSpaceContent', 'POST', '/spaces/:spaceId/content', {
  summary: 'Edit the content of a space',
  description:
    'Applies a batch of changes to pages and files as one new revision: all of them or none. Possible where the space allows live edits.',
  tag: 'Content',
  query: ChangesQuery,
  revisionTag: true,
  body: ChangesBody,
  large: true,
  reply: Type.Unsafe<Space | Static<typeof SpaceChanged>>({ anyOf: [Space, SpaceChanged] }),
})

export const uploadSpaceFile = endpoint('uploadFileInSpace', 'POST', '/spaces/:spaceId/content/files', {
  summary: 'Upload a file to a space',
  description:
    'Adds one file, sent as multipart/form-data or as the body itself. Possible where the space allows live edits.',
  tag: 'Content',
  upload: true,
  reply: File,
  success: 201,
})

export const rollbackSpace = endpoint(
  'rollbackSpaceToRevision',
  'POST',
  '/spaces/:spaceId/revisions/:revisionId/rollback',
  {
    summary: 'Roll back to a revision',
    description: 'Makes the content of an earlier revision current again, as a new revision.',
    tag: 'Revisions',
    reply: Revision,
    large: true,
    success: 201,
  },
)

export const deleteSpace = endpoint('deleteSpaceById', 'DELETE', '/spaces/:spaceId', {
  summary: 'Delete a space',
  description: 'Moves a space to the trash, from where it can be restored for 7 days.',
  tag: 'Spaces',
  success: 205,
})

export const restoreSpace = endpoint('restoreSpace', 'POST', '/spaces/:spaceId/restore', {
  summary: 'Restore a space',
  description: 'Takes a space out of the trash.',
  tag: 'Spaces',
  reply: Space,
})

export const listTrash = endpoint('listSpacesInTrash', 'GET', '/orgs/:organizationId/trash', {
  summary: 'List the trash',
  description: 'Returns the deleted spaces of an organization that you may restore, last deleted first.',
  tag: 'Spaces',
  query: ListQuery,
  reply: ListOf(Space),
})

export const purgeSpace = endpoint('purgeSpace', 'POST', '/spaces/:spaceId/purge', {
  summary: 'Delete a space permanently',
  description: 'Deletes a space that is in the trash, with its history. It cannot be restored.',
  tag: 'Spaces',
  success: 204,
})

export const duplicateSpace = endpoint('duplicateSpace', 'POST', '/spaces/:spaceId/duplicate', {
  summary: 'Duplicate a space',
  description: 'Creates a private copy of the content, without its history.',
  tag: 'Spaces',
  reply: Space,
  success: 201,
})

const MemberSpace = Type.Object({ permission: Role, space: Space })

export const listMemberSpaces = endpoint(
  'listSpacesForOrganizationMember',
  'GET',
  '/orgs/:organizationId/members/:userId/spaces',
  {
    summary: 'List the spaces of a member',
    description:
      'Returns the spaces that a member may read and you may read as well, with the role of the member.',
    tag: 'Members',
    query: listQueryWith({ order: Order }),
    reply: ListOf(MemberSpace),
  },
)

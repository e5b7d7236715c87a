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
        description: 'What the space says, by the names of fields; absent where it says nothing.',
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
const languageCode = { maxLength: 16, pattern: '^[a-z]{2,3}(-[a-z]{2,4})?$' }

export const listSpaces = endpoint('listSpacesInOrganizationById', 'GET', '/orgs/:organizationId/spaces', {
  summary: 'The spaces of an organization that you may read',
  tag: 'spaces',
  query: listQueryWith({ customField: CustomFieldFilter }),
  reply: ListOf(Space),
})

export const createSpace = endpoint('createSpace', 'POST', '/orgs/:organizationId/spaces', {
  summary: 'Create a space with one empty page',
  tag: 'spaces',
  body: Type.Object({
    title: Type.Optional(SpaceTitle),
    emoji: Type.Optional(SpaceEmoji),
    parent: Type.Optional(Identifier),
    language: Type.Optional(Type.String(languageCode)),
    editMode: Type.Optional(Words(editModes)),
    empty: Type.Optional(Type.Boolean({ description: 'True for a space without any page.' })),
  }),
  bodyRequired: false,
  reply: Space,
  success: 201,
})

export const getSpace = endpoint('getSpaceById', 'GET', '/spaces/:spaceId', {
  summary: 'One space',
  tag: 'spaces',
  readers: true,
  query: Type.Object({ shareKey: Type.Optional(Type.String({ maxLength: 256 })) }),
  reply: Space,
})

export const updateSpace = endpoint('updateSpaceById', 'PATCH', '/spaces/:spaceId', {
  summary: 'Change the settings of a space',
  tag: 'spaces',
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
  summary: 'Edit live, where the space is not locked: all of the batch or nothing, one new revision',
  tag: 'content',
  query: ChangesQuery,
  body: ChangesBody,
  large: true,
  reply: Type.Unsafe<Space | Static<typeof SpaceChanged>>({ anyOf: [Space, SpaceChanged] }),
})

export const uploadSpaceFile = endpoint('uploadFileInSpace', 'POST', '/spaces/:spaceId/content/files', {
  summary: 'Upload one file as multipart/form-data, live',
  tag: 'content',
  upload: true,
  reply: File,
  success: 201,
})

export const rollbackSpace = endpoint(
  'rollbackSpaceToRevision',
  'POST',
  '/spaces/:spaceId/revisions/:revisionId/rollback',
  {
    summary: 'Make an earlier revision the current content again, as a new revision',
    tag: 'revisions',
    reply: Revision,
    large: true,
    success: 201,
  },
)

export const deleteSpace = endpoint('deleteSpaceById', 'DELETE', '/spaces/:spaceId', {
  summary: 'Put a space into the trash, from where it can be restored for 7 days',
  tag: 'spaces',
  success: 205,
})

export const restoreSpace = endpoint('restoreSpace', 'POST', '/spaces/:spaceId/restore', {
  summary: 'Take a space out of the trash',
  tag: 'spaces',
  reply: Space,
})

export const duplicateSpace = endpoint('duplicateSpace', 'POST', '/spaces/:spaceId/duplicate', {
  summary: 'Make a private copy of the content, without its history',
  tag: 'spaces',
  reply: Space,
  success: 201,
})

const MemberSpace = Type.Object({ permission: Role, space: Space })

export const listMemberSpaces = endpoint(
  'listSpacesForOrganizationMember',
  'GET',
  '/orgs/:organizationId/members/:userId/spaces',
  {
    summary: 'The spaces that a member may read, as far as you may read them too',
    tag: 'members',
    query: listQueryWith({ order: Order }),
    reply: ListOf(MemberSpace),
  },
)

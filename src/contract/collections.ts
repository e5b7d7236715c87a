/** Collections: folders of spaces and other collections. */
import Type, { type Static } from 'typebox'
import { endpoint } from './endpoint.js'
import {
  DefaultLevel,
  Identifier,
  ListOf,
  ListQuery,
  NullableString,
  Words,
  listQueryWith,
  shape,
} from './shapes.js'
import { Space } from './spaces.js'

export const Collection = shape(
  'Collection',
  Type.Object({
    object: Type.Literal('collection'),
    id: Type.String(),
    title: Type.String(),
    description: Type.Optional(Type.String()),
    organization: Type.String(),
    parent: Type.Optional(Type.String()),
    defaultLevel: DefaultLevel,
    urls: Type.Object({ location: Type.String(), app: Type.String() }),
    permissions: Type.Object({
      view: Type.Boolean(),
      admin: Type.Boolean(),
      viewInviteLinks: Type.Boolean(),
      create: Type.Boolean(),
    }),
  }),
)
export type Collection = Static<typeof Collection>

const Pointer = Type.Object({
  type: Words(['space', 'collection'] as const),
  space: Type.Optional(Identifier),
  collection: Type.Optional(Identifier),
  id: Type.Optional(Identifier),
})
export type Pointer = Static<typeof Pointer>

/** Destination of a moved space or collection; at the end without a position. */
export const MoveBody = Type.Object({
  parent: Type.Optional(
    NullableString({
      maxLength: 64,
      description: 'A collection, or null for none; unchanged when left out.',
    }),
  ),
  position: Type.Optional(Type.Object({ before: Type.Optional(Pointer), after: Type.Optional(Pointer) })),
})
export type MoveBody = Static<typeof MoveBody>

export const TransferBody = Type.Object({ organization: Identifier })

const place = '/orgs/:organizationId/collections'
const one = '/collections/:collectionId'
const tag = 'collections'
const CollectionTitle = Type.String({ maxLength: 50 })

export const listCollections = endpoint('listCollectionsInOrganizationById', 'GET', place, {
  summary: 'The collections of an organization that you may read',
  tag,
  query: listQueryWith({
    nested: Type.Optional(
      Type.Boolean({ default: true, description: 'False leaves out collections in collections.' }),
    ),
  }),
  reply: ListOf(Collection),
})

export const createCollection = endpoint('createCollection', 'POST', place, {
  summary: 'Create a collection',
  tag,
  body: Type.Object({ title: Type.Optional(CollectionTitle), parent: Type.Optional(Identifier) }),
  bodyRequired: false,
  reply: Collection,
  success: 201,
})

export const getCollection = endpoint('getCollectionById', 'GET', one, {
  summary: 'One collection',
  tag,
  reply: Collection,
})

export const updateCollection = endpoint('updateCollectionById', 'PATCH', one, {
  summary: 'Change a collection',
  tag,
  body: Type.Object({
    title: Type.Optional(CollectionTitle),
    description: Type.Optional(Type.String({ maxLength: 100 })),
    defaultLevel: Type.Optional(DefaultLevel),
  }),
  bodyRequired: false,
  reply: Collection,
})

export const deleteCollection = endpoint('deleteCollectionById', 'DELETE', one, {
  summary: 'Delete a collection with those inside; their spaces go to the trash',
  tag,
  success: 205,
})

export const listCollectionSpaces = endpoint('listSpacesInCollectionById', 'GET', `${one}/spaces`, {
  summary: 'The spaces of a collection that you may read',
  tag,
  query: ListQuery,
  reply: ListOf(Space),
})

export const moveCollection = endpoint('moveCollection', 'POST', `${one}/move`, {
  summary: 'Move a collection among its siblings or into another collection',
  tag,
  body: MoveBody,
  bodyRequired: false,
  reply: Collection,
})

export const transferCollection = endpoint('transferCollection', 'POST', `${one}/transfer`, {
  summary: 'Give a collection, with everything inside, to another organization',
  tag,
  body: TransferBody,
  reply: Collection,
})

export const moveSpace = endpoint('moveSpace', 'POST', '/spaces/:spaceId/move', {
  summary: 'Move a space among its siblings or into a collection',
  tag: 'spaces',
  body: MoveBody,
  bodyRequired: false,
  reply: Space,
})

export const transferSpace = endpoint('transferSpace', 'POST', '/spaces/:spaceId/transfer', {
  summary: 'Give a space to another organization',
  tag: 'spaces',
  body: TransferBody,
  reply: Space,
})

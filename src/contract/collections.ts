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
      description: 'Id of the new parent collection, or null for none; unchanged when absent.',
    }),
  ),
  position: Type.Optional(Type.Object({ before: Type.Optional(Pointer), after: Type.Optional(Pointer) })),
})
export type MoveBody = Static<typeof MoveBody>

export const TransferBody = Type.Object({ organization: Identifier })

const place = '/orgs/:organizationId/collections'
const one = '/collections/:collectionId'
const tag = 'Collections'
const CollectionTitle = Type.String({ maxLength: 50 })

export const listCollections = endpoint('listCollectionsInOrganizationById', 'GET', place, {
  summary: 'List collections',
  description: 'Returns the collections of an organization that you may read.',
  tag,
  query: listQueryWith({
    nested: Type.Optional(
      Type.Boolean({ default: true, description: 'False omits collections in other collections.' }),
    ),
  }),
  reply: ListOf(Collection),
})

export const createCollection = endpoint('createCollection', 'POST', place, {
  summary: 'Create a collection',
  description: 'Creates a collection, at the top level or in another collection.',
  tag,
  body: Type.Object({ title: Type.Optional(CollectionTitle), parent: Type.Optional(Identifier) }),
  bodyRequired: false,
  reply: Collection,
  success: 201,
})

export const getCollection = endpoint('getCollectionById', 'GET', one, {
  summary: 'Get a collection',
  description: 'Returns one collection.',
  tag,
  reply: Collection,
})

export const updateCollection = endpoint('updateCollectionById', 'PATCH', one, {
  summary: 'Update a collection',
  description: 'Changes the members that are sent; the others stay as they are.',
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
  summary: 'Delete a collection',
  description: 'Deletes a collection with the collections in it. Their spaces are moved to the trash.',
  tag,
  success: 205,
})

export const listCollectionSpaces = endpoint('listSpacesInCollectionById', 'GET', `${one}/spaces`, {
  summary: 'List the spaces of a collection',
  description: 'Returns the spaces of a collection that you may read.',
  tag,
  query: ListQuery,
  reply: ListOf(Space),
})

export const moveCollection = endpoint('moveCollection', 'POST', `${one}/move`, {
  summary: 'Move a collection',
  description: 'Moves a collection among its siblings or into another collection.',
  tag,
  body: MoveBody,
  bodyRequired: false,
  reply: Collection,
})

export const transferCollection = endpoint('transferCollection', 'POST', `${one}/transfer`, {
  summary: 'Transfer a collection',
  description: 'Moves a collection with everything in it to another organization.',
  tag,
  body: TransferBody,
  reply: Collection,
})

export const moveSpace = endpoint('moveSpace', 'POST', '/spaces/:spaceId/move', {
  summary: 'Move a space',
  description: 'Moves a space among its siblings or into a collection.',
  tag: 'Spaces',
  body: MoveBody,
  bodyRequired: false,
  reply: Space,
})

export const transferSpace = endpoint('transferSpace', 'POST', '/spaces/:spaceId/transfer', {
  summary: 'Transfer a space',
  description: 'Moves a space to another organization.',
  tag: 'Spaces',
  body: TransferBody,
  reply: Space,
})

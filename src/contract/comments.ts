/** Comments and their replies: the same operations on a space and in a change request. */
import Type, { type Static } from 'typebox'
import { formats } from './content.js'
import { type BasePath, endpointAt, basePathOf } from './endpoint.js'
import { Member, MemberSearch } from './members.js'
import { Identifier, IdentifierOf, ListOf, Order, Timestamp, Words, listQueryWith, shape } from './shapes.js'
import { User } from './users.js'

export const commentStatuses = ['open', 'resolved'] as const
export const commentFilters = ['all', ...commentStatuses] as const

/** Characters of a comment or reply. */
export const maxCommentLength = 10_000

export const CommentFormat = Type.Optional(
  Words(formats, { default: 'markdown', description: 'The format in which `body` is returned.' }),
)

const Reactions = Type.Array(
  Type.Object({
    emoji: Type.String({ description: 'Code points in hexadecimal, joined by "-".' }),
    count: Type.Integer(),
    users: Type.Array(Type.Object({ user: User, reactedAt: Timestamp })),
  }),
)

const Body = Type.Object({
  markdown: Type.Optional(Type.String()),
  document: Type.Optional(Type.Unsafe<object>({ type: 'object', additionalProperties: true })),
})

const Permissions = Type.Object({
  view: Type.Boolean(),
  edit: Type.Boolean(),
  reply: Type.Boolean(),
  delete: Type.Boolean(),
})

const bodyMembers = {
  id: Type.String(),
  postedBy: User,
  postedAt: Timestamp,
  editedAt: Type.Optional(Timestamp),
  reactions: Reactions,
  body: Body,
  urls: Type.Object({ location: Type.String() }),
  permissions: Permissions,
}

export const Comment = shape(
  'Comment',
  Type.Object({
    object: Type.Literal('comment'),
    ...bodyMembers,
    replies: Type.Integer(),
    repliers: Type.Array(
      Type.Object({
        user: User,
        updatedAt: Timestamp,
        count: Type.Integer(),
        actionType: Type.Literal('comment'),
      }),
    ),
    target: Type.Object({
      space: Type.String(),
      revision: Type.String({
        description: 'The current revision, or the last one that had the target.',
      }),
      changeRequest: Type.Optional(Type.String()),
      review: Type.Optional(Type.String({ description: 'Id of the review that the comment belongs to.' })),
      page: Type.Optional(
        Type.Object({
          id: Type.String(),
          title: Type.String(),
          emoji: Type.Optional(Type.String()),
          icon: Type.Optional(Type.String()),
          createdAt: Type.Optional(Timestamp),
          updatedAt: Type.Optional(Timestamp),
          path: Type.String(),
          outdated: Type.Boolean({ description: 'True once the page, or the block on it, was deleted.' }),
        }),
      ),
      node: Type.Optional(
        Type.Object({
          id: Type.String({ description: 'The key of the block in the document of that revision.' }),
          preview: Type.Optional(
            Type.String({ description: 'The first words of the block when the comment was posted.' }),
          ),
        }),
      ),
    }),
    status: Words(commentStatuses),
    resolvedAt: Type.Optional(Timestamp),
    resolvedBy: Type.Optional(User),
  }),
)
export type Comment = Static<typeof Comment>

export const CommentReply = shape(
  'CommentReply',
  Type.Object({ object: Type.Literal('comment-reply'), ...bodyMembers }),
)
export type CommentReply = Static<typeof CommentReply>

export const NewWords = Type.Object({
  markdown: Type.String({ minLength: 1, maxLength: maxCommentLength, pattern: '\\S' }),
})
const Emoji = Type.Array(
  Type.String({
    minLength: 1,
    maxLength: 60,
    description: 'The character, or its code points in hexadecimal.',
  }),
  { maxItems: 20 },
)
const reactionsOf = { addedReactions: Type.Optional(Emoji), removedReactions: Type.Optional(Emoji) }
const FormatQuery = Type.Object({ format: CommentFormat })

/** The comment endpoints below a base path with these parameters. */
export type CommentEndpoints<Params extends string> = ReturnType<typeof commentEndpoints<Params>>

function commentEndpoints<Params extends string>(place: BasePath<Params>, where: 'Space' | 'ChangeRequest') {
  const tag = 'Comments'
  const noun = where === 'Space' ? 'space' : 'change request'
  return {
    list: endpointAt(place, `listCommentsIn${where}`, 'GET', '/comments', {
      summary: `List the comments on a ${noun}`,
      description: 'Returns comments with their number of replies, newest first unless ordered otherwise.',
      tag,
      query: listQueryWith({
        order: Order,
        status: Type.Optional(
          Words(commentFilters, { default: 'all', description: 'Only comments with this status.' }),
        ),
        format: CommentFormat,
        targetPage: Type.Optional(IdentifierOf('a page, to return only the comments on it')),
        authors: Type.Optional(
          Type.Array(Identifier, {
            maxItems: 100,
            description: 'Ids of users, to return only their comments.',
          }),
        ),
      }),
      reply: ListOf(Comment),
    }),
    commenters: endpointAt(place, `listCommentersIn${where}`, 'GET', '/commenters', {
      summary: `List who may be mentioned on a ${noun}`,
      description: 'Returns the people who may read the space, as members.',
      tag,
      query: listQueryWith({ search: MemberSearch }),
      reply: ListOf(Member),
    }),
    post: endpointAt(place, `postCommentIn${where}`, 'POST', '/comments', {
      summary: `Comment on a ${noun}`,
      description: 'Posts a comment on the whole, on a page, or on a block of a page.',
      tag,
      query: FormatQuery,
      body: Type.Object({
        body: NewWords,
        page: Type.Optional(Identifier),
        node: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 200,
            description: 'The `key` of a block in the document of `page`.',
          }),
        ),
      }),
      reply: Comment,
    }),
    get: endpointAt(place, `getCommentIn${where}`, 'GET', '/comments/:commentId', {
      summary: `Get a comment on a ${noun}`,
      description: 'Returns one comment.',
      tag,
      query: FormatQuery,
      reply: Comment,
    }),
    update: endpointAt(place, `updateCommentIn${where}`, 'PUT', '/comments/:commentId', {
      summary: `Update a comment on a ${noun}`,
      description:
        'Changes the text of a comment, adds or removes reactions, resolves the comment or reopens it.',
      tag,
      query: FormatQuery,
      body: Type.Object({
        body: Type.Optional(NewWords),
        resolved: Type.Optional(Type.Boolean()),
        ...reactionsOf,
      }),
      reply: Comment,
    }),
    remove: endpointAt(place, `deleteCommentIn${where}`, 'DELETE', '/comments/:commentId', {
      summary: `Delete a comment on a ${noun}`,
      description: 'Deletes a comment with its replies.',
      tag,
      success: 205,
    }),
    listReplies: endpointAt(place, `listCommentRepliesIn${where}`, 'GET', '/comments/:commentId/replies', {
      summary: `List the replies to a comment on a ${noun}`,
      description: 'Returns the replies to a comment, oldest first.',
      tag,
      query: listQueryWith({ format: CommentFormat }),
      reply: ListOf(CommentReply),
    }),
    postReply: endpointAt(place, `postCommentReplyIn${where}`, 'POST', '/comments/:commentId/replies', {
      summary: `Reply to a comment on a ${noun}`,
      description: 'Posts a reply to a comment.',
      tag,
      query: FormatQuery,
      body: Type.Object({ body: NewWords }),
      reply: CommentReply,
    }),
    getReply: endpointAt(
      place,
      `getCommentReplyIn${where}`,
      'GET',
      '/comments/:commentId/replies/:commentReplyId',
      {
        summary: `Get a reply to a comment on a ${noun}`,
        description: 'Returns one reply.',
        tag,
        query: FormatQuery,
        reply: CommentReply,
      },
    ),
    updateReply: endpointAt(
      place,
      `updateCommentReplyIn${where}`,
      'PUT',
      '/comments/:commentId/replies/:commentReplyId',
      {
        summary: `Update a reply to a comment on a ${noun}`,
        description: 'Changes the text of a reply, or adds and removes reactions.',
        tag,
        query: FormatQuery,
        body: Type.Object({ body: Type.Optional(NewWords), ...reactionsOf }),
        reply: CommentReply,
      },
    ),
    removeReply: endpointAt(
      place,
      `deleteCommentReplyIn${where}`,
      'DELETE',
      '/comments/:commentId/replies/:commentReplyId',
      {
        summary: `Delete a reply to a comment on a ${noun}`,
        description: 'Deletes one reply.',
        tag,
        success: 205,
      },
    ),
  }
}

export const spaceComments = commentEndpoints(basePathOf('/spaces/:spaceId'), 'Space')
export const changeRequestComments = commentEndpoints(
  basePathOf('/spaces/:spaceId/change-requests/:changeRequestId'),
  'ChangeRequest',
)

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
const CommentPermissions = Type.Object({
  ...Permissions.properties,
  resolve: Type.Boolean(),
  apply: Type.Boolean({ description: 'Whether you may edit, and so apply a suggestion.' }),
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

/** Characters of the words of a comment, of a suggestion, and suggestions applied at once. */
export const maxQuoteLength = 5_000
export const maxSuggestionLength = 20_000
export const maxAppliedSuggestions = 100

export const suggestionStatuses = ['open', 'outdated', 'applied', 'dismissed'] as const

const WordRange = (description: string) =>
  Type.Object({ start: Type.Integer({ minimum: 0 }), end: Type.Integer({ minimum: 0 }) }, { description })

const Suggestion = Type.Object({
  replacement: Type.String({ description: 'Inline Markdown instead of the words.' }),
  words: Type.String({ description: 'The words that it replaces.' }),
  status: Words(suggestionStatuses, {
    description:
      'Whether it can be applied: `outdated` once the words have changed, and `dismissed` where the comment was resolved without it.',
  }),
  appliedAt: Type.Optional(Timestamp),
  appliedBy: Type.Optional(User),
  revision: Type.Optional(Type.String({ description: 'The revision that applied it.' })),
})

export const Comment = shape(
  'Comment',
  Type.Object({
    object: Type.Literal('comment'),
    ...bodyMembers,
    permissions: CommentPermissions,
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
          range: Type.Optional(
            WordRange(
              'Of a comment on words: where they are now in the plain words of the block, in UTF-16 units. Absent once they are gone.',
            ),
          ),
          words: Type.Optional(
            Type.String({ description: 'The words now; once they are gone, as they were commented on.' }),
          ),
          before: Type.Optional(Type.String({ description: 'Up to 32 characters before the words.' })),
          after: Type.Optional(Type.String({ description: 'Up to 32 characters after the words.' })),
          occurrence: Type.Optional(
            Type.Integer({
              description: 'Which of several equal places of the page it is, from 0, in reading order.',
            }),
          ),
          removed: Type.Optional(
            Type.Literal(true, {
              description: 'Present once the words are gone, also where their block is not.',
            }),
          ),
        }),
      ),
    }),
    suggestion: Type.Optional(Suggestion),
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
      description:
        'Posts a comment on the whole, on a page, on a block of a page, or on words in it, with a suggestion of others where you have one.',
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
        range: Type.Optional(
          WordRange(
            'Words of the block `node`: a paragraph, heading or block of code. In UTF-16 units of its plain words, which are the texts of its leaves in a row, lines of code joined by line breaks.',
          ),
        ),
        quote: Type.Optional(
          Type.Object(
            {
              words: Type.String({ minLength: 1, maxLength: maxQuoteLength }),
              before: Type.Optional(Type.String({ maxLength: 500 })),
              after: Type.Optional(Type.String({ maxLength: 500 })),
              occurrence: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
            },
            {
              description:
                'Words of one block of `page` instead of `node` and `range`, as they are displayed, with some of what stands before and after them in the block, and which of several equal places is meant, from 0.',
            },
          ),
        ),
        suggestion: Type.Optional(
          Type.Object(
            { replacement: Type.String({ maxLength: maxSuggestionLength }) },
            {
              description:
                'Inline Markdown instead of the words; empty to remove them. Markup around words that stay is left as it is.',
            },
          ),
        ),
      }),
      reply: Comment,
    }),
    preview: endpointAt(place, `previewCommentIn${where}`, 'POST', '/comments/preview', {
      summary: `Preview a comment on a ${noun}`,
      description: 'Returns the document of what is being written. Nothing is posted.',
      tag,
      body: NewWords,
      reads: true,
      reply: Type.Object({
        document: Type.Unsafe<object>({ type: 'object', additionalProperties: true }),
      }),
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
    apply: endpointAt(place, `applySuggestionIn${where}`, 'POST', '/comments/:commentId/apply', {
      summary: `Apply the suggestion of a comment on a ${noun}`,
      description:
        'Replaces the words by the suggestion, in a revision of its own, and resolves the comment. Its author and you are both contributors. 409 where the words have changed.',
      tag,
      query: FormatQuery,
      reply: Comment,
    }),
    applyAll: endpointAt(place, `applySuggestionsIn${where}`, 'POST', '/comments/apply', {
      summary: `Apply suggestions of comments on a ${noun}`,
      description: 'Applies several suggestions in one revision: all of them, or none.',
      tag,
      query: FormatQuery,
      body: Type.Object({
        comments: Type.Array(Identifier, { minItems: 1, maxItems: maxAppliedSuggestions }),
      }),
      reply: Type.Object({
        revision: Type.String({ description: 'The revision that applied them.' }),
        items: Type.Array(Comment),
      }),
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

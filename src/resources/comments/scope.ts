/** Loads and authorizes `/comments/:commentId` and `/replies/:commentReplyId`, on a space or in a change request. */
import {
  type LoadRequest,
  type Scope,
  optionalResourceScope,
  resourceScope,
  withLoaded,
} from '../../access/route/scope.js'
import type { SpaceAction } from '../../access/rules/levels.js'
import type { CommentId } from '../../core/ids.js'
import type { ContentContext } from '../content/content.js'
import type { SpaceContext } from '../spaces/scope.js'
import { type Viewer, type CommentAction, authorizeComment } from './rules.js'
import { findComment, findReply } from './store.js'
import type { CommentRow } from './store.js'

/** The space and content that comments belong to. */
export interface CommentableContext {
  readonly space: SpaceContext
  readonly content: ContentContext
}

interface ViewedContext extends CommentableContext {
  readonly viewer: Viewer
}

const authorizeBy =
  <Key extends 'comment' | 'reply'>(key: Key) =>
  (action: CommentAction, resources: { readonly viewer: Viewer } & Record<Key, CommentRow | undefined>) =>
    authorizeComment(action, resources.viewer, resources[key])

const commentStep = {
  key: 'comment',
  noun: 'comment',
  find: ({ db }: LoadRequest, id: string, { content }: ViewedContext) =>
    findComment(db, content, id as CommentId),
  authorize: authorizeBy('comment'),
  visibleIf: 'view',
} as const

const replyStep = {
  key: 'reply',
  noun: 'reply',
  find: ({ db }: LoadRequest, id: string, { comment }: ViewedContext & { readonly comment: CommentRow }) =>
    findReply(db, comment, id as CommentId),
  authorize: authorizeBy('reply'),
  visibleIf: 'view',
} as const

/** Adds the viewer with their level on the space to a scope. */
export function withViewer<Params extends string, Context extends CommentableContext>(
  at: Scope<Params, Context, SpaceAction>,
) {
  return withLoaded(at, 'viewer', async ({ actor }, { space }): Promise<Viewer> => {
    return { userId: actor.userId, level: space.level }
  })
}

/** Returns the scopes of comments below a scope; `at…` also match comments that no longer exist, for idempotent removal. */
export function commentScopes<Params extends string, Context extends CommentableContext>(
  at: Scope<Params, Context, SpaceAction>,
) {
  const inComments = withViewer(at)
  const inComment = resourceScope(inComments, 'commentId', commentStep)
  return {
    inComments,
    inComment,
    atComment: optionalResourceScope(inComments, 'commentId', commentStep),
    inReply: resourceScope(inComment, 'commentReplyId', replyStep),
    atReply: optionalResourceScope(inComment, 'commentReplyId', replyStep),
  }
}

/** The steps `/comments/:commentId` and `/replies/:commentReplyId`, on a space and in a change request. */
import { type LoadRequest, type Scope, perhaps, place, withMore } from '../../access/route/scope.js'
import type { SpaceAction } from '../../access/rules/levels.js'
import type { CommentId } from '../../core/ids.js'
import type { ContentHere } from '../content/content.js'
import type { SpaceHere } from '../spaces/scope.js'
import { type Beholder, type CommentAction, judgeComment } from './rules.js'
import { findComment, findReply } from './store.js'
import type { CommentRow } from './store.js'

/** What a place has at hand whose content is commented. */
export interface Commented {
  readonly space: SpaceHere
  readonly content: ContentHere
}

interface Beheld extends Commented {
  readonly beholder: Beholder
}

const judgedBy =
  <Key extends 'comment' | 'reply'>(key: Key) =>
  (action: CommentAction, things: { readonly beholder: Beholder } & Record<Key, CommentRow | undefined>) =>
    judgeComment(action, things.beholder, things[key])

const commentStep = {
  key: 'comment',
  thing: 'comment',
  find: ({ db }: LoadRequest, id: string, { content }: Beheld) => findComment(db, content, id as CommentId),
  judge: judgedBy('comment'),
  seen: 'view',
} as const

const replyStep = {
  key: 'reply',
  thing: 'reply',
  find: ({ db }: LoadRequest, id: string, { comment }: Beheld & { readonly comment: CommentRow }) =>
    findReply(db, comment, id as CommentId),
  judge: judgedBy('reply'),
  seen: 'view',
} as const

/** Returns the place with whoever asks, as they stand before what is said there. */
export function withBeholder<Params extends string, Here extends Commented>(
  at: Scope<Params, Here, SpaceAction>,
) {
  return withMore(at, 'beholder', async ({ actor }, { space }): Promise<Beholder> => {
    return { userId: actor.userId, level: space.level }
  })
}

/** Returns the steps into the comments of a place; `at…` are for removing what may be gone already. */
export function commentScopes<Params extends string, Here extends Commented>(
  at: Scope<Params, Here, SpaceAction>,
) {
  const here = withBeholder(at)
  const inComment = place(here, 'commentId', commentStep)
  return {
    here,
    inComment,
    atComment: perhaps(here, 'commentId', commentStep),
    inReply: place(inComment, 'commentReplyId', replyStep),
    atReply: perhaps(inComment, 'commentReplyId', replyStep),
  }
}

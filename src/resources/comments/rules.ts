/**
 * Who may do what with a comment or a reply. Who may read the space sees them; who may comment answers and reacts. Words
 * are changed by who wrote them alone, and taken away by them or by whoever administers the space.
 */
import { type Level, type Verdict, reaches, spaceActions } from '../../access/rules/levels.js'
import { ApiError } from '../../contract/errors.js'
import type { UserId } from '../../core/ids.js'
import type { CommentRow } from './store.js'

/** `answer` is to reply, to react, to resolve and to edit one's own: what is in the body decides on the rest. */
export type CommentAction = 'view' | 'answer' | 'remove'

/** Somebody before a comment. */
export interface Beholder {
  readonly userId: UserId
  /** On the space. */
  readonly level: Level
}

export function judgeComment(
  action: CommentAction,
  { userId, level }: Beholder,
  row: CommentRow | undefined,
): Verdict {
  if (!reaches(level, spaceActions.view)) return 'hidden'
  if (action === 'view') return 'yes'
  // What is gone already was nobody's: whoever could have put it there is told so.
  if (action === 'answer' || row === undefined)
    return reaches(level, spaceActions.comment) ? 'yes' : { needs: spaceActions.comment }
  if (row.posted_by === userId || reaches(level, spaceActions.administer)) return 'yes'
  return { needs: spaceActions.administer }
}

export interface CommentPermissions {
  readonly view: boolean
  readonly edit: boolean
  readonly reply: boolean
  readonly delete: boolean
}

export function permissionsOn(row: CommentRow, beholder: Beholder): CommentPermissions {
  return {
    view: true,
    edit: isAuthor(row, beholder),
    reply: judgeComment('answer', beholder, row) === 'yes',
    delete: judgeComment('remove', beholder, row) === 'yes',
  }
}

/** Throws unless the words are theirs. */
export function requireAuthor(row: CommentRow, beholder: Beholder): void {
  if (!isAuthor(row, beholder)) throw new ApiError('only_own', { thing: 'author of the words' })
}

/** Throws unless they may say that the matter is settled, or open again. */
export function requireMayResolve(row: CommentRow, beholder: Beholder): void {
  if (isAuthor(row, beholder) || reaches(beholder.level, spaceActions.edit)) return
  throw new ApiError('forbidden', { action: 'resolve what somebody else asked', role: spaceActions.edit })
}

function isAuthor(row: CommentRow, { userId }: Beholder): boolean {
  return row.posted_by === userId
}

/**
 * Permissions on comments and replies: readers of the space see them, commenters reply and react. The text is
 * edited only by its author, and deleted by the author or an administrator of the space.
 */
import { type Level, type Verdict, reaches, spaceActions } from '../../access/rules/levels.js'
import { ApiError } from '../../contract/errors.js'
import type { UserId } from '../../core/ids.js'
import type { CommentRow } from './store.js'

/** `answer` covers replying, reacting, resolving and editing one's own; `changeComment` checks what the body asks for. */
export type CommentAction = 'view' | 'answer' | 'apply' | 'remove'

/** The user who reads or changes a comment. */
export interface Viewer {
  readonly userId: UserId
  /** Permission level on the space. */
  readonly level: Level
}

export function authorizeComment(
  action: CommentAction,
  { userId, level }: Viewer,
  row: CommentRow | undefined,
): Verdict {
  if (!reaches(level, spaceActions.view)) return 'hidden'
  if (action === 'view') return 'yes'
  if (action === 'apply') return reaches(level, spaceActions.edit) ? 'yes' : { needs: spaceActions.edit }
  // A comment that no longer exists has no author: any commenter learns that there was nothing to remove.
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
  readonly resolve: boolean
  readonly apply: boolean
}

export function permissionsOn(row: CommentRow, viewer: Viewer): CommentPermissions {
  return {
    view: true,
    edit: isAuthor(row, viewer),
    reply: authorizeComment('answer', viewer, row) === 'yes',
    delete: authorizeComment('remove', viewer, row) === 'yes',
    resolve: mayResolve(row, viewer) && authorizeComment('answer', viewer, row) === 'yes',
    apply: authorizeComment('apply', viewer, row) === 'yes',
  }
}

/** Throws 403 unless the viewer wrote the comment. */
export function requireAuthor(row: CommentRow, viewer: Viewer): void {
  if (!isAuthor(row, viewer)) throw new ApiError('only_own', { thing: 'author of the words' })
}

/** Throws 403 unless the viewer may resolve or reopen the comment. */
export function requireMayResolve(row: CommentRow, viewer: Viewer): void {
  if (mayResolve(row, viewer)) return
  throw new ApiError('forbidden', { action: 'resolve what somebody else asked', role: spaceActions.edit })
}

function mayResolve(row: CommentRow, viewer: Viewer): boolean {
  return isAuthor(row, viewer) || reaches(viewer.level, spaceActions.edit)
}

function isAuthor(row: CommentRow, { userId }: Viewer): boolean {
  return row.posted_by === userId
}

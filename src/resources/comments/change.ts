/** What people do with comments: post, edit, react, resolve, remove. */
import { newId } from '../../access/ids.js'
import { ApiError } from '../../contract/errors.js'
import { emojiCharacters, emojiCode } from '../../core/document/emoji-code.js'
import type { CommentId } from '../../core/ids.js'
import type { Tx } from '../../store/db/database.js'
import { countOpen } from './count.js'
import { type Beholder, requireAuthor, requireMayResolve } from './rules.js'
import {
  type CommentPlace,
  type CommentRow,
  countReply,
  deleteComment,
  deleteReactions,
  insertComment,
  putReactions,
  updateComment,
} from './store.js'
import type { Aim } from './targets.js'

export interface Words {
  readonly markdown: string
}

interface Posting {
  readonly beholder: Beholder
  readonly now: number
}

/** Returns a new comment on what was aimed at, perhaps in an older content of the same place. */
export async function postComment(
  tx: Tx,
  place: CommentPlace,
  { markdown }: Words,
  aim: Aim,
  { beholder, now }: Posting,
): Promise<CommentRow> {
  const row = await insertComment(tx, {
    organization_id: place.organizationId,
    id: newId<CommentId>(),
    space_id: place.spaceId,
    change_request_id: place.changeRequestId,
    review_id: aim.review ?? null,
    revision_id: aim.revision,
    page_id: aim.page,
    text_hash: aim.text,
    node: aim.node,
    preview: aim.preview,
    body: markdown,
    posted_by: beholder.userId,
    posted_at: now,
  })
  await countOpen(tx, row, 1)
  return row
}

/** Returns a new reply to a comment. */
export async function postReply(
  tx: Tx,
  comment: CommentRow,
  { markdown }: Words,
  { beholder, now }: Posting,
): Promise<CommentRow> {
  const { organization_id, id, space_id, change_request_id, revision_id } = comment
  await countReply(tx, organization_id, id, 1)
  return insertComment(tx, {
    organization_id,
    id: newId<CommentId>(),
    space_id,
    change_request_id,
    comment_id: id,
    revision_id,
    body: markdown,
    posted_by: beholder.userId,
    posted_at: now,
  })
}

export interface CommentChange {
  readonly body?: Words
  /** Of comments alone. */
  readonly resolved?: boolean
  readonly addedReactions?: readonly string[]
  readonly removedReactions?: readonly string[]
}

/** Returns the comment or reply after the change: all of it or nothing. What is so already stays as it is. */
export async function changeComment(
  tx: Tx,
  row: CommentRow,
  { body, resolved, addedReactions = [], removedReactions = [] }: CommentChange,
  { beholder, now }: Posting,
): Promise<CommentRow> {
  const { organization_id, id: comment_id, space_id } = row
  const { userId: user_id } = beholder
  let changed = row
  if (body !== undefined) {
    requireAuthor(row, beholder)
    changed = await updateComment(tx, row, { body: body.markdown, edited_at: now })
  }
  if (resolved !== undefined && resolved !== (row.resolved_at !== null)) {
    requireMayResolve(row, beholder)
    const settled = resolved
      ? { resolved_at: now, resolved_by: user_id }
      : { resolved_at: null, resolved_by: null }
    changed = await updateComment(tx, row, settled)
    await countOpen(tx, row, resolved ? -1 : 1)
  }
  const added = addedReactions.map((emoji) => readEmoji(emoji, 'addedReactions'))
  const removed = removedReactions.map((emoji) => readEmoji(emoji, 'removedReactions'))
  await deleteReactions(tx, row, user_id, removed)
  await putReactions(
    tx,
    [...new Set(added)].map((emoji) => {
      return { organization_id, space_id, comment_id, emoji, user_id, reacted_at: now }
    }),
  )
  return changed
}

/** Removes a comment with its replies. */
export async function removeComment(tx: Tx, row: CommentRow): Promise<void> {
  if (row.resolved_at === null) await countOpen(tx, row, -1)
  await deleteComment(tx, row)
}

export async function removeReply(tx: Tx, row: CommentRow): Promise<void> {
  await countReply(tx, row.organization_id, row.comment_id!, -1)
  await deleteComment(tx, row)
}

/** One emoji as browsers draw it, with the selector that some ask for or without. */
const oneEmoji = new RegExp('^\\p{RGI_Emoji}$', 'v')

/** Returns the code points of an emoji that was given as characters or as code points. */
function readEmoji(given: string, member: string): string {
  const characters = /^[0-9a-f-]+$/i.test(given) && given.length > 1 ? (emojiCharacters(given) ?? '') : given
  const code = emojiCode(characters)
  const [first = '', ...rest] = characters
  if (
    [characters, `${characters}\ufe0f`, [first, '\ufe0f', ...rest].join('')].some((one) => oneEmoji.test(one))
  )
    return code
  throw new ApiError('invalid_request', {
    problem: `The member "${member}" holds "${given}": each is one emoji, or its code points in hexadecimal.`,
  })
}

/** Writes comments: post, reply, edit, react, resolve, remove. */
import { newId } from '../../access/ids.js'
import { ApiError } from '../../contract/errors.js'
import { emojiCharacters, emojiCode } from '../../core/document/emoji-code.js'
import type { CommentId } from '../../core/ids.js'
import type { Tx } from '../../store/db/database.js'
import { countOpen } from './count.js'
import { notifyOfComment } from './notify.js'
import { type Viewer, requireAuthor, requireMayResolve } from './rules.js'
import {
  type CommentParent,
  type CommentRow,
  countReply,
  deleteComment,
  deleteReactions,
  insertComment,
  putReactions,
  updateComment,
} from './store.js'
import type { CommentAnchor } from './comment-target.js'

export interface MarkdownText {
  readonly markdown: string
}

interface CommentActor {
  readonly viewer: Viewer
  readonly now: number
}

/** Inserts and returns a comment at the anchor, whose revision may be older than the head. */
export async function postComment(
  tx: Tx,
  parent: CommentParent,
  { markdown }: MarkdownText,
  anchor: CommentAnchor,
  { viewer, now }: CommentActor,
): Promise<CommentRow> {
  const row = await insertComment(tx, {
    organization_id: parent.organizationId,
    id: newId<CommentId>(),
    space_id: parent.spaceId,
    change_request_id: parent.changeRequestId,
    review_id: anchor.review ?? null,
    revision_id: anchor.revision,
    page_id: anchor.page,
    text_hash: anchor.text,
    node: anchor.node,
    preview: anchor.preview,
    range_start: anchor.range?.start ?? null,
    range_end: anchor.range?.end ?? null,
    words: anchor.words ?? null,
    suggestion: anchor.suggestion ?? null,
    body: markdown,
    posted_by: viewer.userId,
    posted_at: now,
  })
  await countOpen(tx, row, 1)
  await notifyOfComment(tx, row, now)
  return row
}

/** Inserts and returns a reply to a comment. */
export async function postReply(
  tx: Tx,
  comment: CommentRow,
  { markdown }: MarkdownText,
  { viewer, now }: CommentActor,
): Promise<CommentRow> {
  const { organization_id, id, space_id, change_request_id, revision_id } = comment
  await countReply(tx, organization_id, id, 1)
  const row = await insertComment(tx, {
    organization_id,
    id: newId<CommentId>(),
    space_id,
    change_request_id,
    comment_id: id,
    revision_id,
    body: markdown,
    posted_by: viewer.userId,
    posted_at: now,
  })
  await notifyOfComment(tx, row, now)
  return row
}

export interface CommentChange {
  readonly body?: MarkdownText
  /** Applies to comments, not to replies. */
  readonly resolved?: boolean
  readonly addedReactions?: readonly string[]
  readonly removedReactions?: readonly string[]
}

/** Applies the change atomically and returns the comment or reply; parts that change nothing are no-ops. */
export async function changeComment(
  tx: Tx,
  row: CommentRow,
  { body, resolved, addedReactions = [], removedReactions = [] }: CommentChange,
  { viewer, now }: CommentActor,
): Promise<CommentRow> {
  const { organization_id, id: comment_id, space_id } = row
  const { userId: user_id } = viewer
  let changed = row
  if (body !== undefined) {
    requireAuthor(row, viewer)
    changed = await updateComment(tx, row, { body: body.markdown, edited_at: now })
    await notifyOfComment(tx, changed, now, row.body)
  }
  if (resolved !== undefined && resolved !== (row.resolved_at !== null)) {
    requireMayResolve(row, viewer)
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

/** Deletes a comment with its replies. */
export async function removeComment(tx: Tx, row: CommentRow): Promise<void> {
  if (row.resolved_at === null) await countOpen(tx, row, -1)
  await deleteComment(tx, row)
}

export async function removeReply(tx: Tx, row: CommentRow): Promise<void> {
  await countReply(tx, row.organization_id, row.comment_id!, -1)
  await deleteComment(tx, row)
}

/** One RGI emoji, with or without its variation selector. */
const oneEmoji = new RegExp('^\\p{RGI_Emoji}$', 'v')

/** Returns the code points of an emoji that is passed as characters or as code points; throws 400 for anything else. */
function readEmoji(input: string, member: string): string {
  const characters = /^[0-9a-f-]+$/i.test(input) && input.length > 1 ? (emojiCharacters(input) ?? '') : input
  const code = emojiCode(characters)
  const [first = '', ...rest] = characters
  if (
    [characters, `${characters}\ufe0f`, [first, '\ufe0f', ...rest].join('')].some((one) => oneEmoji.test(one))
  )
    return code
  throw new ApiError('invalid_request', {
    problem: `The member "${member}" holds "${input}": each is one emoji, or its code points in hexadecimal.`,
  })
}

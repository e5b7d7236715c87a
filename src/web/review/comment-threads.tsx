/** Threads of comments: the words that they are about, suggestions, replies, reactions, and what may be done with them. */
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import {
  type Comment,
  type CommentReply,
  changeRequestComments,
  spaceComments,
} from '../../contract/comments.js'
import { api } from '../api/client.js'
import { contentRequest } from '../api/content-request.js'
import { type ContentSource, currentUserQuery, refresh } from '../api/queries.js'
import { text } from '../i18n/text.js'
import { changePath, spacePath } from '../routes/addresses.js'
import { Link } from '../routes/navigation.js'
import { pullOpenTexts } from '../sync/drafts.js'
import { Button, IconButton } from '../ui/button.js'
import { Avatar, Badge, RelativeTime, Skeleton, readEmoji } from '../ui/display.js'
import { Menu, type MenuEntry } from '../ui/menu.js'
import { ConfirmDialog } from '../ui/prompts.js'
import { reportFailure, showToast } from '../ui/toast.js'
import { CommentField } from './comment-field.js'
import { CommentText } from './comment-text.js'
import { refreshComments, repliesQuery } from './comments-query.js'
import './comment-threads.css'

interface ThreadsProps {
  readonly source: ContentSource
  readonly comments: readonly Comment[]
  /** The thread that is chosen. */
  readonly current?: string | undefined
  /** Whether the page of each is named. */
  readonly withPage?: boolean
  readonly onChoose?: (id: string) => void
}

export function CommentThreads({ comments, ...rest }: ThreadsProps) {
  return (
    <ol className="threads">
      {comments.map((comment) => (
        <li key={comment.id}>
          <CommentThread comment={comment} {...rest} />
        </li>
      ))}
    </ol>
  )
}

export function CommentThread({
  source,
  comment,
  current,
  withPage = false,
  onChoose,
}: Omit<ThreadsProps, 'comments'> & { readonly comment: Comment }) {
  const { id, status, suggestion } = comment
  const isCurrent = current === id
  const [isReplying, setReplying] = useState(false)
  const [isOpen, setOpen] = useState(status === 'open')
  const element = useRef<HTMLElement>(null)
  useEffect(() => setOpen(status === 'open'), [status])
  useEffect(() => {
    if (!isCurrent) return
    setOpen(true)
    element.current?.scrollIntoView({ block: 'nearest' })
  }, [isCurrent])
  const { update, postReply } = spaceComments
  const params = { commentId: id }
  const resolve = async (resolved: boolean) => {
    const request = { params, body: { resolved } }
    await api.call(...contentRequest(source, update, changeRequestComments.update, request))
    await refreshComments(source)
  }
  const reply = async (markdown: string) => {
    const request = { params, body: { body: { markdown } } }
    await api.call(...contentRequest(source, postReply, changeRequestComments.postReply, request))
    setReplying(false)
    await refreshComments(source)
  }
  const author = comment.postedBy.displayName
  return (
    <article
      ref={element}
      className={`thread is-${status}${isCurrent ? ' is-current' : ''}`}
      aria-label={text.comments.thread(author)}
      data-comment-thread={id}
      onClick={() => onChoose?.(id)}
    >
      <ThreadTarget source={source} comment={comment} withPage={withPage} />
      {!isOpen ? (
        <button type="button" className="thread-folded" onClick={() => setOpen(true)}>
          <Avatar name={author} photo={comment.postedBy.photoURL} />
          <span>{text.comments.folded(author, comment.replies)}</span>
          <Badge tone="green">
            {text.comments.status[suggestion?.status ?? 'resolved'] ?? text.comments.status.resolved}
          </Badge>
        </button>
      ) : (
        <>
          <Entry
            source={source}
            entry={comment}
            onResolve={status === 'open' ? undefined : () => resolve(false)}
          />
          {suggestion !== undefined && (
            <SuggestionView source={source} comment={comment} onDismiss={() => resolve(true)} />
          )}
          {comment.replies > 0 && <Replies source={source} comment={comment} />}
          {isReplying ? (
            <CommentField
              source={source}
              draftKey={`${source.space} ${id}`}
              label={text.comments.reply}
              placeholder={text.comments.replyPlaceholder}
              send={text.comments.reply}
              autoFocus
              onSend={reply}
              onCancel={() => setReplying(false)}
            />
          ) : (
            <div className="thread-actions">
              {comment.permissions.reply && (
                <Button variant="quiet" onClick={() => setReplying(true)}>
                  {text.comments.reply}
                </Button>
              )}
              {status === 'open' && comment.permissions.resolve && suggestion?.status !== 'open' && (
                <Button variant="quiet" icon="check" onClick={() => void reportFailure(resolve(true))}>
                  {text.comments.resolve}
                </Button>
              )}
            </div>
          )}
        </>
      )}
    </article>
  )
}

/** The page and the words that a thread is about. */
function ThreadTarget({
  source,
  comment,
  withPage,
}: {
  readonly source: ContentSource
  readonly comment: Comment
  readonly withPage: boolean
}) {
  const { page, node } = comment.target
  if (page === undefined) return null
  const words = node?.words ?? node?.preview
  const isGone = node?.removed === true || page.outdated
  if (!withPage && words === undefined && !isGone) return null
  const { space, change } = source
  const href = change === undefined ? spacePath(space, page.path) : changePath(space, change, page.path)
  return (
    <div className="thread-target">
      {withPage && (
        <Link href={href} className="thread-page">
          {page.title}
        </Link>
      )}
      {isGone && (
        <Badge tone="amber">{node?.removed === true ? text.comments.removed : text.comments.gone}</Badge>
      )}
      {words !== undefined && <blockquote className={isGone ? 'is-gone' : ''}>{words}</blockquote>}
    </div>
  )
}

function SuggestionView({
  source,
  comment,
  onDismiss,
}: {
  readonly source: ContentSource
  readonly comment: Comment
  readonly onDismiss: () => Promise<void>
}) {
  const [isBusy, setBusy] = useState(false)
  const { replacement, words, status } = comment.suggestion!
  const params = { commentId: comment.id }
  const apply = async () => {
    setBusy(true)
    const { apply: applyIt } = spaceComments
    await reportFailure(
      (async () => {
        // What is typed and not saved would be merged with the suggestion.
        await pullOpenTexts()
        await api.call(...contentRequest(source, applyIt, changeRequestComments.apply, { params }))
        await pullOpenTexts()
        showToast(text.comments.applied)
      })(),
    )
    setBusy(false)
    await refresh('space', source.space)
  }
  return (
    <div className="comment-suggestion">
      <p className="comment-suggestion-words" dir="auto">
        <del>{words}</del> {replacement !== '' && <ins>{replacement}</ins>}
      </p>
      {status === 'open' ? (
        <div className="comment-suggestion-actions">
          <Button
            icon="check"
            isBusy={isBusy}
            disabledReason={comment.permissions.apply ? undefined : text.comments.mayNotApply}
            onClick={() => void apply()}
          >
            {text.comments.apply}
          </Button>
          {comment.permissions.resolve && (
            <Button variant="quiet" onClick={() => void reportFailure(onDismiss())}>
              {text.comments.dismiss}
            </Button>
          )}
        </div>
      ) : (
        <p className="comment-suggestion-status">
          <Badge tone={status === 'applied' ? 'green' : status === 'outdated' ? 'amber' : 'neutral'}>
            {text.comments.status[status]}
          </Badge>{' '}
          {status === 'outdated' && text.comments.outdatedText}
          {status === 'applied' && comment.suggestion!.appliedBy !== undefined
            ? text.comments.appliedBy(comment.suggestion!.appliedBy.displayName)
            : null}
        </p>
      )}
    </div>
  )
}

function Replies({ source, comment }: { readonly source: ContentSource; readonly comment: Comment }) {
  const { data } = useQuery(repliesQuery(source, comment.id))
  if (data === undefined) return <Skeleton lines={comment.replies} />
  return (
    <ol className="thread-replies">
      {data.map((reply) => (
        <li key={reply.id}>
          <Entry source={source} entry={reply} comment={comment} />
        </li>
      ))}
    </ol>
  )
}

const reactionChoices = ['1f44d', '1f389', '2764', '1f440', '1f914', '1f44e'] as const

/** A comment or a reply. */
function Entry({
  source,
  entry,
  comment,
  onResolve,
}: {
  readonly source: ContentSource
  readonly entry: Comment | CommentReply
  /** That a reply is of. */
  readonly comment?: Comment
  /** Reopens the thread. */
  readonly onResolve?: (() => Promise<void>) | undefined
}) {
  const { data: user } = useQuery(currentUserQuery)
  const [isEditing, setEditing] = useState(false)
  const [isDeleting, setDeleting] = useState(false)
  const { permissions, postedBy, reactions } = entry
  const replyParams = comment && { commentId: comment.id, commentReplyId: entry.id }
  const change = async (body: {
    body?: { markdown: string }
    addedReactions?: string[]
    removedReactions?: string[]
  }) => {
    await (replyParams
      ? api.call(
          ...contentRequest(source, spaceComments.updateReply, changeRequestComments.updateReply, {
            params: replyParams,
            body,
          }),
        )
      : api.call(
          ...contentRequest(source, spaceComments.update, changeRequestComments.update, {
            params: { commentId: entry.id },
            body,
          }),
        ))
    setEditing(false)
    await refreshComments(source)
  }
  const remove = async () => {
    await (replyParams
      ? api.call(
          ...contentRequest(source, spaceComments.removeReply, changeRequestComments.removeReply, {
            params: replyParams,
          }),
        )
      : api.call(
          ...contentRequest(source, spaceComments.remove, changeRequestComments.remove, {
            params: { commentId: entry.id },
          }),
        ))
    await refreshComments(source)
  }
  const react = (emoji: string) => {
    const isOwn = reactions.some(
      (one) => one.emoji === emoji && one.users.some((by) => by.user.id === user?.id),
    )
    void reportFailure(change(isOwn ? { removedReactions: [emoji] } : { addedReactions: [emoji] }))
  }
  const entries: MenuEntry[] = [
    ...(onResolve
      ? [{ name: text.comments.reopen, icon: 'refresh' as const, run: () => void reportFailure(onResolve()) }]
      : []),
    ...(permissions.edit
      ? [{ name: text.comments.edit, icon: 'pencil' as const, run: () => setEditing(true) }]
      : []),
    ...(permissions.delete
      ? [{ name: text.comments.delete, icon: 'trash' as const, isDanger: true, run: () => setDeleting(true) }]
      : []),
  ]
  return (
    <div className="entry">
      <header className="entry-header">
        <Avatar name={postedBy.displayName} photo={postedBy.photoURL} />
        <span className="entry-name">{postedBy.displayName}</span>
        <span className="entry-time">
          <RelativeTime date={entry.postedAt} />
          {entry.editedAt !== undefined && ` · ${text.comments.edited}`}
        </span>
        <span className="header-spacer" />
        {permissions.reply && (
          <Menu
            trigger={<IconButton icon="smile" label={text.comments.react} className="entry-button" />}
            align="end"
            groups={[
              reactionChoices.map((emoji) => ({
                name: `${readEmoji(emoji)} ${text.comments.reactions[emoji]}`,
                run: () => react(emoji),
              })),
            ]}
          />
        )}
        {entries.length > 0 && (
          <Menu
            trigger={<IconButton icon="ellipsis" label={text.common.more} className="entry-button" />}
            align="end"
            groups={[entries]}
          />
        )}
      </header>
      {isEditing ? (
        <EditedText
          source={source}
          entry={entry}
          comment={comment}
          onSave={change}
          onCancel={() => setEditing(false)}
        />
      ) : (
        <CommentText document={entry.body.document} />
      )}
      {reactions.length > 0 && (
        <div className="entry-reactions">
          {reactions.map(({ emoji, count, users }) => (
            <button
              key={emoji}
              type="button"
              className="reaction"
              aria-pressed={users.some((by) => by.user.id === user?.id)}
              aria-label={text.comments.reactionBy(
                `${readEmoji(emoji)} ${count}`,
                users.map((by) => by.user.displayName),
              )}
              title={users.map((by) => by.user.displayName).join(', ')}
              aria-disabled={!permissions.reply || undefined}
              onClick={() => permissions.reply && react(emoji)}
            >
              {readEmoji(emoji)} {count}
            </button>
          ))}
        </div>
      )}
      {isDeleting && (
        <ConfirmDialog
          title={text.comments.deleteTitle}
          description={comment === undefined ? text.comments.deleteText : text.comments.deleteReplyText}
          submit={text.comments.delete}
          isDanger
          onClose={() => setDeleting(false)}
          onSubmit={remove}
        />
      )}
    </div>
  )
}

/** The field over the Markdown of an entry, which is read when it is edited. */
function EditedText({
  source,
  entry,
  comment,
  onSave,
  onCancel,
}: {
  readonly source: ContentSource
  readonly entry: Comment | CommentReply
  readonly comment: Comment | undefined
  readonly onSave: (body: { body: { markdown: string } }) => Promise<void>
  readonly onCancel: () => void
}): ReactNode {
  const { data: markdown } = useQuery({
    queryKey: ['comment-markdown', entry.id, entry.editedAt],
    queryFn: async ({ signal }) => {
      const read =
        comment === undefined
          ? await api.call(
              ...contentRequest(source, spaceComments.get, changeRequestComments.get, {
                params: { commentId: entry.id },
                signal,
              }),
            )
          : await api.call(
              ...contentRequest(source, spaceComments.getReply, changeRequestComments.getReply, {
                params: { commentId: comment.id, commentReplyId: entry.id },
                signal,
              }),
            )
      return read.body.markdown ?? ''
    },
    gcTime: 0,
  })
  if (markdown === undefined) return <Skeleton lines={2} />
  return (
    <CommentField
      source={source}
      draftKey={`edit ${entry.id}`}
      label={text.comments.edit}
      start={markdown}
      send={text.common.save}
      autoFocus
      onSend={(next) => onSave({ body: { markdown: next } })}
      onCancel={onCancel}
    />
  )
}

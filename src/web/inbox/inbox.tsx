/** Inbox: who did what that concerns the person, by day; reading, marking, by mouse and by keys. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { type InboxEntry, markInboxRead, updateInboxEntry } from '../../contract/inbox.js'
import { groupBy } from '../../core/group.js'
import { type Action, useActions } from '../actions/actions.js'
import { api } from '../api/client.js'
import { inboxQuery, unreadCountQuery } from '../api/inbox-queries.js'
import { refresh } from '../api/queries.js'
import { formatDay } from '../i18n/format.js'
import { text } from '../i18n/text.js'
import { Link } from '../routes/navigation.js'
import { Header } from '../shell/frame.js'
import { Button, IconButton } from '../ui/button.js'
import { Avatar, EmptyState, ErrorNotice, RelativeTime, Skeleton } from '../ui/display.js'
import { Icon, type IconName } from '../ui/icon.js'
import { Segmented } from '../ui/segmented.js'
import { reportFailure } from '../ui/toast.js'
import './inbox.css'

const filters = ['all', 'unread'] as const

const icons: Readonly<Record<InboxEntry['kind'], IconName>> = {
  'review-requested': 'eye',
  assigned: 'users',
  mentioned: 'atSign',
  replied: 'message',
  merged: 'gitMerge',
}

const iconOf = ({ kind, review }: InboxEntry): IconName =>
  review?.status === 'approved' ? 'check' : icons[kind]

export default function Inbox() {
  const [filter, setFilter] = useState<(typeof filters)[number]>('all')
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    inboxQuery(filter === 'unread'),
  )
  const { data: unread } = useQuery(unreadCountQuery)
  // Marks that the server has not answered to yet.
  const [marks, setMarks] = useState<ReadonlyMap<string, boolean>>(new Map())
  const entries = useMemo(
    () =>
      data?.pages
        .flatMap(({ items }) => items)
        .map((entry) => ({ ...entry, read: marks.get(entry.id) ?? entry.read })),
    [data, marks],
  )
  const list = useRef<HTMLDivElement>(null)

  useEffect(() => {
    document.title = text.inbox.title
  }, [])

  async function mark(entry: InboxEntry, read: boolean): Promise<void> {
    if (entry.read === read) return
    setMarks((before) => new Map(before).set(entry.id, read))
    try {
      await api.call(updateInboxEntry, { params: { inboxEntryId: entry.id }, body: { read } })
      await refresh('inbox')
    } finally {
      setMarks((before) => new Map([...before].filter(([id]) => id !== entry.id)))
    }
  }
  const newest = entries?.[0]
  async function markAll(): Promise<void> {
    // What comes meanwhile stays unread.
    await api.call(markInboxRead, { body: newest === undefined ? {} : { through: newest.id } })
    await refresh('inbox')
  }

  /** Moves the focus by entries; from outside of the list to its first or last. */
  function move(by: 1 | -1): void {
    const links = [...(list.current?.querySelectorAll<HTMLElement>('a.inbox-link') ?? [])]
    const at = links.findIndex((one) => one === document.activeElement?.closest('li')?.querySelector('a'))
    const next = at === -1 ? (by === 1 ? 0 : links.length - 1) : at + by
    links[next]?.focus()
  }
  const focused = (): InboxEntry | undefined => {
    const id = document.activeElement?.closest<HTMLElement>('[data-entry]')?.dataset['entry']
    return entries?.find((entry) => entry.id === id)
  }
  // The actions stay the same between renders; what they do is of the last one.
  const latest = useRef({ move, mark, focused, markAll })
  latest.current = { move, mark, focused, markAll }
  const isEmpty = (unread ?? 0) === 0
  useActions(
    useMemo((): readonly Action[] => {
      const markFocused = (read?: boolean) => {
        const entry = latest.current.focused()
        if (entry !== undefined) void reportFailure(latest.current.mark(entry, read ?? !entry.read))
      }
      return [
        {
          id: 'inbox-next',
          name: text.inbox.next,
          icon: 'arrowDown',
          keys: 'J',
          run: () => latest.current.move(1),
        },
        {
          id: 'inbox-previous',
          name: text.inbox.previous,
          icon: 'arrowUp',
          keys: 'K',
          run: () => latest.current.move(-1),
        },
        {
          id: 'inbox-read',
          name: text.inbox.markRead,
          icon: 'check',
          keys: 'R',
          run: () => markFocused(true),
        },
        { id: 'inbox-unread', name: text.inbox.toggle, icon: 'inbox', keys: 'U', run: () => markFocused() },
        {
          id: 'inbox-all-read',
          name: text.inbox.markAll,
          icon: 'circleCheck',
          disabledReason: isEmpty ? text.inbox.allRead : undefined,
          run: () => void reportFailure(latest.current.markAll()),
        },
      ]
    }, [isEmpty]),
  )

  function onKeyDown(event: KeyboardEvent): void {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : undefined
    if (by === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    move(by)
  }

  const days = groupBy(entries ?? [], ({ createdAt }) => formatDay(createdAt))
  return (
    <>
      <Header>
        <h1>{text.inbox.title}</h1>
        <span className="header-spacer" />
        <Segmented
          label={text.inbox.show}
          value={filter}
          choices={filters.map((value) => ({ value, name: text.inbox.filters[value] }))}
          onChange={setFilter}
        />
        <Button
          variant="quiet"
          icon="circleCheck"
          className="inbox-mark-all"
          aria-label={text.inbox.markAll}
          disabledReason={isEmpty ? text.inbox.allRead : undefined}
          onClick={() => void reportFailure(markAll())}
        >
          <span>{text.inbox.markAll}</span>
        </Button>
      </Header>
      <div className="inbox" ref={list} onKeyDown={onKeyDown}>
        {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
        {entries === undefined && error === null && <Skeleton lines={6} />}
        {entries?.length === 0 && (
          <EmptyState icon="inbox" title={filter === 'unread' ? text.inbox.allRead : text.inbox.empty}>
            {text.inbox.emptyText}
          </EmptyState>
        )}
        {[...days].map(([day, some]) => (
          <section key={day} aria-label={day}>
            <h2 className="inbox-day">{day}</h2>
            <ul>
              {some.map((entry) => (
                <Entry
                  key={entry.id}
                  entry={entry}
                  onMark={(read) => void reportFailure(mark(entry, read))}
                />
              ))}
            </ul>
          </section>
        ))}
        {hasNextPage && (
          <div className="inbox-more">
            <Button isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              {text.inbox.older}
            </Button>
          </div>
        )}
      </div>
    </>
  )
}

function Entry({ entry, onMark }: { readonly entry: InboxEntry; readonly onMark: (read: boolean) => void }) {
  const { id, actor, read, comment, space, organization, changeRequest, createdAt, urls } = entry
  const place = changeRequest === undefined ? space.title : `${space.title} #${changeRequest.number}`
  return (
    <li className={`inbox-entry ${read ? '' : 'is-unread'}`} data-entry={id}>
      <span className="inbox-dot">
        {!read && <span className="visually-hidden">{text.inbox.unread}</span>}
      </span>
      <span className="inbox-who">
        <Avatar name={actor?.displayName ?? '·'} photo={actor?.photoURL} />
        <Icon name={iconOf(entry)} />
      </span>
      <Link
        className="inbox-link"
        href={pathOf(urls.app)}
        aria-label={`${read ? '' : `${text.inbox.unread}: `}${sentenceOf(entry)}`}
        onClick={() => onMark(true)}
      >
        <span className="inbox-sentence">{markUp(entry)}</span>
        {comment !== undefined && comment.excerpt !== '' && (
          <span className="inbox-excerpt">{comment.excerpt}</span>
        )}
        <span className="inbox-place">
          {place} · {organization.title}
        </span>
      </Link>
      <span className="inbox-time">
        <RelativeTime date={createdAt} />
      </span>
      <IconButton
        icon={read ? 'inbox' : 'check'}
        label={read ? text.inbox.markUnread : text.inbox.markRead}
        keys={read ? 'U' : 'R'}
        onClick={() => onMark(!read)}
      />
    </li>
  )
}

/** The address without the origin: the app opens it without loading a document. */
function pathOf(address: string): string {
  const { pathname, search, origin } = new URL(address)
  return origin === location.origin ? pathname + search : address
}

const titleOf = ({ changeRequest, space }: InboxEntry): string =>
  changeRequest === undefined
    ? space.title || text.common.untitled
    : changeRequest.subject || text.inbox.changeRequest(changeRequest.number)

const whoOf = ({ actor }: InboxEntry): string => actor?.displayName ?? text.inbox.somebody

/** Returns what happened between who did it and what it happened to. */
function verbOf({ kind, comment, review, team }: InboxEntry): string {
  switch (kind) {
    case 'review-requested':
      return text.inbox.asksForReview
    case 'assigned':
      return text.inbox.asksTeam(team?.title)
    case 'mentioned':
      return comment === undefined ? text.inbox.mentionsInDescription : text.inbox.mentions
    case 'merged':
      return text.inbox.merged
    case 'replied':
      if (review !== undefined) return text.inbox.reviewed[review.status]
      return comment?.reply === undefined ? text.inbox.comments : text.inbox.replies
  }
}

const sentenceOf = (entry: InboxEntry): string => `${whoOf(entry)} ${verbOf(entry)} ${titleOf(entry)}`

function markUp(entry: InboxEntry): ReactNode {
  return (
    <>
      <b>{whoOf(entry)}</b> {verbOf(entry)} <b>{titleOf(entry)}</b>
    </>
  )
}

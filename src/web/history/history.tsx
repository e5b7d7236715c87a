/**
 * History of a space, or of one page: revisions by day. Two of them are chosen to be compared; each can be opened, compared
 * and restored. The list is virtual and goes on while it is scrolled.
 */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { ListedRevision } from '../../contract/revisions.js'
import type { Space } from '../../contract/spaces.js'
import { type Action, useActions } from '../actions/actions.js'
import { pagesQuery, refresh, spaceQuery } from '../api/queries.js'
import { formatDay } from '../i18n/format.js'
import { text } from '../i18n/text.js'
import { comparePath, historyPath, revisionPath, spacePath } from '../routes/addresses.js'
import { Link, navigate } from '../routes/navigation.js'
import { Header } from '../shell/frame.js'
import { findPage, pageNodeOf } from '../space/page-node.js'
import { Button, ButtonLink, IconButton } from '../ui/button.js'
import { Avatar, Badge, EmptyState, ErrorNotice, RelativeTime, Skeleton } from '../ui/display.js'
import { Icon } from '../ui/icon.js'
import { Menu, type MenuGroups } from '../ui/menu.js'
import { type HistoryEntry, historyQuery } from './queries.js'
import RestoreDialog from './restore-dialog.js'
import { detailOf, namesOf, sentenceOf } from './sentences.js'
import './history.css'

interface HistoryPage {
  readonly id: string
  readonly title: string
  readonly path: string
}

export default function History({ space: id, path }: { readonly space: string; readonly path: string }) {
  const { data: space, error } = useQuery(spaceQuery(id))
  const { data: pages } = useQuery({
    ...pagesQuery({ space: id, change: undefined }),
    enabled: path !== '',
  })
  const found = useMemo(() => pages && findPage(pages.map(pageNodeOf), path), [pages, path])
  const page = path === '' ? undefined : found
  const isMissing = path !== '' && pages !== undefined && found === undefined
  if (error !== null && space === undefined)
    return (
      <>
        <Header>{null}</Header>
        <ErrorNotice error={error} onRetry={() => void refresh('space', id)} />
      </>
    )
  if (isMissing)
    return (
      <>
        <Header>{null}</Header>
        <EmptyState
          icon="history"
          isScreen
          title={text.history.noPage}
          actions={<ButtonLink href={historyPath(id)}>{text.history.ofSpace}</ButtonLink>}
        >
          {text.history.noPageText}
        </EmptyState>
      </>
    )
  if (space === undefined || (path !== '' && page === undefined)) return <Skeleton lines={8} />
  return <Revisions key={page?.id ?? ''} space={space} page={page} />
}

type Row =
  | { readonly kind: 'day'; readonly key: string; readonly day: string }
  | { readonly kind: 'entry'; readonly key: string; readonly entry: HistoryEntry }

/** Answers without a change of the page after which the list waits to be asked. */
const maxEmptyParts = 4

function Revisions({ space, page }: { readonly space: Space; readonly page: HistoryPage | undefined }) {
  const query = useInfiniteQuery(historyQuery(space.id, page?.id))
  const { data, error, fetchNextPage, hasNextPage, isFetchingNextPage, refetch } = query
  const listed = useRef(space.revision)
  useEffect(() => {
    if (listed.current === space.revision) return
    listed.current = space.revision
    void refetch()
  }, [space.revision, refetch])
  const [chosen, setChosen] = useState<readonly ListedRevision[]>([])
  const [restored, setRestored] = useState<ListedRevision>()
  const scroller = useRef<HTMLDivElement>(null)
  const entries = useMemo(() => data?.pages.flatMap(({ items }) => items) ?? [], [data])
  const rows = useMemo(() => rowsOf(entries), [entries])
  const parts = data?.pages ?? []
  const isAtCreation = entries.at(-1)?.changes?.includes('created') === true
  const isWaiting =
    hasNextPage &&
    (isAtCreation ||
      parts.slice(-maxEmptyParts).filter(({ items }) => items.length === 0).length === maxEmptyParts)

  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (rows[index]!.kind === 'day' ? 44 : 60),
    getItemKey: (index) => rows[index]!.key,
    overscan: 6,
  })
  const visible = virtualizer.getVirtualItems()
  const last = visible.at(-1)?.index ?? -1
  useEffect(() => {
    const isNearEnd = last >= rows.length - 10
    if (hasNextPage && !isWaiting && !isFetchingNextPage && isNearEnd) void fetchNextPage()
  }, [last, rows.length, hasNextPage, isWaiting, isFetchingNextPage, fetchNextPage])

  useEffect(() => {
    document.title = `${page === undefined ? text.history.title : text.history.ofPage(page.title)} · ${space.title}`
  }, [page, space.title])

  const compareReason = chosen.length === 2 ? undefined : text.history.chooseTwo
  const compare = () => {
    const [older, newer] = chosen.toSorted((a, b) => a.number - b.number)
    navigate(comparePath(space.id, older!.id, newer!.id, page?.path))
  }
  useActions(
    useMemo(
      (): Action[] => [
        {
          id: 'compare-revisions',
          name: text.history.compareChosen,
          icon: 'columns',
          disabledReason: compareReason,
          run: compare,
        },
      ],
      // oxlint-disable-next-line react-hooks/exhaustive-deps
      [chosen],
    ),
  )
  const choose = (revision: ListedRevision, isChosen: boolean) =>
    setChosen((before) => {
      const others = before.filter(({ id }) => id !== revision.id)
      // A third takes the place of the first.
      return isChosen ? [...others.slice(-1), revision] : others
    })
  return (
    <>
      <Header>
        <h1 className="history-title">
          <Link href={spacePath(space.id, page?.path)}>{page?.title ?? space.title}</Link>
          <Icon name="chevronRight" />
          {text.history.title}
        </h1>
        <span className="header-spacer" />
        {page !== undefined && (
          <span className="history-whole">
            <ButtonLink variant="quiet" href={historyPath(space.id)}>
              {text.history.ofSpace}
            </ButtonLink>
          </span>
        )}
        <Button variant="primary" icon="columns" disabledReason={compareReason} onClick={compare}>
          {text.history.compare}
        </Button>
      </Header>
      <div className="history" ref={scroller}>
        {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
        {data === undefined && error === null && <Skeleton lines={10} />}
        <div className="history-rows" style={{ height: virtualizer.getTotalSize() }}>
          {visible.map(({ index, key, start }) => {
            const row = rows[index]!
            return (
              <div
                key={key}
                data-index={index}
                ref={virtualizer.measureElement}
                className="history-row"
                style={{ transform: `translateY(${start}px)` }}
              >
                {row.kind === 'day' ? (
                  <h2 className="history-day">{row.day}</h2>
                ) : (
                  <Entry
                    space={space}
                    page={page}
                    entry={row.entry}
                    current={space.revision}
                    isChosen={chosen.some(({ id }) => id === row.entry.revision.id)}
                    onChoose={choose}
                    onRestore={setRestored}
                  />
                )}
              </div>
            )
          })}
        </div>
        {isFetchingNextPage && <p className="history-more">{text.history.loading}</p>}
        {isWaiting && !isFetchingNextPage && (
          <p className="history-more">
            <Button variant="quiet" icon="history" onClick={() => void fetchNextPage()}>
              {text.history.older}
            </Button>
          </p>
        )}
        {data !== undefined && entries.length === 0 && !hasNextPage && (
          <EmptyState icon="history" title={text.history.nothing} />
        )}
      </div>
      {restored !== undefined && (
        <RestoreDialog
          space={space.id}
          revision={restored}
          page={page}
          onClose={() => setRestored(undefined)}
        />
      )}
    </>
  )
}

function rowsOf(entries: readonly HistoryEntry[]): Row[] {
  const rows: Row[] = []
  let day: string | undefined
  for (const entry of entries) {
    const its = formatDay(entry.revision.createdAt)
    if (its !== day) rows.push({ kind: 'day', key: `day ${entry.revision.id}`, day: its })
    day = its
    rows.push({ kind: 'entry', key: entry.revision.id, entry })
  }
  return rows
}

function Entry({
  space,
  page,
  entry: { revision, changes, page: then },
  current,
  isChosen,
  onChoose,
  onRestore,
}: {
  readonly space: Space
  readonly page: HistoryPage | undefined
  readonly entry: HistoryEntry
  readonly current: string
  readonly isChosen: boolean
  readonly onChoose: (revision: ListedRevision, isChosen: boolean) => void
  readonly onRestore: (revision: ListedRevision) => void
}) {
  const { mergedFrom, authors, number, createdAt } = revision
  const sentence = sentenceOf(revision, changes)
  const detail = detailOf(revision)
  const isCurrent = revision.id === current
  const isRenamed = then !== undefined && (then.title !== page?.title || then.path !== page.path)
  return (
    <article className={`history-entry ${isChosen ? 'is-chosen' : ''}`} aria-label={sentence}>
      <label className="history-choose">
        <input
          type="checkbox"
          checked={isChosen}
          aria-label={text.history.choose(number)}
          onChange={({ currentTarget }) => onChoose(revision, currentTarget.checked)}
        />
      </label>
      <Avatar name={namesOf(revision)} photo={authors[0]?.photoURL} />
      <div className="history-words">
        <p className="history-sentence">
          <Link href={revisionPath(space.id, revision.id, then?.path ?? '')}>{sentence}</Link>
          {isCurrent && <Badge tone="green">{text.history.current}</Badge>}
          {changes
            ?.filter((kind) => text.history.kinds[kind] !== undefined)
            .map((kind) => (
              <Badge key={kind}>{text.history.kinds[kind]}</Badge>
            ))}
        </p>
        {detail !== undefined && <p className="history-detail">{detail}</p>}
        <p className="history-detail">
          <span>{namesOf(revision)}</span>
          <span aria-hidden="true">·</span>
          <RelativeTime date={createdAt} />
          {mergedFrom !== undefined && (
            <>
              <span aria-hidden="true">·</span>
              <Link href={new URL(mergedFrom.urls.app).pathname} className="history-change">
                <Icon name="gitMerge" />
                {text.history.change(mergedFrom.number)}
              </Link>
            </>
          )}
          {isRenamed && (
            <>
              <span aria-hidden="true">·</span>
              <span>{text.history.named(then.title, then.path ?? '')}</span>
            </>
          )}
        </p>
      </div>
      <Menu
        trigger={<IconButton icon="ellipsis" label={text.history.more(number)} />}
        groups={entriesOf(space, { page, revision, isCurrent, path: then?.path }, onRestore)}
        align="end"
      />
    </article>
  )
}

function entriesOf(
  space: Space,
  {
    page,
    revision,
    isCurrent,
    path = '',
  }: {
    readonly page: HistoryPage | undefined
    readonly revision: ListedRevision
    readonly isCurrent: boolean
    readonly path: string | undefined
  },
  onRestore: (revision: ListedRevision) => void,
): MenuGroups {
  const [before] = revision.parents
  const restoreReason = isCurrent
    ? text.history.isCurrent
    : space.permissions.edit && space.deletedAt === undefined
      ? undefined
      : text.space.viewOnly
  return [
    [
      { name: text.history.open, icon: 'fileText', href: revisionPath(space.id, revision.id, path) },
      {
        name: text.history.compareBefore,
        icon: 'columns',
        ...(before === undefined
          ? { disabledReason: text.history.isFirst }
          : { href: comparePath(space.id, before, revision.id, page?.path) }),
      },
      {
        name: text.history.compareNow,
        icon: 'columns',
        ...(isCurrent
          ? { disabledReason: text.history.isCurrent }
          : { href: comparePath(space.id, revision.id, space.revision, page?.path) }),
      },
    ],
    [
      {
        name: page === undefined ? text.history.restoreSpace : text.history.restorePage,
        icon: 'rotateCcw',
        disabledReason: restoreReason,
        run: () => onRestore(revision),
      },
    ],
  ]
}

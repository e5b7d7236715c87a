/**
 * A comparison: the changed pages beside one of them, with its additions and removals marked. The list comes in parts, and
 * only its visible rows are in the document.
 */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { Suspense, lazy, useEffect, useMemo, useRef, useState } from 'react'
import { type Action, useActions } from '../actions/actions.js'
import { queryClient } from '../api/queries.js'
import { ChangedItem, printValue } from '../editor/changed-pages.js'
import { text } from '../i18n/text.js'
import { navigate } from '../routes/navigation.js'
import { ContentLayout } from '../space/content-layout.js'
import { Button, IconButton } from '../ui/button.js'
import { EmptyState, ErrorNotice, Notice, Skeleton } from '../ui/display.js'
import { Icon, type IconName } from '../ui/icon.js'
import { Segmented } from '../ui/segmented.js'
import { changesIn, prepareComparison, showChange } from './compared-article.js'
import {
  type ChangedRow,
  type ComparisonSource,
  changeListQuery,
  comparedPageQuery,
  documentsQuery,
  rowsOf,
} from './comparison-queries.js'
import '../space/reader-page.css'
import './comparison.css'

const SourceComparison = lazy(() => import('./source-comparison.js'))

export type ComparisonView = 'rendered' | 'sides' | 'source'
const viewKey = 'octavo-comparison-view'

/** Which pages were seen. */
export interface SeenMarks {
  readonly isSeen: (row: ChangedRow) => boolean
  readonly setSeen: (row: ChangedRow, isSeen: boolean) => void
}

export function Comparison({
  source,
  path,
  pathTo,
  marks,
}: {
  readonly source: ComparisonSource
  /** Of the page that is displayed first. */
  readonly path: string
  /** The address of this screen with another page. */
  readonly pathTo: (path: string) => string
  readonly marks?: SeenMarks
}) {
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery(
    changeListQuery(source),
  )
  const { data: documents, isPending } = useQuery(documentsQuery(source))
  const rows = useMemo(() => {
    const found = rowsOf(data?.pages.flatMap(({ changes }) => changes) ?? [])
    // In parts, rows stay where they are when others follow.
    if (documents === undefined || data?.pages[0]?.next !== undefined) return found
    const order = new Map([...documents.keys()].map((id, at) => [id, at]))
    const placeOf = ({ id, kind }: ChangedRow) =>
      order.get(id) ?? (kind === 'page' ? order.size : order.size + 1)
    return found.toSorted((a, b) => placeOf(a) - placeOf(b))
  }, [data, documents])
  const [selected, setSelected] = useState<string>()
  const [view, setView] = useState<ComparisonView>(
    () => (localStorage.getItem(viewKey) as ComparisonView | null) ?? 'rendered',
  )
  /** After a step to another page: which of its changes becomes the current one. */
  const [arriving, setArriving] = useState<'first' | 'last'>()
  const article = useRef<HTMLDivElement>(null)
  const index = Math.max(
    0,
    rows.findIndex((row) =>
      selected === undefined ? row.path === path && path !== '' : row.id === selected,
    ),
  )
  const row = rows[index]
  const more = data?.pages.at(-1)?.more ?? 0

  const open = (next: ChangedRow) => {
    setSelected(next.id)
    setArriving(undefined)
    navigate(pathTo(next.path ?? ''), { replace: true })
  }
  const step = (by: 1 | -1) => {
    const root = article.current
    const stops = root === null ? [] : changesIn(root)
    const current = stops.findIndex((one) => one.hasAttribute('data-current'))
    const next = current < 0 ? (by > 0 ? stops[0] : stops.at(-1)) : stops[current + by]
    if (root !== null && next !== undefined) return showChange(root, next)
    const other = rows[index + by]
    if (other === undefined) {
      if (by > 0 && hasNextPage) void fetchNextPage()
      return
    }
    open(other)
    setArriving(by > 0 ? 'first' : 'last')
  }
  const setSeen = () => {
    if (row === undefined || marks === undefined) return
    const isSeen = marks.isSeen(row)
    marks.setSeen(row, !isSeen)
    const next = rows.slice(index + 1).find((one) => !marks.isSeen(one))
    if (!isSeen && next !== undefined) open(next)
  }
  const handlers = useRef({ step, setSeen })
  handlers.current = { step, setSeen }
  useActions(
    useMemo(
      (): Action[] => [
        {
          id: 'nextChange',
          name: text.comparison.next,
          icon: 'arrowDown',
          keys: 'N',
          run: () => handlers.current.step(1),
        },
        {
          id: 'previousChange',
          name: text.comparison.previous,
          icon: 'arrowUp',
          keys: 'P',
          run: () => handlers.current.step(-1),
        },
        ...(marks === undefined
          ? []
          : [
              {
                id: 'seen',
                name: text.comparison.markSeen,
                icon: 'eye' as const,
                keys: 'V',
                run: () => handlers.current.setSeen(),
              },
            ]),
      ],
      [marks === undefined],
    ),
  )
  const chooseView = (next: ComparisonView) => {
    setView(next)
    localStorage.setItem(viewKey, next)
  }
  // The next page is there when it is stepped to.
  useEffect(() => {
    const next = rows[index + 1]
    if (next !== undefined && next.kind !== 'other')
      void queryClient.prefetchQuery(comparedPageQuery(source, next))
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [index, rows])

  if (error !== null && data === undefined)
    return <ErrorNotice error={error} onRetry={() => void refetch()} />
  if (data === undefined || isPending) return <Skeleton lines={8} />
  if (row === undefined)
    return (
      <div className="content-main">
        <EmptyState icon="gitPullRequest" title={text.comparison.nothing} />
      </div>
    )
  const isSeen = marks?.isSeen(row) === true
  return (
    <ContentLayout
      tree={
        <ChangedRows
          rows={rows}
          more={more}
          selected={row.id}
          marks={marks}
          onOpen={open}
          onEnd={() => {
            if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
          }}
        />
      }
    >
      <div className="comparison-bar">
        <Segmented<ComparisonView>
          label={text.change.view}
          value={view}
          onChange={chooseView}
          choices={[
            { value: 'rendered', name: text.comparison.views.rendered, icon: 'eye' },
            { value: 'sides', name: text.comparison.views.sides, icon: 'columns' },
            { value: 'source', name: text.comparison.views.source, icon: 'code' },
          ]}
        />
        <span className="header-spacer" />
        <IconButton icon="arrowUp" label={text.comparison.previous} keys="P" onClick={() => step(-1)} />
        <IconButton icon="arrowDown" label={text.comparison.next} keys="N" onClick={() => step(1)} />
        {marks !== undefined && (
          <Button variant="quiet" icon={isSeen ? 'check' : 'eye'} aria-pressed={isSeen} onClick={setSeen}>
            {isSeen ? text.comparison.seen : text.comparison.markSeen}
          </Button>
        )}
      </div>
      <div className="comparison-page" ref={article} key={`${row.id} ${view}`}>
        <header className="comparison-title">
          <h2>{row.title}</h2>
        </header>
        {row.kind === 'other' ? (
          row.changes.map((change, at) => <ChangedItem key={at} change={change} />)
        ) : (
          <ComparedPage
            source={source}
            row={row}
            view={view}
            arriving={arriving}
            onArrived={() => setArriving(undefined)}
            root={article}
          />
        )}
      </div>
    </ContentLayout>
  )
}

const icons: Readonly<Record<string, IconName>> = {
  created: 'plus',
  deleted: 'trash',
  edited: 'pencil',
  moved: 'gripVertical',
}

/** What happened to a row: created and deleted say all, else edited before moved. */
function kindOf({ changes }: ChangedRow): string {
  const kinds = changes.map(({ type }) => type.split('_').at(-1)!)
  return ['created', 'deleted', 'edited'].find((kind) => kinds.includes(kind)) ?? kinds[0]!
}

function ChangedRows({
  rows,
  more,
  selected,
  marks,
  onOpen,
  onEnd,
}: {
  readonly rows: readonly ChangedRow[]
  readonly more: number
  readonly selected: string
  readonly marks: SeenMarks | undefined
  readonly onOpen: (row: ChangedRow) => void
  readonly onEnd: () => void
}) {
  const scroller = useRef<HTMLElement>(null)
  const virtualizer = useVirtualizer({
    count: rows.length + (more > 0 ? 1 : 0),
    getScrollElement: () => scroller.current,
    estimateSize: () => 32,
    overscan: 6,
  })
  const items = virtualizer.getVirtualItems()
  const isAtEnd = items.some(({ index }) => index >= rows.length)
  useEffect(() => {
    if (isAtEnd) onEnd()
  })
  const current = rows.findIndex(({ id }) => id === selected)
  useEffect(() => {
    if (current >= 0) virtualizer.scrollToIndex(current, { align: 'auto' })
    // Only when another page opens: a reader who scrolls is left alone.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [selected])
  const seen = useMemo(
    () => (marks === undefined ? 0 : rows.filter((row) => marks.isSeen(row)).length),
    [rows, marks],
  )
  return (
    <div className="comparison-list">
      <p className="comparison-count" role="status">
        {text.comparison.count(rows.length + more)}
        {marks !== undefined && ` · ${text.comparison.seenCount(seen)}`}
      </p>
      <nav className="comparison-rows" ref={scroller} aria-label={text.comparison.list}>
        <div style={{ height: virtualizer.getTotalSize(), position: 'relative' }}>
          {items.map(({ index, start }) => {
            const row = rows[index]
            const style = { transform: `translateY(${start}px)` }
            if (row === undefined)
              return (
                <p key="more" className="comparison-row comparison-more" style={style}>
                  {text.change.more(more)}
                </p>
              )
            const kind = kindOf(row)
            return (
              <button
                key={row.id}
                type="button"
                className="comparison-row"
                style={style}
                aria-current={row.id === selected ? 'true' : undefined}
                onClick={() => onOpen(row)}
              >
                <span
                  className={`comparison-kind comparison-${kind}`}
                  title={row.changes.map(({ summary }) => summary).join(' ')}
                >
                  <Icon name={icons[kind] ?? 'pencil'} />
                </span>
                <span className="comparison-name">{row.title}</span>
                {row.count !== undefined && row.count > 0 && (
                  <span className="comparison-number">
                    <span aria-hidden="true">{row.count}</span>
                    <span className="visually-hidden">{text.comparison.changes(row.count)}</span>
                  </span>
                )}
                {marks?.isSeen(row) === true && (
                  <span className="comparison-seen">
                    <Icon name="check" />
                    <span className="visually-hidden">{text.comparison.seen}</span>
                  </span>
                )}
              </button>
            )
          })}
        </div>
      </nav>
    </div>
  )
}

function ComparedPage({
  source,
  row,
  view,
  arriving,
  onArrived,
  root,
}: {
  readonly source: ComparisonSource
  readonly row: ChangedRow
  readonly view: ComparisonView
  readonly arriving: 'first' | 'last' | undefined
  readonly onArrived: () => void
  readonly root: { readonly current: HTMLDivElement | null }
}) {
  const { data, error, refetch } = useQuery(comparedPageQuery(source, row))
  const html = useMemo(() => ({ __html: data === undefined ? '' : prepareComparison(data.html) }), [data])
  useEffect(() => {
    if (data === undefined || arriving === undefined || root.current === null) return
    const stops = changesIn(root.current)
    const stop = arriving === 'first' ? stops[0] : stops.at(-1)
    if (stop !== undefined) showChange(root.current, stop)
    onArrived()
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [data, arriving])
  if (error !== null && data === undefined)
    return <ErrorNotice error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton lines={10} />
  const isSource = view === 'source' && row.kind === 'page'
  return (
    <>
      {data.settings.length > 0 && !isSource && (
        <dl className="comparison-settings">
          {data.settings.map(({ name, before, after }) => (
            <div key={name} data-change={`setting-${name}`}>
              <dt>{text.change.members[name] ?? name}</dt>
              <dd>
                {before !== undefined && <del className="diff-removed">{printValue(before)}</del>}{' '}
                {after !== undefined && <ins className="diff-added">{printValue(after)}</ins>}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {data.truncated === true && !isSource && (
        <Notice tone="amber" icon="circleAlert">
          {text.comparison.truncated}
        </Notice>
      )}
      {isSource ? (
        <Suspense fallback={<Skeleton lines={10} />}>
          <SourceComparison source={source} page={row.id} />
        </Suspense>
      ) : view === 'sides' ? (
        <div className="comparison-sides">
          <section className="only-before" aria-label={text.comparison.before}>
            <h3>{text.comparison.before}</h3>
            <div className="reader-article">
              <div className="body" dangerouslySetInnerHTML={html} />
            </div>
          </section>
          <section className="only-after" aria-label={text.comparison.after}>
            <h3>{text.comparison.after}</h3>
            <div className="reader-article">
              <div className="body" dangerouslySetInnerHTML={html} />
            </div>
          </section>
        </div>
      ) : (
        // The server has sanitized it, and the content security policy runs no script of it.
        <div className="reader-article compared-article">
          <div className="body" dangerouslySetInnerHTML={html} />
        </div>
      )}
      {data.html.trim() === '' && data.settings.length === 0 && (
        <p className="comparison-empty">{text.comparison.noText}</p>
      )}
    </>
  )
}

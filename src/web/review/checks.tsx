/** The Checks tab of a change request: what a merge needs, what is missing, and the way to each place. */
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import type { ChangeRequest } from '../../contract/change-requests.js'
import type { MergeCheck, MergeCheckItem } from '../../contract/merge-checks.js'
import type { Space } from '../../contract/spaces.js'
import type { ChangeSource } from '../api/queries.js'
import { text } from '../i18n/text.js'
import { changePath } from '../routes/addresses.js'
import { Link } from '../routes/navigation.js'
import { Button } from '../ui/button.js'
import { Badge, ErrorNotice, Skeleton } from '../ui/display.js'
import { Icon, type IconName } from '../ui/icon.js'
import { Conflicts } from './conflicts.js'
import { checkQuery, checksQuery } from './reviews-query.js'
import { UpdateButton } from './update-button.js'
import './checks.css'

const icons: Readonly<Record<MergeCheck['status'], IconName>> = {
  passed: 'circleCheck',
  warning: 'triangleAlert',
  failed: 'circleAlert',
  running: 'loader',
}

export default function Checks({ space, change }: { readonly space: Space; readonly change: ChangeRequest }) {
  const source = useMemo(() => ({ space: space.id, change: change.number }), [space.id, change.number])
  const { data, error, refetch } = useQuery(checksQuery(source))
  return (
    <div className="content-main checks">
      <div className="checks-column">
        {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
        {data === undefined ? (
          error === null && <Skeleton lines={8} />
        ) : (
          <>
            <Verdict change={change} checks={data.checks} isMergeable={data.mergeable} />
            <ul className="checks-list">
              {data.checks.map((check) => (
                <Check key={check.id} source={source} change={change} check={check} />
              ))}
            </ul>
          </>
        )}
      </div>
    </div>
  )
}

/** What all checks come to. */
function Verdict({
  change,
  checks,
  isMergeable,
}: {
  readonly change: ChangeRequest
  readonly checks: readonly MergeCheck[]
  readonly isMergeable: boolean
}) {
  if (change.status === 'merged' || change.status === 'archived') return null
  const blocking = checks.filter(({ status, blocking: blocks }) => blocks && status === 'failed').length
  const isReady = blocking === 0
  return (
    <div className={`checks-verdict ${isReady ? 'is-ready' : 'is-blocked'}`} role="status">
      <Icon name={isReady ? 'circleCheck' : 'circleAlert'} />
      <div>
        <h2>{isReady ? text.checks.ready : text.checks.notReady}</h2>
        <p>
          {!isReady
            ? text.checks.notReadyText(blocking)
            : isMergeable
              ? text.checks.readyText
              : text.checks.mayNot}
        </p>
      </div>
    </div>
  )
}

function Check({
  source,
  change,
  check,
}: {
  readonly source: ChangeSource
  readonly change: ChangeRequest
  readonly check: MergeCheck
}) {
  const { id, status, blocking, summary, items, count, more } = check
  const [isAll, setAll] = useState(false)
  const all = useQuery({ ...checkQuery(source, id), enabled: isAll })
  const visibleItems = (isAll ? all.data?.items : undefined) ?? items
  const isOpen = status !== 'passed'
  const mayEdit = change.permissions?.edit ?? false
  return (
    <li className={`check is-${status}`}>
      <div className="check-head">
        <Icon name={icons[status]} className={status === 'running' ? 'is-spinning' : ''} />
        <div className="check-words">
          <h3>
            {text.checks.titles[id]}
            <span className="visually-hidden"> {text.checks.statuses[status]}</span>
          </h3>
          <p>{summary}</p>
        </div>
        {status === 'failed' && blocking && <Badge tone="red">{text.checks.required}</Badge>}
      </div>
      {isOpen && id === 'up-to-date' && items.length > 0 && (
        <p className="check-note">{text.checks.brings}</p>
      )}
      {isOpen && items.length > 0 && !(id === 'conflicts' && change.conflicts > 0) && (
        <ul className="check-items">
          {visibleItems.map((item, at) => (
            <CheckItem key={at} source={source} item={item} />
          ))}
        </ul>
      )}
      {!isAll && more !== undefined && more > 0 && isOpen && (
        <Button variant="quiet" className="check-more" onClick={() => setAll(true)}>
          {text.checks.showAll(count)}
        </Button>
      )}
      {isAll && all.data?.more !== undefined && (
        <p className="check-note">{text.change.more(all.data.more)}</p>
      )}
      {isOpen && mayEdit && (id === 'up-to-date' || (id === 'conflicts' && change.conflicts === 0)) && (
        <div className="check-actions">
          <UpdateButton
            change={change}
            name={id === 'conflicts' ? text.checks.prepare : text.change.update}
          />
        </div>
      )}
      {id === 'conflicts' && change.conflicts > 0 && (
        <Conflicts source={source} change={change} isEditable={mayEdit} />
      )}
    </li>
  )
}

function CheckItem({ source, item }: { readonly source: ChangeSource; readonly item: MergeCheckItem }) {
  const { message, isMet, page, file, line, comment } = item
  const place: ReactNode =
    comment !== undefined ? (
      <Link href={changePath(source.space, source.change, '', 'conversation')}>
        {page?.title ?? text.change.tabs.conversation}
      </Link>
    ) : page !== undefined ? (
      <Link href={changePath(source.space, source.change, page.path ?? '')}>{page.title}</Link>
    ) : (
      file
    )
  return (
    <li className={`check-item ${isMet === undefined ? '' : isMet ? 'is-met' : 'is-unmet'}`}>
      {isMet !== undefined && <Icon name={isMet ? 'check' : 'circleAlert'} />}
      {place !== undefined && (
        <span className="check-place" dir="auto">
          {place}
          {line !== undefined && <span className="check-line">{text.checks.line(line)}</span>}
        </span>
      )}
      <span className="check-message" dir="auto">
        {message}
      </span>
    </li>
  )
}

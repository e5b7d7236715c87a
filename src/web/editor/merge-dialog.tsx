/** Merging: what changes, the checks that have not passed, and conflicts answered one by one. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import {
  type ChangeRequest,
  type Conflict,
  listConflicts,
  mergeChangeRequest,
  resolveConflicts,
  updateFromSpace,
} from '../../contract/change-requests.js'
import type { SemanticChange } from '../../contract/semantic-changes.js'
import type { Space } from '../../contract/spaces.js'
import { api } from '../api/client.js'
import { type ChangeSource, pagesQuery, refresh } from '../api/queries.js'
import { text } from '../i18n/text.js'
import { checksQuery } from '../review/reviews-query.js'
import { changePath, spacePath } from '../routes/addresses.js'
import { Link, navigate } from '../routes/navigation.js'
import { listPages, pageNodeOf } from '../space/page-node.js'
import { saveAllTexts, textKeysOf } from '../sync/drafts.js'
import { worstSaveState } from '../sync/save-states.js'
import { Button } from '../ui/button.js'
import { Dialog } from '../ui/dialog.js'
import { ErrorNotice, Notice, Skeleton } from '../ui/display.js'
import { Icon } from '../ui/icon.js'
import { ChangeTitle, changedPagesQuery } from './changed-pages.js'
import { ConflictList, type Resolution } from './conflict-list.js'
import './merge-dialog.css'

export function MergeDialog({
  space,
  change,
  onClose,
}: {
  readonly space: Space
  readonly change: ChangeRequest
  readonly onClose: () => void
}) {
  const source = { space: space.id, change: change.number }
  const params = { spaceId: space.id, changeRequestId: change.number }
  const changes = useQuery(changedPagesQuery(source))
  const [conflicts, setConflicts] = useState<readonly Conflict[]>()
  const [resolutions, setResolutions] = useState<ReadonlyMap<string, Resolution>>(new Map())
  const [error, setError] = useState<Error>()
  const [isBusy, setBusy] = useState(false)
  const [merged, setMerged] = useState<{ readonly warnings: readonly string[] }>()
  const { data: pages } = useQuery({ ...pagesQuery(source), enabled: conflicts !== undefined })

  // What was typed last is among the changes.
  useEffect(() => {
    if (worstSaveState(textKeysOf(source).below).kind === 'saved') return
    void saveAllTexts(source).then(() => changes.refetch())
    // Once, when the dialog opens.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [])

  // An update from the space has left some to be answered.
  useEffect(() => {
    if (change.conflicts === 0) return
    api.call(listConflicts, { params }).then(
      (found) => setConflicts(found.conflicts.length === 0 ? undefined : found.conflicts),
      (failure: unknown) => setError(failure as Error),
    )
    // Once, when the dialog opens.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [])

  async function run(work: () => Promise<void>) {
    setBusy(true)
    setError(undefined)
    try {
      await work()
    } catch (failure) {
      setError(failure as Error)
    }
    setBusy(false)
  }

  const merge = () =>
    run(async () => {
      // What was typed last is part of the merge, or there is none.
      if (!(await saveAllTexts(source))) throw new Error(text.change.unsaved)
      const { result, warnings = [] } = await api.call(mergeChangeRequest, { params })
      if (result === 'conflicts') {
        // The content of the space comes in, so that the conflicts can be answered in the change request.
        await api.call(updateFromSpace, { params, body: {} })
        setConflicts((await api.call(listConflicts, { params })).conflicts)
        await refresh('space', space.id)
        return
      }
      setMerged({ warnings: warnings.map(({ message }) => message) })
      await Promise.all([refresh('space', space.id), refresh('organization', space.organization)])
    })

  const resolve = () =>
    run(async () => {
      await api.call(resolveConflicts, { params, body: { resolutions: [...resolutions.values()] } })
      const { conflicts: left } = await api.call(listConflicts, { params })
      setResolutions(new Map())
      setConflicts(left.length === 0 ? undefined : left)
      await refresh('space', space.id)
    })

  if (merged !== undefined) {
    const published = publishedPage(space, changes.data?.changes ?? [])
    return (
      <Dialog
        title={text.change.merged}
        onClose={onClose}
        actions={
          <>
            {published !== undefined && (
              <Button icon="externalLink" onClick={() => window.open(published, '_blank', 'noopener')}>
                {text.change.openPublished}
              </Button>
            )}
            <Button
              variant="primary"
              onClick={() => {
                onClose()
                navigate(spacePath(space.id))
              }}
            >
              {text.change.openSpace}
            </Button>
          </>
        }
      >
        <Notice tone="green" icon="circleCheck">
          {text.change.mergedText}
        </Notice>
        {merged.warnings.map((warning) => (
          <Notice key={warning} tone="amber" icon="triangleAlert">
            {warning}
          </Notice>
        ))}
      </Dialog>
    )
  }
  const titles = new Map(listPages((pages ?? []).map(pageNodeOf)).map(({ node }) => [node.id, node.title]))
  const isAnswered = conflicts?.every(({ id }) => resolutions.has(id)) === true
  return (
    <Dialog
      title={conflicts === undefined ? text.change.mergeTitle : text.change.conflicts(conflicts.length)}
      description={conflicts === undefined ? text.change.mergeText : text.change.conflictsText}
      width="wide"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{text.common.cancel}</Button>
          {conflicts === undefined ? (
            <Button
              variant="primary"
              icon="gitMerge"
              isBusy={isBusy}
              disabledReason={changes.data?.changes.length === 0 ? text.change.nothingChanged : undefined}
              onClick={() => void merge()}
            >
              {text.change.merge}
            </Button>
          ) : (
            <Button
              variant="primary"
              isBusy={isBusy}
              disabledReason={isAnswered ? undefined : text.change.conflictsText}
              onClick={() => void resolve()}
            >
              {text.change.applyAnswers}
            </Button>
          )}
        </>
      }
    >
      {error !== undefined && <ErrorNotice error={error} />}
      {conflicts === undefined && <OpenChecks source={source} change={change} />}
      {conflicts !== undefined ? (
        <ConflictList
          source={source}
          conflicts={conflicts}
          titles={titles}
          resolutions={resolutions}
          onResolve={setResolutions}
        />
      ) : changes.data === undefined ? (
        <Skeleton lines={3} />
      ) : changes.data.changes.length === 0 ? (
        <p>{text.change.nothingChanged}</p>
      ) : (
        <ul className="merge-changes" aria-label={text.change.tabs.changes}>
          {changes.data.changes.map((one, at) => (
            <li key={at}>
              <ChangeTitle change={one} source={source} />
            </li>
          ))}
          {changes.data.more !== undefined && changes.data.more > 0 && (
            <li>{text.change.more(changes.data.more)}</li>
          )}
        </ul>
      )}
    </Dialog>
  )
}

/** The checks that have not passed, with what is missing. */
function OpenChecks({ source, change }: { readonly source: ChangeSource; readonly change: ChangeRequest }) {
  const { data } = useQuery(checksQuery(source))
  const open = data?.checks.filter(({ id, status }) => status !== 'passed' && id !== 'changes') ?? []
  if (open.length === 0) return null
  return (
    <div className="merge-checks">
      <ul aria-label={text.change.tabs.checks}>
        {open.map(({ id, status, summary, items }) => (
          <li key={id} className={`is-${status}`}>
            <Icon name={status === 'failed' ? 'circleAlert' : 'triangleAlert'} />
            <div>
              {summary}
              {id === 'merge-rules' &&
                items
                  .filter(({ isMet }) => isMet === false)
                  .map(({ message }) => (
                    <span key={message} className="merge-missing">
                      {message}
                    </span>
                  ))}
              {id === 'links' &&
                items.slice(0, 8).map(({ destination, page }, at) => (
                  <span key={at} className="merge-missing">
                    <code>{destination}</code> {page !== undefined && text.change.onPage(page.title)}
                  </span>
                ))}
            </div>
          </li>
        ))}
      </ul>
      <Link href={changePath(source.space, change.number, '', 'checks')} className="merge-more">
        {text.change.openChecks}
      </Link>
    </div>
  )
}

/** The address of the first page that was changed, where the space is published. */
function publishedPage({ urls }: Space, changes: readonly SemanticChange[]): string | undefined {
  const change = changes.find((one) => 'page' in one && one.type !== 'page_deleted')
  const path = change !== undefined && 'page' in change ? (change.page.path ?? '') : ''
  return urls.published && `${urls.published.replace(/\/$/, '')}/${path}`
}

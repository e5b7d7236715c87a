/** Merging: what changes, the merge rules that are not met, and conflicts answered one by one. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type ChangeRequest,
  type Conflict,
  listConflicts,
  mergeChangeRequest,
  resolveConflicts,
  updateFromSpace,
} from '../../contract/change-requests.js'
import type { Space } from '../../contract/spaces.js'
import { api } from '../api/client.js'
import { queryClient, refresh } from '../api/queries.js'
import { text } from '../i18n/text.js'
import { spacePath } from '../routes/addresses.js'
import { navigate } from '../routes/navigation.js'
import { Button } from '../ui/button.js'
import { Dialog } from '../ui/dialog.js'
import { ErrorNotice, Notice, Skeleton } from '../ui/display.js'
import { ChangeTitle, changedPagesQuery } from './changed-pages.js'
import { ConflictList, type Resolution } from './conflict-list.js'
import './merge-dialog.css'

export function MergeDialog({
  space,
  change,
  hasUnsavedChanges,
  onClose,
}: {
  readonly space: Space
  readonly change: ChangeRequest
  readonly hasUnsavedChanges: boolean
  readonly onClose: () => void
}) {
  const source = { space: space.id, change: change.number }
  const params = { spaceId: space.id, changeRequestId: change.number }
  const changes = useQuery(changedPagesQuery(source))
  const [conflicts, setConflicts] = useState<readonly Conflict[]>()
  const [resolutions, setResolutions] = useState<ReadonlyMap<string, Resolution>>(new Map())
  const [error, setError] = useState<Error>()
  const [isBusy, setBusy] = useState(false)
  const [isMerged, setMerged] = useState(false)

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
      const { result } = await api.call(mergeChangeRequest, { params })
      if (result === 'conflicts') {
        // The content of the space comes in, so that the conflicts can be answered in the change request.
        await api.call(updateFromSpace, { params, body: {} })
        setConflicts((await api.call(listConflicts, { params })).conflicts)
        await refresh('space', space.id)
        return
      }
      setMerged(true)
      await Promise.all([refresh('space', space.id), refresh('organization', space.organization)])
    })

  const resolve = () =>
    run(async () => {
      await api.call(resolveConflicts, { params, body: { resolutions: [...resolutions.values()] } })
      const { conflicts: left } = await api.call(listConflicts, { params })
      setResolutions(new Map())
      setConflicts(left.length === 0 ? undefined : left)
      await queryClient.invalidateQueries({ queryKey: ['space', space.id] })
    })

  if (isMerged) {
    const published = space.urls.published
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
      </Dialog>
    )
  }
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
      {hasUnsavedChanges && (
        <Notice tone="amber" icon="triangleAlert">
          {text.change.unsaved}
        </Notice>
      )}
      {error !== undefined && <ErrorNotice error={error} />}
      {conflicts !== undefined ? (
        <ConflictList conflicts={conflicts} resolutions={resolutions} onResolve={setResolutions} />
      ) : changes.data === undefined ? (
        <Skeleton lines={3} />
      ) : changes.data.changes.length === 0 ? (
        <p>{text.change.nothingChanged}</p>
      ) : (
        <ul className="merge-changes">
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

/** Merging: what changes, the merge rules that are not met, and conflicts answered one by one. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import {
  type ChangeRequest,
  type Conflict,
  listConflicts,
  mergeChangeRequest,
  resolveConflicts,
  updateFromSpace,
} from '../../contract/change-requests.js'
import { listChangeRequestLinks } from '../../contract/links.js'
import type { SemanticChange } from '../../contract/semantic-changes.js'
import type { Space } from '../../contract/spaces.js'
import { api } from '../api/client.js'
import { type ChangeSource, contentKey, organizationsQuery, pagesQuery, refresh } from '../api/queries.js'
import { text } from '../i18n/text.js'
import { spacePath } from '../routes/addresses.js'
import { navigate } from '../routes/navigation.js'
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

/** Links that the change request breaks. */
const brokenLinksQuery = (source: ChangeSource) =>
  queryOptions({
    queryKey: [...contentKey(source), 'broken-links'],
    queryFn: ({ signal }) =>
      api.call(listChangeRequestLinks, {
        params: { spaceId: source.space, changeRequestId: source.change },
        query: { brokenContext: 'change-request', limit: 20 },
        signal,
      }),
    staleTime: 0,
  })

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
  const broken = useQuery({ ...brokenLinksQuery(source), enabled: merged === undefined })

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
      {conflicts === undefined && <MergeRules space={space} change={change} />}
      {broken.data !== undefined && broken.data.items.length > 0 && (
        <Notice tone="amber" icon="triangleAlert">
          {text.change.brokenLinks(broken.data.stats.broken.changeRequest ?? broken.data.items.length)}
          <ul className="merge-links">
            {broken.data.items.slice(0, 8).map(({ destination, locationReferences }, at) => (
              <li key={at}>
                <code>{destination}</code>{' '}
                {locationReferences[0]?.kind === 'page' &&
                  text.change.onPage(locationReferences[0].page.title)}
              </li>
            ))}
          </ul>
        </Notice>
      )}
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

/** The rules of the space, or those of its organization that it inherits, in words. */
function MergeRules({ space, change }: { readonly space: Space; readonly change: ChangeRequest }) {
  const { data: organizations } = useQuery(organizationsQuery)
  const inherited = organizations?.find(({ id }) => id === space.organization)?.mergeRules
  const rules = space.mergeRules.type === 'inherit' ? inherited?.rules : space.mergeRules.rules
  const required = (rules ?? []).filter(({ rule }) => rule !== 'allow_bypass')
  if (required.length === 0) return null
  /** Those that can be checked here; the merge checks the others. */
  const unmet = (rule: string) =>
    (rule === 'require_up_to_date_change_request' && change.outdated) ||
    (rule === 'require_change_request_subject' && change.subject.trim() === '')
  return (
    <div className="merge-rules">
      <h3>{text.change.rules}</h3>
      <ul>
        {required.map(({ rule, message }, at) => (
          <li key={at} className={unmet(rule) ? 'is-unmet' : ''}>
            <Icon name={unmet(rule) ? 'circleAlert' : 'circleCheck'} />
            {message ?? text.change.ruleNames[rule] ?? rule}
            {unmet(rule) && <strong> {text.change.notYet}</strong>}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The address of the first page that was changed, where the space is published. */
function publishedPage({ urls }: Space, changes: readonly SemanticChange[]): string | undefined {
  const change = changes.find((one) => 'page' in one && one.type !== 'page_deleted')
  const path = change !== undefined && 'page' in change ? (change.page.path ?? '') : ''
  return urls.published && `${urls.published.replace(/\/$/, '')}/${path}`
}

/** Conflicts of a change request, answered where the checks name them. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { type ChangeRequest, listConflicts, resolveConflicts } from '../../contract/change-requests.js'
import { api } from '../api/client.js'
import { type ChangeSource, pagesQuery, refresh } from '../api/queries.js'
import { ConflictList, type Resolution } from '../editor/conflict-list.js'
import { text } from '../i18n/text.js'
import { listPages, pageNodeOf } from '../space/page-node.js'
import { Button } from '../ui/button.js'
import { ErrorNotice, Skeleton } from '../ui/display.js'
import { changeKey, changeParams } from './reviews-query.js'

const conflictsQuery = (source: ChangeSource) =>
  queryOptions({
    queryKey: [...changeKey(source), 'conflicts'],
    queryFn: async ({ signal }) =>
      (await api.call(listConflicts, { params: changeParams(source), signal })).conflicts,
    staleTime: 0,
  })

export function Conflicts({
  source,
  change,
  isEditable,
}: {
  readonly source: ChangeSource
  readonly change: ChangeRequest
  readonly isEditable: boolean
}) {
  const { data: conflicts, error } = useQuery(conflictsQuery(source))
  const { data: pages } = useQuery(pagesQuery(source))
  const titles = useMemo(
    () => new Map(listPages((pages ?? []).map(pageNodeOf)).map(({ node }) => [node.id, node.title])),
    [pages],
  )
  const [resolutions, setResolutions] = useState<ReadonlyMap<string, Resolution>>(new Map())
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Error>()
  if (error !== null) return <ErrorNotice error={error} />
  if (conflicts === undefined) return <Skeleton lines={3} />
  const answers = conflicts.flatMap(({ id }) => resolutions.get(id) ?? [])
  async function resolve() {
    setBusy(true)
    setFailure(undefined)
    try {
      await api.call(resolveConflicts, { params: changeParams(source), body: { resolutions: answers } })
      setResolutions(new Map())
      await refresh('space', source.space)
    } catch (reason) {
      setFailure(reason as Error)
    }
    setBusy(false)
  }
  return (
    <div className="check-conflicts">
      <ConflictList
        source={source}
        conflicts={conflicts}
        titles={titles}
        resolutions={resolutions}
        onResolve={setResolutions}
      />
      {failure !== undefined && <ErrorNotice error={failure} />}
      <div className="check-actions">
        <Button
          variant="primary"
          isBusy={isBusy}
          disabledReason={
            !isEditable || change.conflicts === 0
              ? text.review.mayNotAsk
              : answers.length === 0
                ? text.change.conflictsText
                : undefined
          }
          onClick={() => void resolve()}
        >
          {text.change.applyAnswers}
        </Button>
      </div>
    </div>
  )
}

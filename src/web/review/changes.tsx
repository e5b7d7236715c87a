/** The Changes tab of a change request: its pages, each compared with the content of the space. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { ChangeRequest } from '../../contract/change-requests.js'
import type { Space } from '../../contract/spaces.js'
import { changePath } from '../routes/addresses.js'
import { Comparison, type SeenMarks } from './comparison.js'
import { type ChangedRow, documentsQuery } from './comparison-queries.js'
import { fingerprint, useSeenPages } from './seen-pages.js'

export default function Changes({
  space,
  change,
  path,
}: {
  readonly space: Space
  readonly change: ChangeRequest
  readonly path: string
}) {
  const base = change.revisionMergedAncestor ?? change.revisionInitial
  const source = useMemo(
    () => ({ space: space.id, change: change.number, base }),
    [space.id, change.number, base],
  )
  const { data: documents } = useQuery(documentsQuery(source))
  const [seen, setSeen] = useSeenPages(space.id, change.number)
  const marks = useMemo((): SeenMarks => {
    const versionOf = (row: ChangedRow) =>
      fingerprint(JSON.stringify([row.changes, documents?.get(row.id) ?? '']))
    return {
      isSeen: (row) => seen[row.id] === versionOf(row),
      setSeen: (row, isSeen) => setSeen(row.id, isSeen ? versionOf(row) : undefined),
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [documents, seen])
  return (
    <Comparison
      source={source}
      path={path}
      pathTo={(next) => changePath(space.id, change.number, next, 'changes')}
      marks={marks}
    />
  )
}

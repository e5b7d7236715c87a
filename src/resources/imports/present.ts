/** Import results and runs on the wire. */
import type { Addresses } from '../../contract/addresses.js'
import type { ImportResult, ImportRun } from '../../contract/imports.js'
import type { ImportOutcome } from './import.js'
import { type ImportRunRow, heartbeatTimeout, resumeWindow } from './store.js'

/** Returns the response body of a finished import. */
export function presentImport({
  revision,
  pages,
  files,
  unlisted,
  leftOut,
  language,
  mode,
  added,
  changed,
  removed,
  changes,
  problemCount,
  problems,
}: Omit<ImportOutcome, 'isChanged'>): ImportResult {
  return {
    revision,
    importedResources: pages + files,
    totalResources: pages + files + unlisted + leftOut,
    pages,
    files,
    unlisted,
    leftOut,
    ...(language !== undefined && { language }),
    mode,
    added,
    changed,
    removed,
    changes: [...changes],
    problemCount,
    problems: [...problems],
  }
}

export const interrupted = 'The process that did it ended: ask again, and it goes on where it was.'

/**
 * Returns the state of an import run; in lists without its result. A run that does not resume by itself is presented
 * as failed when it has sent no heartbeat for too long.
 */
export function presentRun(
  { api }: Pick<Addresses, 'api'>,
  row: ImportRunRow,
  now: number,
  where: 'alone' | 'in a list' = 'alone',
): ImportRun {
  const timeout = row.credential_id === null ? heartbeatTimeout : resumeWindow
  const isLost = row.status === 'in-progress' && row.beat_at <= now - timeout
  const error = isLost
    ? { code: 503, message: interrupted }
    : row.error === null
      ? undefined
      : errorOf(row.error)
  return {
    object: 'import-run',
    id: row.id,
    status: isLost ? 'failed' : row.status,
    source: row.source,
    url: row.url,
    space: row.space_id,
    ...(row.change_request_id !== null && { changeRequest: row.change_request_id }),
    ...(row.page_id !== null && { page: row.page_id }),
    startedBy: row.user_id,
    startedAt: new Date(row.began_at).toISOString(),
    ...(row.ended_at !== null && { completedAt: new Date(row.ended_at).toISOString() }),
    progress: { stage: row.stage, done: row.done, found: row.found },
    ...(row.revision_id !== null && { revision: row.revision_id }),
    ...(row.result !== null && where === 'alone' && { result: JSON.parse(row.result) as ImportResult }),
    ...(error !== undefined && { error }),
    urls: { location: api(`/spaces/${row.space_id}/imports/${row.id}`) },
  }
}

function errorOf(text: string): { code: number; message: string } {
  const { status, message } = JSON.parse(text) as { status: number; message: string }
  return { code: status, message }
}

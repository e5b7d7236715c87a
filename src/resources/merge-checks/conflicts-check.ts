/**
 * Conflicts as a check: those that the last update left, else those that a merge would find now. The merge is planned
 * without writing, at a cost that follows the changes of both sides, and its conflicts are cached by the three revisions.
 */
import type { MergeCheckItem } from '../../contract/merge-checks.js'
import { type Conflict, swapSides } from '../../core/merge/conflict.js'
import { cacheKind } from '../../store/cache/kinds.js'
import { planContext, planMerge } from '../change-requests/optimistic-merge.js'
import { openConflicts } from '../change-requests/pending-conflicts.js'
import { isChangeable } from '../change-requests/status.js'
import { type CheckContext, type CheckOutcome, countOf, namePages, nextOf, partOf, passed } from './check.js'

/** Without the texts of their sides: a check names them only. */
type NamedConflict = Pick<Conflict, 'id' | 'kind'> & {
  readonly page?: Extract<Conflict, { readonly kind: 'page' }>['page'] | undefined
  readonly path?: string
  readonly member?: string
}

const plannedKind = cacheKind<readonly NamedConflict[]>(
  'conflicts of a planned merge',
  (conflicts) => conflicts.length * 400,
)

export async function checkConflicts(context: CheckContext): Promise<CheckOutcome> {
  const { changeRequest, content } = context
  const pending = openConflicts(changeRequest)
  const conflicts = pending.length > 0 ? pending.map(nameConflict) : await planConflicts(context)
  if (conflicts.length === 0) return passed('It can be merged without conflicts.')
  return {
    status: 'failed',
    isBlocking: true,
    summary:
      pending.length > 0
        ? `${countOf(pending.length, 'conflict is', 'conflicts are')} not resolved yet.`
        : `${countOf(conflicts.length, 'passage was', 'passages were')} changed in the space too: an update from the space brings them to resolve.`,
    count: conflicts.length,
    async list(limit) {
      const listed = partOf(context, conflicts, limit)
      const pages = await namePages(
        content,
        listed.map(({ page }) => page),
      )
      return {
        items: listed.map((one) => itemOf(one, pages)),
        ...nextOf(context, conflicts.length, limit),
      }
    },
  }
}

function nameConflict(conflict: Conflict): NamedConflict {
  const { id, kind } = conflict
  return {
    id,
    kind,
    ...('page' in conflict && { page: conflict.page }),
    ...('path' in conflict && { path: conflict.path }),
    ...('member' in conflict && { member: conflict.member }),
  }
}

/** Returns the conflicts that a merge would find; none where the space has not changed since. */
async function planConflicts({
  services,
  space,
  changeRequest,
}: CheckContext): Promise<readonly NamedConflict[]> {
  const sides = {
    base: changeRequest.revision_merged_ancestor_id,
    ours: space.row.revision_id,
    theirs: changeRequest.revision_id,
  }
  if (sides.base === sides.ours || !isChangeable(changeRequest)) return []
  const key = `${space.row.organization_id} ${space.row.id} ${sides.base} ${sides.ours} ${sides.theirs}`
  const known = services.caches.find(plannedKind, key)
  if (known !== undefined) return known
  const rows = { space: space.row, changeRequest }
  const { conflicts } = await planMerge(planContext(services.database.read, rows, services), sides, 'theirs')
  const named = conflicts.map(swapSides).map(nameConflict)
  services.caches.put(plannedKind, key, named)
  return named
}

function itemOf(
  { id, kind, page: pageId, path, member }: NamedConflict,
  pages: Awaited<ReturnType<typeof namePages>>,
): MergeCheckItem {
  const page = pageId && pages.get(pageId)
  return {
    conflict: id,
    message: member === undefined ? messages[kind] : `Both sides changed its ${member}.`,
    ...(page !== undefined && { page }),
    ...(page === undefined && path !== undefined && { file: path }),
  }
}

const messages: Readonly<Record<Conflict['kind'], string>> = {
  block: 'Both sides changed the same passage.',
  member: 'Both sides changed the same setting.',
  page: 'One side deleted the page, and the other changed it.',
  file: 'Both sides changed the same file.',
  text: 'One side deleted the text, and the other changed it.',
}

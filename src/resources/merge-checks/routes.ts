/** Routes of the merge checklist of a change request. */
import { type Route, route } from '../../access/route/route.js'
import type { RequestContext } from '../../access/route/request-context.js'
import { subresourceScope } from '../../access/route/scope.js'
import { reaches, spaceActions } from '../../access/rules/levels.js'
import * as operations from '../../contract/merge-checks.js'
import { type MergeCheck, type MergeCheckId, mergeCheckIds } from '../../contract/merge-checks.js'
import type { Endpoint } from '../../contract/endpoint.js'
import type { Db } from '../../store/db/database.js'
import { inChangeRequestContent } from '../change-requests/scope.js'
import { isChangeable } from '../change-requests/status.js'
import type { ChangeRequestRow } from '../change-requests/store.js'
import { findPart } from '../content/comparison-cursor.js'
import { type ContentContext, contentAtRevision } from '../content/content.js'
import type { SpaceContext } from '../spaces/scope.js'
import { type CheckContext, type RunCheck, titles } from './check.js'
import { checkComments } from './comments-check.js'
import { checkConflicts } from './conflicts-check.js'
import { checkAlternativeTexts, checkChanges, checkLinks, checkReadableTexts } from './content-checks.js'
import { checkMergeRules } from './merge-rules-check.js'
import { checkUpToDate } from './up-to-date-check.js'

const checks: Readonly<Record<MergeCheckId, RunCheck>> = {
  changes: checkChanges,
  'merge-rules': checkMergeRules,
  conflicts: checkConflicts,
  'up-to-date': checkUpToDate,
  links: checkLinks,
  'alternative-texts': checkAlternativeTexts,
  texts: checkReadableTexts,
  comments: checkComments,
}

const inCheck = subresourceScope(inChangeRequestContent, 'checkId', {
  key: 'check',
  noun: 'check',
  find: async (_request, id) => mergeCheckIds.find((one) => one === id),
})

export const mergeCheckRoutes: readonly Route[] = [
  route(operations.getMergeChecks, {
    at: inChangeRequestContent,
    allow: 'view',
    handle: async (request) => {
      const { space, changeRequest, content, query } = request
      const context = await contextOf(request, undefined)
      const presented: MergeCheck[] = []
      for (const id of mergeCheckIds) presented.push(await showCheck(id, context, query.limit))
      const isRefused = presented.some(({ status, blocking }) => status === 'failed' && blocking)
      return {
        object: 'change-request-checks' as const,
        revision: content.revision.id,
        spaceRevision: space.row.revision_id,
        mergeable: !isRefused && isChangeable(changeRequest) && reaches(space.level, spaceActions.merge),
        checks: presented,
      }
    },
  }),

  route(operations.getMergeCheck, {
    at: inCheck,
    allow: 'view',
    handle: async (request) => {
      const { check, query } = request
      return showCheck(check, await contextOf(request, query.page, check), query.limit)
    },
  }),
]

interface CheckedContext {
  readonly space: SpaceContext
  readonly changeRequest: ChangeRequestRow
  readonly content: ContentContext
}

type ChecksRequest = CheckedContext &
  Pick<RequestContext<Endpoint>, 'actor' | 'now' | 'services'> & { readonly db: Db }

/** Lists of comments have cursors of their own; those of other checks name the two contents. */
async function contextOf(
  { db, services, actor, now, space, changeRequest, content: head }: ChecksRequest,
  page: string | undefined,
  check?: MergeCheckId,
): Promise<CheckContext> {
  const { organizationId, spaceId } = head
  const source = { db: services.database.read, services, organizationId, spaceId }
  const current = async () => ({
    before: await contentAtRevision(db, head, changeRequest.revision_merged_ancestor_id, services),
    after: head,
  })
  const { before, after, start } = await findPart(source, check === 'comments' ? undefined : page, current)
  const base = before ?? (await current()).before
  return { db, services, actor, now, space, changeRequest, content: after, base, page, start }
}

async function showCheck(id: MergeCheckId, context: CheckContext, limit: number): Promise<MergeCheck> {
  const { status, isBlocking, summary, count, list } = await checks[id](context)
  const { items, next } = await list(limit)
  // Of a later page of comments, it is not known how many were before.
  const isCounted = id !== 'comments' || context.page === undefined
  const more = isCounted ? count - context.start - items.length : 0
  return {
    id,
    title: titles[id],
    status,
    blocking: isBlocking,
    summary,
    count,
    items,
    ...(more > 0 && { more }),
    ...(next !== undefined && { next }),
  }
}

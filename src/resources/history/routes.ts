/** Routes of history: revisions of a branch, history and blame of a page, and restoring in a change request. */
import type { SpaceAction } from '../../access/rules/levels.js'
import { type Route, route } from '../../access/route/route.js'
import type { Scope } from '../../access/route/scope.js'
import { ApiError } from '../../contract/errors.js'
import * as operations from '../../contract/history.js'
import { type HistoryEndpoints, changeRequestHistory, spaceHistory } from '../../contract/revisions.js'
import type { PageRecord } from '../../core/pages/types.js'
import { findPage } from '../../core/pages/read.js'
import { listRevisions } from '../../store/content/revisions.js'
import { inChangeRequestContent } from '../change-requests/scope.js'
import { showChangeRequests } from '../change-requests/show.js'
import type { ContentContext } from '../content/content.js'
import { inPageOf } from '../content/content-routes.js'
import { inRevision, inSpaceContent } from '../spaces/scope.js'
import { blamePage } from './blame.js'
import { listPageChanges } from './page-changes.js'
import { restoreRevision } from './restore.js'
import { showBlame, showPageChanges, showRevisions } from './show.js'

function revisionListAt<Params extends string, Things extends { content: ContentContext }>(
  endpoints: HistoryEndpoints<Params>,
  at: Scope<NoInfer<Params>, Things, SpaceAction>,
): readonly Route[] {
  return [
    route(endpoints.list, {
      at,
      allow: 'view',
      handle: async ({ db, content, query: { summary, ...list }, services }) => {
        const { items, ...page } = await listRevisions(db, content, list)
        return {
          ...page,
          items: await showRevisions({ db, services, content }, items, { summary: summary === true }),
        }
      },
    }),
  ]
}

function pageHistoryAt<Params extends string, Things extends { content: ContentContext }>(
  endpoints: operations.PageHistoryEndpoints<Params>,
  scope: Scope<NoInfer<Params>, Things, SpaceAction>,
): readonly Route[] {
  const at = inPageOf(scope)
  return [
    route(endpoints.history, {
      at,
      allow: 'view',
      handle: async ({ db, content, page, query, services }) => {
        await requireWritten(content, page)
        const { organizationId, spaceId } = content
        const source = { db, services, organizationId, spaceId }
        const { items, ...rest } = await listPageChanges(source, content, page.id, query)
        return { ...rest, items: await showPageChanges({ db, services, content }, items) }
      },
    }),

    route(endpoints.blame, {
      at,
      allow: 'view',
      handle: async ({ db, content, page, services }) => {
        await requireWritten(content, page)
        const { organizationId, spaceId } = content
        const source = { db, services, organizationId, spaceId }
        const blocks = await blamePage({ source, content, services, page: page.id })
        return showBlame({ db, services, content }, blocks)
      },
    }),
  ]
}

/** Throws 404 for a page that is generated from a specification: it has no history. */
async function requireWritten({ writtenRevision, run }: ContentContext, { id }: PageRecord): Promise<void> {
  if ((await run(findPage(writtenRevision.snapshot, id))) === undefined)
    throw new ApiError('not_found', { thing: 'page' })
}

export const historyRoutes: readonly Route[] = [
  ...revisionListAt(spaceHistory, inSpaceContent),
  ...revisionListAt(changeRequestHistory, inChangeRequestContent),
  ...pageHistoryAt(operations.spacePageHistory, inSpaceContent),
  ...pageHistoryAt(operations.changeRequestPageHistory, inChangeRequestContent),

  route(operations.restoreRevision, {
    at: inRevision,
    allow: 'edit',
    handle: async ({ tx, actor, space, content, body, now, services }) => {
      const row = await restoreRevision(tx, space.row, content, { ...body, actor, now, services })
      const { addresses } = services
      const headOf = () => space.row.revision_id
      const levelOf = () => space.level
      const [presented] = await showChangeRequests(tx, [row], { addresses, headOf, levelOf })
      return presented!
    },
  }),
]

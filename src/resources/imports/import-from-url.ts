/**
 * Import from a URL: endpoints for a space and for a change request, each updating or replacing the content, or adding
 * below a page.
 */
import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { PageId } from '../../core/ids.js'
import { count } from '../../core/merkle/map.js'
import { findPage } from '../../core/pages/read.js'
import type { PageRecord } from '../../core/pages/types.js'
import type { SpaceAction } from '../../access/rules/levels.js'
import type { WaitPreference } from '../../access/route/request-context.js'
import { type RouteResponse, accepted } from '../../access/route/responses.js'
import { type Committer, type Route, route } from '../../access/route/route.js'
import { type Scope, type Services, subresourceScope } from '../../access/route/scope.js'
import type { Actor } from '../../access/signin/actor.js'
import { ApiError } from '../../contract/errors.js'
import { limits } from '../../contract/limits.js'
import {
  type ImportEndpoints,
  type ImportResult,
  changeRequestImports,
  spaceImports,
} from '../../contract/imports.js'
import type { Tx } from '../../store/db/database.js'
import { inChangeRequestContent } from '../change-requests/scope.js'
import { requireChangeable } from '../change-requests/status.js'
import type { ChangeRequestRow } from '../change-requests/store.js'
import type { ContentContext } from '../content/content.js'
import { type SpaceContext, canAdminister, inSpaceContent } from '../spaces/scope.js'
import { type FetchedSource, type SourceAddress, withSource } from './fetch-source.js'
import { type ImportMode, importTree } from './import.js'
import { presentImport, presentRun } from './present.js'
import { type RunningImport, executeRun, startRun } from './run.js'
import type { ImportRunInput, ImportRunRow } from './store.js'
import { type ImportTarget, intoChangeRequest, intoSpace } from './target.js'

export interface ImportTargetContext {
  readonly space: SpaceContext
  readonly content: ContentContext
}

export interface ImportRequestContext {
  readonly actor: Actor
  readonly now: number
  readonly services: Services
  readonly waitPreference: WaitPreference
}

/** The content that an import writes to: a space or a change request. */
export interface ImportDestination<Params extends string, Resources extends ImportTargetContext> {
  readonly endpoints: ImportEndpoints<Params>
  readonly at: Scope<Params, Resources, SpaceAction>
  /**
   * Throws when an import is not allowed now; checked again in the transaction that moves the head, with the state at
   * that time.
   */
  requireImportable(resources: Resources): Promise<void>
  target(resources: Resources & Omit<ImportRequestContext, 'waitPreference'>): ImportTarget
}

export const atSpace: ImportDestination<'spaceId', ImportTargetContext> = {
  endpoints: spaceImports,
  at: inSpaceContent,
  requireImportable: requireUnlocked,
  target: ({ space, actor, now, services }) => intoSpace(space.row, { services, userId: actor.userId, now }),
}

interface ChangeRequestTargetContext extends ImportTargetContext {
  readonly changeRequest: ChangeRequestRow
}

export const atChangeRequest: ImportDestination<'spaceId' | 'changeRequestId', ChangeRequestTargetContext> = {
  endpoints: changeRequestImports,
  at: inChangeRequestContent,
  requireImportable: async ({ changeRequest }) => requireChangeable(changeRequest),
  target: ({ space, changeRequest, actor, now, services }) =>
    intoChangeRequest(space.row, changeRequest, { services, userId: actor.userId, now }),
}

/** Returns the function that commits an import: in its transaction it is checked again whether one is allowed. */
export function commitImportable<Params extends string, Resources extends ImportTargetContext>(
  { requireImportable }: ImportDestination<Params, Resources>,
  commit: Committer<Resources>['commit'],
) {
  return <Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> =>
    commit(async (resources) => {
      await requireImportable(resources)
      return work(resources.tx)
    })
}

export const importFromUrlRoutes = <Params extends string, Resources extends ImportTargetContext>(
  destination: ImportDestination<Params, Resources>,
): Route[] => Object.values(buildRoutes(destination))

/** Returns the route that started an import; running it resumes that import. */
export function routeForRun(run: ImportRunRow): Route {
  const { whole, below } =
    run.change_request_id === null ? buildRoutes(atSpace, run) : buildRoutes(atChangeRequest, run)
  return run.page_id === null ? whole : below
}

interface ImportOrder {
  readonly source: Pick<ImportRunInput, 'source' | 'url' | 'split'>
  /** Whether any worker may resume the import: its source can be read again. */
  readonly isResumable: boolean
  readonly mode: ImportMode
  /** The page to import below; null for the whole. */
  readonly page: PageRecord | null
  /** The run to resume, of an import whose process ended. */
  readonly resumedRun?: ImportRunRow | undefined
  /** Returns the result of `work` on the source, which may be deleted afterwards. */
  withSource(
    run: RunningImport,
    work: (fetched: FetchedSource) => Promise<ImportResult>,
  ): Promise<ImportResult>
}

/** Imports, and returns the result, or after a while the run that continues. */
export async function importInto<Params extends string, Resources extends ImportTargetContext>(
  destination: ImportDestination<Params, Resources>,
  request: Resources & ImportRequestContext & Committer<Resources>,
  { source, isResumable, mode, page, resumedRun, withSource: open }: ImportOrder,
): Promise<ImportResult | RouteResponse> {
  const { services, actor, space, content, commit, waitPreference } = request
  const input: ImportRunInput = {
    organizationId: space.row.organization_id,
    spaceId: space.row.id,
    changeRequestId: content.changeRequestId,
    pageId: page?.id ?? null,
    userId: actor.userId,
    credential: isResumable ? actor : null,
    mode,
    ...source,
  }
  const row = resumedRun ?? (await startRun(services, input, Date.now()))
  const running = executeRun(services, row, Date.now, (run) =>
    open(run, async ({ entries, name, isSinglePage }) => {
      const imported = await importTree({
        services,
        target: destination.target(request),
        mode,
        insertTarget:
          page !== null || (isSinglePage && mode === 'update')
            ? { parent: page?.id ?? null, name, ...(page === null && { source: sourceKey(source.url) }) }
            : undefined,
        commit: commitImportable(destination, commit),
        onCommit: (tx, outcome) => run.complete(tx, presentImport(outcome), Date.now()),
        entries,
        now: request.now,
        progress: ({ texts, others }) => run.reportProgress('placing', texts + others, texts + others),
      })
      return presentImport(imported)
    }),
  )
  const seconds = waitPreference.isAsynchronous ? waitPreference.seconds : limits.importSeconds
  const done = await Promise.race([running, pause(seconds * 1_000, undefined, { ref: false })])
  if (done !== undefined) return done
  const presented = presentRun(services.addresses, row, Date.now())
  return accepted(presented.urls.location, presented)
}

function buildRoutes<Params extends string, Resources extends ImportTargetContext>(
  destination: ImportDestination<Params, Resources>,
  resumedRun?: ImportRunRow,
): { readonly whole: Route; readonly below: Route } {
  const { endpoints, at } = destination
  const inPage = subresourceScope(at, 'pageId', {
    key: 'page',
    noun: 'page',
    find: (_request, id, { content }) => content.run(findPage(content.revision.snapshot, id as PageId)),
  })

  async function importFrom(
    request: Resources & ImportRequestContext & Committer<Resources>,
    { mode = 'update', ...address }: SourceAddress & { readonly mode?: ImportMode },
    page: PageRecord | null,
  ): Promise<ImportResult | RouteResponse> {
    await destination.requireImportable(request)
    return importInto(destination, request, {
      source: address,
      isResumable: true,
      mode,
      page,
      resumedRun,
      withSource: (run, work) => withSource(request.services, address, run, work),
    })
  }

  return {
    whole: route(endpoints.whole, {
      at,
      allow: 'edit',
      handleLong: (request) => importFrom(request, request.body, null),
    }),
    below: route(endpoints.below, {
      at: inPage,
      allow: 'edit',
      handleLong: (request) => importFrom(request, request.body, request.page),
    }),
  }
}

/** Names a source in the origins of its pages: its address, which may hold a secret, is stored as a hash. */
function sourceKey(url: string): string {
  const address = new URL(url)
  address.hash = ''
  return createHash('sha256').update(address.href).digest('base64url').slice(0, 22)
}

/** An import is a live edit. A locked space takes one only while it is untouched, and only from its administrators. */
async function requireUnlocked({
  space: { row, level },
  content: { revision, run },
}: ImportTargetContext): Promise<void> {
  if (row.edit_mode === 'live') return
  // A new space has one page or none; one that was created by an import has more.
  const isUntouched = revision.parents.length === 0 && (await run(count(revision.snapshot.pages))) <= 1
  if (!isUntouched || !canAdminister(level)) throw new ApiError('live_edits_locked')
}

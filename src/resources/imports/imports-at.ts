/** Importing from an address, mounted at two doors: the space and a change request; as a whole, or below a page. */
import type { PageId } from '../../core/ids.js'
import { count } from '../../core/merkle/map.js'
import { findPage } from '../../core/pages/read.js'
import type { PageRecord } from '../../core/pages/types.js'
import type { SpaceAction } from '../../access/rules/levels.js'
import { type Committing, type Route, longRoute } from '../../access/route/route.js'
import { type Scope, type Services, within } from '../../access/route/scope.js'
import type { Actor } from '../../access/signin/actor.js'
import { ApiError } from '../../contract/errors.js'
import {
  type ImportEndpoints,
  type ImportResult,
  changeRequestImports,
  spaceImports,
} from '../../contract/imports.js'
import { inChangeRequestContent } from '../change-requests/scope.js'
import { requireChangeable } from '../change-requests/status.js'
import type { ChangeRequestRow } from '../change-requests/store.js'
import type { ContentHere } from '../content/content.js'
import { type SpaceHere, administers, inSpaceContent } from '../spaces/scope.js'
import type { SpaceRow } from '../spaces/store.js'
import { type SourceAddress, withSource } from './fetch-source.js'
import { importTree } from './import.js'
import { presentImport } from './present.js'
import { type ImportTarget, intoChangeRequest, intoSpace } from './target.js'

interface Here {
  readonly space: SpaceHere
  readonly content: ContentHere
}

interface Arrived {
  readonly actor: Actor
  readonly now: number
  readonly services: Services
}

/** A place that is imported into. */
interface ImportDoor<Params extends string, Things extends Here> {
  readonly endpoints: ImportEndpoints<Params>
  readonly at: Scope<Params, Things, SpaceAction>
  /** Throws where nothing may be imported now; the target asks again where the head is moved. */
  requireImportable(here: Things): Promise<void>
  target(here: Things & Arrived): ImportTarget
}

export const atSpace: ImportDoor<'spaceId', Here> = {
  endpoints: spaceImports,
  at: inSpaceContent,
  requireImportable: ({ space, content }) => requireUnlocked(space, space.row, content),
  target: ({ space, actor, now, services }) =>
    intoSpace(space.row, (row, content) => requireUnlocked(space, row, content), {
      services,
      userId: actor.userId,
      now,
    }),
}

interface ChangeRequestHere extends Here {
  readonly changeRequest: ChangeRequestRow
}

export const atChangeRequest: ImportDoor<'spaceId' | 'changeRequestId', ChangeRequestHere> = {
  endpoints: changeRequestImports,
  at: inChangeRequestContent,
  requireImportable: async ({ changeRequest }) => requireChangeable(changeRequest),
  target: ({ space, changeRequest, actor, now, services }) =>
    intoChangeRequest(space.row, changeRequest, { services, userId: actor.userId, now }),
}

export function importsAt<Params extends string, Things extends Here>(
  door: ImportDoor<Params, Things>,
): Route[] {
  const { endpoints, at } = door
  const inPage = within(at, 'pageId', {
    key: 'page',
    thing: 'page',
    find: (_request, id, { content }) => content.run(findPage(content.revision.snapshot, id as PageId)),
  })

  async function importFrom(
    address: SourceAddress,
    here: Things & Arrived & Committing<object>,
    page: PageRecord | null,
  ): Promise<ImportResult> {
    await door.requireImportable(here)
    const { services, now, commit } = here
    return withSource(services, address, async ({ entries, name, isAlone }) => {
      const imported = await importTree({
        services,
        target: door.target(here),
        below: page !== null || isAlone ? { parent: page?.id ?? null, name } : undefined,
        commit: (work) => commit(({ tx }) => work(tx)),
        entries,
        now,
      })
      return presentImport(imported)
    })
  }

  return [
    longRoute(endpoints.whole, {
      at,
      allow: 'edit',
      handle: (request) => importFrom(request.body, request, null),
    }),
    longRoute(endpoints.below, {
      at: inPage,
      allow: 'edit',
      handle: (request) => importFrom(request.body, request, request.page),
    }),
  ]
}

/** An import is a live edit; only its makers may fill a space that nobody has written in, locked or not. */
async function requireUnlocked(
  { level }: SpaceHere,
  row: SpaceRow,
  { revision, run }: ContentHere,
): Promise<void> {
  if (row.edit_mode === 'live') return
  // A space begins with one page, or with none; one that began with an import has more.
  const isUntouched = revision.parents.length === 0 && (await run(count(revision.snapshot.pages))) <= 1
  if (!isUntouched || !administers(level)) throw new ApiError('live_edits_locked')
}

/** Routes of change requests: list, create, edit content, merge, update from the space, resolve conflicts. */
import { continued } from '../../access/route/responses.js'
import { type Committer, type Route, route } from '../../access/route/route.js'
import { urlViewerOf } from '../../access/signin/actor.js'
import { type Services, withParam } from '../../access/route/scope.js'
import { loadLevels } from '../../access/rules/level-facts.js'
import { ApiError } from '../../contract/errors.js'
import * as operations from '../../contract/change-requests.js'
import { changeRequestContent } from '../../contract/content.js'
import { editChangeRequestText } from '../../contract/page-text.js'
import { compareContent, getChangeRequestChanges } from '../../contract/semantic-changes.js'
import type { PageId } from '../../core/ids.js'
import type { Choice, ConflictId } from '../../core/merge/conflict.js'
import type { Db } from '../../store/db/database.js'
import { inOrganization, readerOf } from '../organizations/scope.js'
import { changeContent } from '../content/change.js'
import { isContinued } from '../content/commit.js'
import { type ContentContext, contentAtRevision, getContent } from '../content/content.js'
import { findPart } from '../content/comparison-cursor.js'
import { presentFile } from '../content/present.js'
import { contentRoutes } from '../content/content-routes.js'
import { listChanges } from '../content/semantic-changes.js'
import { documentOfMarkdown } from '../content/markdown-document.js'
import { addFile, storeUpload } from '../content/add-file.js'
import { editText } from '../content/edit-text.js'
import { areWithoutUploads, storeUploads } from '../content/uploads.js'
import { type SpaceContext, inSpace, inSpaceContent } from '../spaces/scope.js'
import type { SpaceRow } from '../spaces/store.js'
import { inBranch } from './branch.js'
import { createChangeRequest } from './create.js'
import { findCompared } from './compared-contents.js'
import { findMergedChangeRequests } from './find-merged.js'
import { type CheckMergeRules, mergeChangeRequest } from './merge.js'
import type { MergeRequest } from './optimistic-merge.js'
import { notifyOfDescription } from './notify.js'
import { openConflicts } from './pending-conflicts.js'
import { presentConflict } from './present.js'
import { inChangeRequest, inChangeRequestContent } from './scope.js'
import { showChangeRequests } from './show.js'
import { requireChangeable, requireUnmerged } from './status.js'
import {
  type ChangeRequestRow,
  listChangeRequests,
  listChangeRequestsInOrganization,
  recordContribution,
  updateChangeRequestRow,
} from './store.js'
import { resolveConflicts } from './resolve.js'
import { updateFromSpace } from './update.js'

type SpaceWithLevel = Pick<SpaceContext, 'row' | 'level'>

async function show(
  db: Db,
  { addresses }: Services,
  { row: space, level }: SpaceWithLevel,
  row: ChangeRequestRow,
) {
  const relations = { addresses, headOf: () => space.revision_id, levelOf: () => level }
  const [presented] = await showChangeRequests(db, [row], relations)
  if (row.description === '') return presented!
  return {
    ...presented!,
    description: documentOfMarkdown(row.description),
    descriptionMarkdown: row.description,
  }
}

export const changeRequestRoutes = (checkRules: CheckMergeRules): readonly Route[] => [
  route(operations.listChangeRequests, {
    at: inSpace,
    allow: 'view',
    handle: async ({ db, space, query, services }) => {
      const { status = 'open', creator, contributor, requestedReviewer, ...list } = query
      const filter = { status, creator, contributor, requestedReviewer }
      const page = await listChangeRequests(db, space.row, filter, list)
      const { addresses } = services
      const items = await showChangeRequests(db, page.items, {
        addresses,
        headOf: () => space.row.revision_id,
        levelOf: () => space.level,
      })
      return { ...page, items }
    },
  }),

  route(operations.listOrganizationChangeRequests, {
    at: inOrganization,
    allow: 'visit',
    handle: async ({ db, actor, organization, query, services: { addresses } }) => {
      const { status = 'open', creator, contributor, requestedReviewer } = query
      const filter = { status, creator, contributor, requestedReviewer }
      const page = await listChangeRequestsInOrganization(db, readerOf(actor, organization), filter, query)
      const heads = new Map(page.items.map((row) => [row.id, row.head]))
      const headOf = (row: ChangeRequestRow) => heads.get(row.id)!
      const spaces = [...new Set(page.items.map((row) => row.space_id))]
      const levels = await loadLevels(db, readerOf(actor, organization), 'space', spaces)
      const levelOf = (row: ChangeRequestRow) => levels.get(row.space_id)!
      return { ...page, items: await showChangeRequests(db, page.items, { addresses, headOf, levelOf }) }
    },
  }),

  route(operations.createChangeRequest, {
    at: inSpace,
    allow: 'edit',
    handle: async ({ tx, actor, space, body, now, services }) => {
      const input = { ...body, description: body.description?.markdown, actor, now }
      return show(tx, services, space, await createChangeRequest(tx, space.row, input))
    },
  }),

  route(operations.getChangeRequest, {
    at: inChangeRequest,
    allow: 'view',
    handle: ({ db, space, changeRequest, services }) => show(db, services, space, changeRequest),
  }),

  route(operations.updateChangeRequest, {
    at: inChangeRequest,
    allow: 'edit',
    handle: async ({ tx, actor, space, changeRequest, body, now, services }) => {
      if (body.status !== undefined) requireUnmerged(changeRequest)
      const row = await updateChangeRequestRow(tx, changeRequest, {
        updated_at: now,
        ...(body.subject !== undefined && { subject: body.subject }),
        ...(body.description !== undefined && { description: body.description.markdown }),
        ...(body.status !== undefined && { status: body.status }),
      })
      const descriptions = { before: changeRequest.description, after: row.description }
      await notifyOfDescription(tx, row, descriptions, { userId: actor.userId, now })
      return show(tx, services, space, row)
    },
  }),

  route(getChangeRequestChanges, {
    at: inChangeRequestContent,
    allow: 'view',
    handle: async ({ db, changeRequest, content, query, services, actor, now }) => {
      const { organizationId, spaceId } = content
      const part = await findPart({ db, services, organizationId, spaceId }, query.page, async () => ({
        before: await contentAtRevision(db, content, changeRequest.revision_merged_ancestor_id, services),
        after: content,
      }))
      const comparing = { ...part, services, urlViewer: urlViewerOf(actor, now) }
      return listChanges(comparing, { ...query, start: part.start })
    },
  }),

  route(compareContent, {
    at: inSpaceContent,
    allow: 'view',
    handle: async ({ db, space, content, query, services, actor, now }) => {
      const { organizationId, spaceId } = content
      const source = { db, services, organizationId, spaceId }
      const part = await findPart(source, query.page, () => findCompared(source, space.row, query, content))
      const comparing = { ...part, services, urlViewer: urlViewerOf(actor, now) }
      return listChanges(comparing, { ...query, start: part.start })
    },
  }),

  ...contentRoutes(changeRequestContent, inChangeRequestContent, findMergedChangeRequests),

  route(operations.changeContent, {
    at: inChangeRequest,
    allow: 'edit',
    isShort: ({ body }) => areWithoutUploads(body.changes),
    handleLong: async ({ actor, changeRequest, query, body, now, services, ifMatch, commit }) => {
      requireChangeable(changeRequest)
      const uploads = await storeUploads(services, body.changes)
      return commit(async ({ tx, space, changeRequest: row }) => {
        const content = await branchContent(tx, space.row, row, services)
        const base = row.revision_merged_ancestor_id
        const changed = await changeContent(tx, content, {
          changes: body.changes,
          uploads,
          base,
          ifMatch,
          actor,
          now,
          services,
        })
        const after = { ...row, revision_id: changed.revision.id, updated_at: now }
        const [presented] = await Promise.all([
          show(tx, services, space, after),
          recordContribution(tx, row, actor.userId, now),
        ])
        const isLogged = !isContinued(content, changed.revision, actor)
        if (query.compat !== false) return isLogged ? presented : continued(presented)
        const insertedFiles = changed.files.map(({ ref, file }) => ({
          ...presentFile(services.addresses, file, content, urlViewerOf(actor, now)),
          ...(ref !== undefined && { ref }),
        }))
        const reply = { changeRequest: presented, changes: [...changed.outcomes], insertedFiles }
        return isLogged ? reply : continued(reply)
      })
    },
  }),

  route(editChangeRequestText, {
    at: withParam(inChangeRequest, 'pageId'),
    allow: 'edit',
    handle: async ({ tx, space, changeRequest: row, pageId, ...request }) => {
      const { actor, now, services } = request
      return editText(tx, await branchContent(tx, space.row, row, services), {
        ...request,
        pageId: pageId as PageId,
        recordContribution: () => recordContribution(tx, row, actor.userId, now),
      })
    },
  }),

  route(operations.uploadChangeRequestFile, {
    at: inChangeRequest,
    allow: 'edit',
    handleLong: async ({ actor, changeRequest, now, services, upload, commit }) => {
      requireChangeable(changeRequest)
      const stored = await storeUpload(services, upload)
      return commit(async ({ tx, space, changeRequest: row }) => {
        const content = await branchContent(tx, space.row, row, services)
        await recordContribution(tx, row, actor.userId, now)
        return addFile(tx, content, stored, { actor, now, services })
      })
    },
  }),

  route(operations.mergeChangeRequest, {
    at: inChangeRequest,
    allow: 'merge',
    handleLong: async (request) => {
      const outcome = await mergeChangeRequest(mergeRequestOf(request), checkRules)
      const { revision, conflicts, warnings } = outcome
      if (conflicts.length === 0)
        return { revision, result: 'merge' as const, ...(warnings && { warnings: [...warnings] }) }
      return { revision, result: 'conflicts' as const, conflicts: conflicts.map(presentConflict) }
    },
  }),

  route(operations.updateFromSpace, {
    at: inChangeRequest,
    allow: 'edit',
    handleLong: async ({ body, ...request }) => {
      const { strategy } = body
      const outcome = await updateFromSpace(mergeRequestOf(request), strategy)
      const { revision, conflicts, settled = [] } = outcome
      if (conflicts.length === 0) {
        const presented = settled.map(presentConflict)
        return { revision, result: 'update' as const, ...(strategy !== undefined && { settled: presented }) }
      }
      return { revision, result: 'conflicts' as const, conflicts: conflicts.map(presentConflict) }
    },
  }),

  route(operations.listConflicts, {
    at: inChangeRequest,
    allow: 'view',
    handle: async ({ changeRequest }) => ({ conflicts: openConflicts(changeRequest).map(presentConflict) }),
  }),

  route(operations.resolveConflicts, {
    at: inChangeRequest,
    allow: 'edit',
    handleLong: ({ body, ...request }) => {
      const choices = new Map(body.resolutions.map((resolution) => [resolution.id, choiceOf(resolution)]))
      return resolveConflicts(mergeRequestOf(request), choices, (tx, { space, changeRequest }) =>
        show(tx, request.services, { row: space, level: request.space.level }, changeRequest),
      )
    },
  }),
]

function choiceOf({
  id,
  take,
  text,
}: {
  id: ConflictId
  take: 'ours' | 'theirs' | 'text'
  text?: string
}): Choice {
  if (take !== 'text') return { take }
  if (text !== undefined) return { text }
  throw new ApiError('invalid_request', {
    problem: `The resolution of ${id} takes "text" but has no member "text".`,
  })
}

interface ChangeRequestContext {
  readonly space: SpaceContext
  readonly changeRequest: ChangeRequestRow
}

/** Returns the input of a merge in either direction. */
function mergeRequestOf<Reply>({
  space,
  changeRequest,
  commit,
  actor,
  now,
  services,
}: ChangeRequestContext &
  Committer<ChangeRequestContext> &
  Pick<MergeRequest<Reply>, 'actor' | 'now' | 'services'>): MergeRequest<Reply> {
  return {
    actor,
    now,
    services,
    rows: { space: space.row, changeRequest },
    commit: (work) =>
      commit(({ tx, ...current }) =>
        work(tx, { space: current.space.row, changeRequest: current.changeRequest }),
      ),
  }
}

/** Returns the head content of the change request; throws 409 when it may not be changed. */
async function branchContent(
  db: Db,
  space: SpaceRow,
  row: ChangeRequestRow,
  services: Services,
): Promise<ContentContext> {
  requireChangeable(row)
  const source = { db, services, organizationId: space.organization_id, spaceId: space.id }
  return inBranch(await getContent(source, row.revision_id), row)
}

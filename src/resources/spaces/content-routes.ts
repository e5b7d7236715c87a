/** Routes of a space's content: read at its head and at revisions, written by live edits, uploads and rollback. */
import { type Route, route } from '../../access/route/route.js'
import {
  type LoadRequest,
  type Services,
  subresourceScope,
  withLoaded,
  withParam,
} from '../../access/route/scope.js'
import { type Actor, urlViewerOf } from '../../access/signin/actor.js'
import type { PageId } from '../../core/ids.js'
import { sameSnapshot } from '../../core/pages/build.js'
import { ApiError } from '../../contract/errors.js'
import { getDocument, revisionContent, spaceContent } from '../../contract/content.js'
import { editSpaceText } from '../../contract/page-text.js'
import { getRevisionChanges } from '../../contract/semantic-changes.js'
import { changeSpaceContent, rollbackSpace, uploadSpaceFile } from '../../contract/spaces.js'
import type { Db, Tx } from '../../store/db/database.js'
import { createSink } from '../../store/content/sink.js'
import { contentRoutes } from '../content/content-routes.js'
import { changeContent } from '../content/change.js'
import { commit } from '../content/commit.js'
import {
  type ContentContext,
  asWritten,
  contentFromRevision,
  earlierContents,
  expandForRequest,
  contentAtRevision,
  forActor,
  getContent,
} from '../content/content.js'
import { findDocument, writeDocument } from '../content/document.js'
import { editText } from '../content/edit-text.js'
import { findPart } from '../content/comparison-cursor.js'
import { presentFile } from '../content/present.js'
import type { FindMergedChangeRequests } from '../content/revision-list.js'
import { readRevision } from '../content/revision.js'
import { listChanges } from '../content/semantic-changes.js'
import { formerRevisions } from '../content/published-revisions.js'
import { addFile, storeUpload } from '../content/add-file.js'
import { areWithoutUploads, storeUploads } from '../content/uploads.js'
import { type SpaceContext, inRevision, inSpace, inSpaceContent } from './scope.js'
import { showSpace } from './show.js'
import type { SpaceRow } from './store.js'

const inExpandedContent = withLoaded(inSpaceContent, 'content', (request, { content }) =>
  expandForRequest(request, content),
)

const inDocument = subresourceScope(inExpandedContent, 'documentId', {
  key: 'placed',
  noun: 'document',
  async find(request, id, { space, content }) {
    const { services } = request
    if (services.addresses.readDocumentId(content.spaceId, id) === undefined) return undefined
    for await (const candidate of documentContents(request, { space, content })) {
      const source = await findDocument(candidate, id, services)
      if (source !== undefined) return { content: candidate, source }
    }
    return undefined
  },
})

/** Earlier versions of specifications whose pages are generated to find one document. */
const maxEarlierVersions = 20

/**
 * Yields the content in which a document is looked for: the current one, then with earlier specification versions, then
 * those former revisions that a renderer may still be putting together.
 */
async function* documentContents(
  request: LoadRequest,
  { space, content }: { readonly space: SpaceContext; readonly content: ContentContext },
): AsyncGenerator<ContentContext> {
  const { services, actor, immutable } = request
  let left = maxEarlierVersions
  async function* withEarlierVersions(current: ContentContext): AsyncGenerator<ContentContext> {
    yield current
    if (left === 0) return
    for await (const earlier of earlierContents(request, current)) {
      yield earlier
      left -= 1
      if (left === 0) return
    }
  }
  yield* withEarlierVersions(content)
  if (actor.reading === undefined) return
  const { organizationId, spaceId } = content
  const location = { db: immutable, services, organizationId, spaceId }
  for await (const former of formerRevisions(actor.reading, space.row, location))
    yield* withEarlierVersions(await expandForRequest(request, forActor(former, actor)))
}

export const spaceContentRoutes = (findMerged: FindMergedChangeRequests): readonly Route[] => [
  ...contentRoutes(spaceContent, inSpaceContent, findMerged),
  ...contentRoutes(revisionContent, inRevision, findMerged),

  route(getDocument, {
    at: inDocument,
    allow: 'view',
    handle: ({ placed: { content, source }, query, services }) =>
      writeDocument(content, source, query, services),
  }),

  route(changeSpaceContent, {
    at: inSpace,
    allow: 'edit',
    isShort: ({ body }) => areWithoutUploads(body.changes),
    handleLong: async ({ actor, query, body, now, services, ifMatch, commit }) => {
      const uploads = await storeUploads(services, body.changes)
      return commit(async ({ tx, space }) => {
        const { row } = space
        const content = await liveContent(tx, row, services)
        const changed = await changeContent(tx, content, {
          changes: body.changes,
          uploads,
          base: content.revision.id,
          ifMatch,
          actor,
          now,
          services,
        })
        const after = { ...row, revision_id: changed.revision.id, updated_at: now }
        const presented = await showSpace(tx, services.addresses, { row: after, level: space.level })
        if (query.compat !== false) return presented
        const insertedFiles = changed.files.map(({ ref, file }) => ({
          ...presentFile(services.addresses, file, content, urlViewerOf(actor, now)),
          ...(ref !== undefined && { ref }),
        }))
        return { space: presented, changes: [...changed.outcomes], insertedFiles }
      })
    },
  }),

  route(editSpaceText, {
    at: withParam(inSpace, 'pageId'),
    allow: 'edit',
    handle: async ({ tx, space, pageId, ...request }) => {
      const content = await liveContent(tx, space.row, request.services)
      return editText(tx, content, { ...request, pageId: pageId as PageId })
    },
  }),

  route(uploadSpaceFile, {
    at: inSpace,
    allow: 'edit',
    handleLong: async ({ actor, space, now, services, upload, commit }) => {
      requireLive(space.row)
      const stored = await storeUpload(services, upload)
      return commit(async ({ tx, space: { row } }) => {
        const content = await liveContent(tx, row, services)
        return addFile(tx, content, stored, { actor, now, services })
      })
    },
  }),

  route(getRevisionChanges, {
    at: inRevision,
    allow: 'view',
    handle: async ({ db, content: expanded, query, services, actor, now }) => {
      const content = asWritten(expanded)
      const { parents, mergedFrom: mergedId } = content.revision
      const [parent] = parents
      const { organizationId, spaceId } = content
      const part = await findPart({ db, services, organizationId, spaceId }, query.page, async () => ({
        before: parent === undefined ? undefined : await contentAtRevision(db, content, parent, services),
        after: content,
      }))
      const mergedIds = mergedId === null ? [] : [mergedId]
      const [merged] = (await findMerged(content, mergedIds, { db, services })).values()
      const comparing = { ...part, services, urlViewer: urlViewerOf(actor, now) }
      const found = await listChanges(comparing, { ...query, start: part.start })
      return { ...(merged !== undefined && { mergedFrom: merged }), ...found }
    },
  }),

  route(rollbackSpace, {
    at: inRevision,
    allow: 'administer',
    handle: async ({ tx, actor, space, content, now, services }) => {
      const head = await headContent(tx, space.row, services)
      const revision = await rollBack(tx, head, asWritten(content), { actor, now, services })
      return readRevision(revision, {
        db: tx,
        services,
        urlViewer: urlViewerOf(actor, now),
        findMerged,
      })
    },
  }),
]

/** Commits a revision that equals an old one; the revisions in between stay in the history. */
async function rollBack(
  tx: Tx,
  head: ContentContext,
  to: ContentContext,
  { actor, now, services }: { actor: Actor; now: number; services: Services },
): Promise<ContentContext> {
  if (sameSnapshot(head.revision.snapshot, to.revision.snapshot)) {
    throw new ApiError('no_change', { problem: 'this revision is the current content' })
  }
  const { organizationId, spaceId } = head
  const revision = await commit(tx, head, {
    type: 'rollback',
    snapshot: to.revision.snapshot,
    sink: createSink(organizationId, services.objects),
    userId: actor.userId,
    now,
    message: `Back to revision ${to.revision.id}`,
  })
  return contentFromRevision({ db: tx, services, organizationId, spaceId }, revision)
}

function requireLive({ edit_mode }: SpaceRow): void {
  if (edit_mode !== 'live') throw new ApiError('live_edits_locked')
}

/** Returns the head content; throws 409 when live edits are locked. */
async function liveContent(db: Db, row: SpaceRow, services: Services): Promise<ContentContext> {
  requireLive(row)
  return headContent(db, row, services)
}

function headContent(db: Db, row: SpaceRow, services: Services): Promise<ContentContext> {
  return getContent({ db, services, organizationId: row.organization_id, spaceId: row.id }, row.revision_id)
}

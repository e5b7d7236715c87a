/** The content of a space: read as it is and as it was, and written directly by live edits, uploads, rollback. */
import { type Route, longRoute, route } from '../../access/route/route.js'
import { type Services, within, withMore } from '../../access/route/scope.js'
import { type Actor, askerOf } from '../../access/signin/actor.js'
import { sameSnapshot } from '../../core/pages/build.js'
import { ApiError } from '../../contract/errors.js'
import { getDocument, revisionContent, spaceContent } from '../../contract/content.js'
import { spaceLine } from '../../contract/revisions.js'
import { getRevisionChanges } from '../../contract/semantic-changes.js'
import { changeSpaceContent, rollbackSpace, uploadSpaceFile } from '../../contract/spaces.js'
import type { Tx } from '../../store/db/database.js'
import { createSink } from '../../store/content/sink.js'
import { contentAt } from '../content/content-at.js'
import { changeContent } from '../content/change.js'
import { commit } from '../content/commit.js'
import { type ContentHere, contentOf, contentOfRevision, getContent } from '../content/content.js'
import { findDocument, writeDocument } from '../content/document.js'
import { presentFile } from '../content/present.js'
import { showContent } from '../content/show-content.js'
import { type FindMerged, lineAt } from '../content/revision-list.js'
import { readRevision } from '../content/revision.js'
import { listChanges } from '../content/semantic-changes.js'
import { addFile, storeUpload } from '../content/upload.js'
import { storeUploads } from '../content/uploads.js'
import { inRevision, inSpace, inSpaceContent } from './scope.js'
import { showSpace } from './show.js'
import type { SpaceRow } from './store.js'

const inShownContent = withMore(inSpaceContent, 'content', (request, { content }) =>
  showContent(request, content),
)

const inDocument = within(inShownContent, 'documentId', {
  key: 'held',
  thing: 'document',
  find: ({ services }, id, { content }) => findDocument(content, id, services),
})

export const spaceContentRoutes = (findMerged: FindMerged): readonly Route[] => [
  ...contentAt(spaceContent, inSpaceContent, findMerged),
  ...contentAt(revisionContent, inRevision, findMerged),
  ...lineAt(spaceLine, inSpaceContent, findMerged),

  route(getDocument, {
    at: inDocument,
    allow: 'view',
    handle: ({ content, held, query, services }) => writeDocument(content, held, query, services),
  }),

  longRoute(changeSpaceContent, {
    at: inSpace,
    allow: 'edit',
    handle: async ({ actor, query, body, now, services, commit }) => {
      const uploads = await storeUploads(services, body.changes)
      return commit(async ({ tx, space }) => {
        const { row } = space
        const content = await liveContent(tx, row, services)
        const changed = await changeContent(tx, content, {
          changes: body.changes,
          uploads,
          base: content.revision.id,
          actor,
          now,
          services,
        })
        const after = { ...row, revision_id: changed.revision.id, updated_at: now }
        const shown = await showSpace(tx, services.addresses, { row: after, level: space.level })
        if (query.compat !== false) return shown
        const insertedFiles = changed.files.map(({ ref, file }) => ({
          ...presentFile(services.addresses, file, content, askerOf(actor, now)),
          ...(ref !== undefined && { ref }),
        }))
        return { space: shown, changes: [...changed.outcomes], insertedFiles }
      })
    },
  }),

  longRoute(uploadSpaceFile, {
    at: inSpace,
    allow: 'edit',
    handle: async ({ actor, space, now, services, upload, commit }) => {
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
    handle: async ({ db, content: { written, ...shown }, query, services, actor, now }) => {
      const content = written ?? shown
      const { parents, mergedFrom: mergedId } = content.revision
      const [parent] = parents
      const before = parent === undefined ? undefined : await contentOfRevision(db, content, parent, services)
      const mergedIds = mergedId === null ? [] : [mergedId]
      const [merged] = (await findMerged(content, mergedIds, { db, services })).values()
      const comparing = { before, after: content, services, asker: askerOf(actor, now) }
      const found = await listChanges(comparing, query.limit, query.blocks)
      return { ...(merged !== undefined && { mergedFrom: merged }), ...found }
    },
  }),

  route(rollbackSpace, {
    at: inRevision,
    allow: 'administer',
    handle: async ({ tx, actor, space, content, now, services }) => {
      const head = await headContent(tx, space.row, services)
      const revision = await rollBack(tx, head, content.written ?? content, { actor, now, services })
      return readRevision(revision, {
        db: tx,
        services,
        asker: askerOf(actor, now),
        findMerged,
      })
    },
  }),
]

/** A new revision that equals an old one; nothing between them is lost. */
async function rollBack(
  tx: Tx,
  head: ContentHere,
  to: ContentHere,
  { actor, now, services }: { actor: Actor; now: number; services: Services },
): Promise<ContentHere> {
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
  return contentOf({ db: tx, services, organizationId, spaceId }, revision)
}

function requireLive({ edit_mode }: SpaceRow): void {
  if (edit_mode !== 'live') throw new ApiError('live_edits_locked')
}

/** The content of a space that may be edited live now. */
async function liveContent(tx: Tx, row: SpaceRow, services: Services): Promise<ContentHere> {
  requireLive(row)
  return headContent(tx, row, services)
}

function headContent(tx: Tx, row: SpaceRow, services: Services): Promise<ContentHere> {
  return getContent(
    { db: tx, services, organizationId: row.organization_id, spaceId: row.id },
    row.revision_id,
  )
}

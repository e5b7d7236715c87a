/**
 * A batch of changes: applied in order, all or nothing, as one revision. What each change does is in `change-*.ts`.
 *
 * Bytes of new files are stored before the transaction begins (see `uploads.ts`); a batch that is then
 * refused leaves unreferenced bytes, never a reference without bytes.
 */
import type { FileId, PageId, RevisionId } from '../../core/ids.js'
import type { Step } from '../../core/merkle/types.js'
import { type Edit, editSnapshot } from '../../core/pages/edit.js'
import { joinPath } from '../../core/pages/paths.js'
import { findFile, findPage, listReusableContents } from '../../core/pages/read.js'
import { EditError, editErrors } from '../../core/pages/edit-error.js'
import type { FileRecord, Snapshot } from '../../core/pages/types.js'
import { newFileId } from '../../access/ids.js'
import type { Services } from '../../access/route/scope.js'
import type { Actor } from '../../access/signin/actor.js'
import type { Change, ChangeOf, ChangeOutcome } from '../../contract/changes.js'
import type { EditConflict } from '../../contract/edit-conflict.js'
import { ApiError } from '../../contract/errors.js'
import type { Revision } from '../../store/content/revisions.js'
import { type ObjectSink, createSink } from '../../store/content/sink.js'
import type { Tx } from '../../store/db/database.js'
import type { ChangeBatch, Deletion } from './change-batch.js'
import { deleteFile, updateFile } from './change-files.js'
import { deletePage, insertPage, revertPage, updatePage } from './change-pages.js'
import {
  deleteReusableContent,
  insertReusableContent,
  requireReusableContent,
  updateReusableContent,
} from './change-reusable-contents.js'
import { deleteTag, insertTag, updateTag, updateVariables } from './change-settings.js'
import { commit } from './commit.js'
import {
  type ContentContext,
  type ContentSource,
  asWritten,
  cacheWrittenRevision,
  findContent,
  runWith,
} from './content.js'
import { describeThrough } from './describe.js'
import { linkReferences } from './link-batch-names.js'
import { findEditBase, findRevisionOfTag, mergeStaleEdit, refuseConflicts } from './stale-edit.js'
import { insertBlobs } from '../../store/content/blobs.js'
import { listUsingSites } from './site-uses.js'
import type { StoredUpload } from './uploads.js'

export interface ContentChangeResult {
  readonly revision: Revision
  readonly outcomes: readonly ChangeOutcome[]
  readonly files: readonly { readonly ref?: string; readonly file: FileRecord }[]
}

interface ChangeBatchInput {
  readonly changes: readonly Change[]
  /** The stored bytes of each `insert_files` change, by its index in the batch. */
  readonly uploads: ReadonlyMap<number, readonly StoredUpload[]>
  /** The revision that `revert_page` restores when it names none. */
  readonly base: RevisionId
  /** Entity tags of revisions, one of which the whole batch was made on; undefined for the current one. */
  readonly ifMatch: readonly string[] | undefined
  readonly actor: Actor
  readonly now: number
  readonly services: Services
}

/** Commits the batch and returns its outcomes; throws `invalid_change` with the index of the first invalid change. */
export async function changeContent(
  tx: Tx,
  content: ContentContext,
  request: ChangeBatchInput,
): Promise<ContentChangeResult> {
  const { actor, now, services, ifMatch } = request
  const { organizationId, spaceId } = content
  const source = { db: tx, services, organizationId, spaceId }
  const based = ifMatch && (await requireRevisionOfTags(source, ifMatch))
  const batch = new Batch(source, content, request, based?.snapshot ?? content.revision.snapshot)
  for (const [index, change] of request.changes.entries()) await batch.apply(change, index)
  await linkReferences(batch)
  if (based !== undefined) await batch.mergeInto(based.snapshot, content.revision.snapshot)
  await batch.finish()
  refuseConflicts(batch.conflicts, content)
  await insertBlobs(
    tx,
    services.files,
    organizationId,
    batch.files.map(({ file }) => file),
    now,
  )
  const revision = await commit(tx, content, {
    type: 'edits',
    snapshot: batch.snapshot,
    sink: batch.sink,
    userId: actor.userId,
    now,
    save: actor,
  })
  cacheWrittenRevision(services, revision)
  return { revision, outcomes: batch.outcomes, files: batch.files }
}

/** Returns the first revision that one of the tags names; throws 412 where none does. */
async function requireRevisionOfTags(source: ContentSource, tags: readonly string[]): Promise<Revision> {
  for (const tag of tags) {
    const revision = await findRevisionOfTag(source, tag)
    if (revision !== undefined) return revision
  }
  throw new ApiError('base_unknown')
}

/** The state of one batch: the snapshot so far, and the `ref` names by which later changes refer to earlier pages and files. */
class Batch implements ChangeBatch {
  readonly sink: ObjectSink
  readonly outcomes: ChangeOutcome[] = []
  readonly conflicts: EditConflict[] = []
  readonly deletions: Deletion[] = []
  files: { ref?: string; file: FileRecord }[] = []
  readonly reusableContents = new Map<string, string>()
  readonly textsWithReferences = new Set<string>()
  readonly pages = new Map<string, PageId>()
  readonly pagesWithNewText = new Set<PageId>()

  constructor(
    private readonly source: ContentSource,
    private readonly content: ContentContext,
    private readonly request: ChangeBatchInput,
    public snapshot: Snapshot,
  ) {
    this.sink = createSink(content.organizationId, request.services.objects)
  }

  async apply(change: Change, index: number): Promise<void> {
    try {
      switch (change.operation) {
        case 'insert_page':
          return await insertPage(this, change, index)
        case 'update_page':
          return await (change.base === undefined
            ? updatePage(this, change, index)
            : this.updateBasedPage(change, change.base, index))
        case 'delete_page':
          return await deletePage(this, change.page)
        case 'revert_page':
          return await revertPage(this, change)
        case 'insert_files':
          return await this.insertFiles(this.request.uploads.get(index) ?? [])
        case 'update_file':
          return await updateFile(this, change, index)
        case 'delete_file':
          return await deleteFile(this, change, index)
        case 'insert_reusable_content':
          return await insertReusableContent(this, change)
        case 'update_reusable_content':
          return await (change.base === undefined
            ? updateReusableContent(this, change, index)
            : this.updateBasedReusableContent(change, change.base, index))
        case 'delete_reusable_content':
          return await deleteReusableContent(this, change, index)
        case 'update_variables':
          return await updateVariables(this, change, index)
        case 'insert_tag':
          return await insertTag(this, change, index)
        case 'update_tag':
          return await updateTag(this, change, index)
        case 'delete_tag':
          return await deleteTag(this, change, index)
      }
    } catch (error) {
      if (!(error instanceof EditError)) throw error
      throw new ApiError('invalid_change', { index, problem: editErrors[error.refusal].replace(/\.$/, '') })
    }
  }

  /** Makes the change on an earlier content, and merges what it did with what came between. */
  private async updateBasedPage(change: ChangeOf<'update_page'>, name: string, index: number): Promise<void> {
    const id = change.page as PageId
    const base = await findEditBase(this.source, this.content, { page: id }, name)
    if (base === undefined || (await this.run(findPage(base, id))) === undefined)
      throw new ApiError('invalid_reference', {
        member: `changes[${index}].base`,
        thing: 'a revision, or an earlier text of the page,',
      })
    const current = this.snapshot
    this.snapshot = base
    await updatePage(this, change, index)
    await this.mergeInto(base, current)
  }

  private async updateBasedReusableContent(
    change: ChangeOf<'update_reusable_content'>,
    name: string,
    index: number,
  ): Promise<void> {
    const { id } = await requireReusableContent(this, change.reusableContent, `changes[${index}]`)
    const base = await findEditBase(this.source, this.content, { reusableContent: id }, name)
    const known = base && (await this.run(listReusableContents(base))).some((one) => one.id === id)
    if (base === undefined || known !== true)
      throw new ApiError('invalid_reference', {
        member: `changes[${index}].base`,
        thing: 'a revision, or an earlier text of the reusable content,',
      })
    const current = this.snapshot
    this.snapshot = base
    await updateReusableContent(this, change, index)
    await this.mergeInto(base, current)
  }

  /** Merges what was done since `base` into another content; collects the conflicts of the two. */
  async mergeInto(base: Snapshot, current: Snapshot): Promise<void> {
    const merge = mergeStaleEdit({ base, ours: this.snapshot, theirs: current }, this.sink)
    const { snapshot, conflicts } = await this.run(merge)
    this.snapshot = snapshot
    this.conflicts.push(...conflicts)
  }

  /** Reads the new files as they are now, and what still refers to what was deleted. */
  async finish(): Promise<void> {
    // A later change may have renamed or deleted a file; a path that was taken meanwhile got a number.
    const files = await Promise.all(this.files.map(({ file }) => this.run(findFile(this.snapshot, file.id))))
    this.files = this.files.flatMap((one, at) => (files[at] === undefined ? [] : { ...one, file: files[at] }))
    for (const { outcome, listUses } of this.deletions) outcome.usedBy = await listUses()
  }

  private async insertFiles(uploads: readonly StoredUpload[]): Promise<void> {
    for (const { ref, ...upload } of uploads) {
      const id = newFileId(this.request.now)
      const path = joinPath(this.snapshot.config.root, `.gitbook/assets/${upload.name}`)
      await this.edit({ kind: 'put-file', file: { id, path, ...upload } })
      const file = (await this.run(findFile(this.snapshot, id)))!
      this.files.push({ ...(ref !== undefined && { ref }), file })
    }
  }

  listUsingSites(id: FileId) {
    const { db, organizationId } = this.source
    const { actor, services } = this.request
    return listUsingSites({ db, actor, organizationId, addresses: services.addresses }, id)
  }

  pageId(name: string): PageId {
    return this.pages.get(name) ?? (name as PageId)
  }

  async edit(...edits: Edit[]): Promise<void> {
    const step = editSnapshot(this.snapshot, edits, {
      sink: this.sink,
      describe: describeThrough(this.request.services.caches, this.sink),
      now: this.request.now,
    })
    this.snapshot = (await this.run(step)).snapshot
  }

  run<Result>(step: Step<Result>): Promise<Result> {
    return runWith(this.source, this.sink, step)
  }

  async earlierContent(revision: RevisionId | undefined): Promise<ContentContext | undefined> {
    const found = await findContent(this.source, revision ?? this.request.base)
    return found && asWritten(found)
  }

  addPageOutcome(object: 'created_page' | 'updated_page', id: PageId, ref?: string): void {
    const { spaceId, changeRequestId } = this.content
    const basePath = changeRequestId === null ? '' : `/change-requests/${changeRequestId}`
    const location = this.request.services.addresses.api(`/spaces/${spaceId}${basePath}/content/page/${id}`)
    this.outcomes.push({
      object,
      ...(ref !== undefined && { ref }),
      page: { object: 'page', id, urls: { location } },
    })
  }
}

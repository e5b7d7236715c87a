/**
 * A batch of changes to pages and files: applied in order, all or nothing, as one revision.
 *
 * Bytes of new files are stored before the transaction begins (see `uploads.ts`); a batch that is then
 * refused leaves unreferenced bytes, never a reference without bytes.
 */
import type { FileId, PageId, RevisionId } from '../../core/ids.js'
import { describePage } from '../../core/markdown/describe.js'
import { setTitle } from '../../core/markdown/front-matter-edit.js'
import { parseFrontMatter } from '../../core/markdown/front-matter.js'
import { parsePage } from '../../core/markdown/parse.js'
import { computedTitle } from '../../core/markdown/summary.js'
import { formatReferenceSource } from '../../core/openapi/reference-source.js'
import { loadTexts } from '../../core/merkle/steps.js'
import type { Step } from '../../core/merkle/types.js'
import { relativePath } from '../../core/links/relative.js'
import { replaceDestinations } from '../../core/links/replace.js'
import { type Edit, type NewPage, editSnapshot } from '../../core/pages/edit.js'
import { joinPath, slugify, summaryFile } from '../../core/pages/paths.js'
import { entryAt, findFile, findPage, findPageByPath, listReusableContents } from '../../core/pages/read.js'
import { EditError, editErrors } from '../../core/pages/edit-error.js'
import type { DocumentPage, FileRecord, PageRecord, Snapshot } from '../../core/pages/types.js'
import { newFileId, newId } from '../../access/ids.js'
import type { Services } from '../../access/route/scope.js'
import type { Actor } from '../../access/signin/actor.js'
import type { Change, ChangeOf, ChangeOutcome, ContentTarget } from '../../contract/changes.js'
import type { EditConflict } from '../../contract/edit-conflict.js'
import { ApiError } from '../../contract/errors.js'
import type { Revision } from '../../store/content/revisions.js'
import { type ObjectSink, createSink } from '../../store/content/sink.js'
import type { Tx } from '../../store/db/database.js'
import type { ChangeBatch, Deletion } from './change-batch.js'
import { deleteFile, updateFile } from './change-files.js'
import {
  deleteReusableContent,
  insertReusableContent,
  requireReusableContent,
  updateReusableContent,
} from './change-reusable-contents.js'
import { deleteTag, insertTag, updateTag, updateVariables } from './change-settings.js'
import { commit } from './commit.js'
import { destinationOf } from './content-targets.js'
import {
  type ContentContext,
  type ContentSource,
  asWritten,
  cacheWrittenRevision,
  findContent,
  runWith,
} from './content.js'
import { describeThrough } from './describe.js'
import {
  membersOutsideText,
  restoredMembers,
  restoredPage,
  setAttributes,
  setMembers,
  setMissingAttributes,
} from './page-attributes.js'
import { requireMembersOf, requireMembersOfType } from './page-members.js'
import { missingSettings, setPageSettings } from './page-settings.js'
import { findEditBase, findRevisionOfTag, mergeStaleEdit, refuseConflicts } from './stale-edit.js'
import { insertBlobs } from '../../store/content/blobs.js'
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
  await batch.linkReferences()
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

type WithoutId<Page> = Page extends unknown ? Omit<Page, 'id'> : never
type UnidentifiedPage = WithoutId<Exclude<NewPage, { type: 'document' }>>
type ComputedPageInput = NonNullable<Extract<Change, { operation: 'insert_page' }>['computed']>

/** The state of one batch: the snapshot so far, and the `ref` names by which later changes refer to earlier pages and files. */
class Batch implements ChangeBatch {
  readonly sink: ObjectSink
  readonly outcomes: ChangeOutcome[] = []
  readonly conflicts: EditConflict[] = []
  readonly deletions: Deletion[] = []
  files: { ref?: string; file: FileRecord }[] = []
  readonly reusableContents = new Map<string, string>()
  readonly textsWithReferences = new Set<string>()
  private readonly pages = new Map<string, PageId>()
  /** Pages whose text came with this batch: the only ones that can refer to its new pages and files. */
  private readonly pagesWithNewText = new Set<PageId>()

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
          return await this.insertPage(change, index)
        case 'update_page':
          return await (change.base === undefined
            ? this.updatePage(change, index)
            : this.updateBasedPage(change, change.base, index))
        case 'delete_page':
          return await this.deletePage(change.page)
        case 'revert_page':
          return await this.revertPage(change)
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

  private async insertPage(change: ChangeOf<'insert_page'>, index: number): Promise<void> {
    const id = newId<PageId>()
    const type = requireMembersOfType(change, index)
    if (type === 'document') await this.insertDocument(id, change, change.document!.markdown, index)
    else {
      const parent = change.into === undefined ? null : this.pageId(change.into)
      const page = { id, ...(await this.newPage(change, type, index)) }
      const place = change.at === undefined ? {} : { index: change.at }
      await this.edit({ kind: 'insert-page', parent, page, ...place })
    }
    if (change.ref !== undefined) this.pages.set(change.ref, id)
    this.addOutcome('created_page', id, change.ref)
  }

  private async insertDocument(
    id: PageId,
    change: ChangeOf<'insert_page'>,
    markdown: string,
    index: number,
  ): Promise<void> {
    const described = describePage(markdown)
    // Front matter of the text takes precedence over members of the change.
    const text = setMissingAttributes(markdown, change, described.metadata)
    const title = described.metadata.title ?? described.title ?? change.title
    await this.edit({
      kind: 'insert-page',
      parent: change.into === undefined ? null : this.pageId(change.into),
      page: {
        type: 'document',
        id,
        text,
        ...(title !== undefined && { title }),
        ...(change.linkTitle &&
          described.metadata.linkTitle === undefined && { linkTitle: change.linkTitle }),
        ...(change.slug !== undefined && { slug: await this.requireFreeSlug(change) }),
      },
      ...(change.at !== undefined && { index: change.at }),
    })
    this.pagesWithNewText.add(id)
    const { file } = (await this.find(id)) as DocumentPage
    const settings = missingSettings(change, described.metadata)
    const withSettings = await setPageSettings(this, { text, file, member: `changes[${index}]` }, settings)
    if (withSettings !== text) await this.edit({ kind: 'update-page', page: id, text: withSettings })
  }

  /** Returns a new page that is no document. */
  private async newPage(
    change: ChangeOf<'insert_page'>,
    type: 'computed' | 'group' | 'link',
    index: number,
  ): Promise<UnidentifiedPage> {
    const { title, emoji, icon, hidden } = change
    const appearance = { ...(emoji && { emoji }), ...(icon && { icon }), ...(hidden && { hidden }) }
    if (type === 'link') {
      const url = await this.urlOfLink(change.target!, index)
      return { type, title: title!, url, ...appearance }
    }
    const slug = change.slug === undefined ? {} : { slug: await this.requireFreeSlug(change) }
    if (type === 'group') return { type, title: title!, ...slug, ...appearance }
    const source = await this.sourceOf(change.computed!)
    return { type, source, title: title ?? computedTitle(source), ...slug, ...appearance }
  }

  /** Links of the table of contents are relative to it. */
  private urlOfLink(target: ContentTarget, index: number): Promise<string> {
    return destinationOf(this, target, summaryFile(this.snapshot.config), `changes[${index}].target`)
  }

  /** Returns the source as written in the table of contents, which names a file by its relative path. */
  private async sourceOf({ props = {}, dependencies }: ComputedPageInput): Promise<string> {
    const { models: hasModels = false, grouping = 'tag' } = props
    const { ref } = dependencies.spec
    if (ref.kind === 'openapi') return formatReferenceSource({ spec: ref.spec, hasModels, grouping })
    const { config } = this.snapshot
    const named = this.files.find((one) => one.ref === ref.file)?.file.id ?? (ref.file as FileId)
    const path = (await this.run(findFile(this.snapshot, named)))?.path
    const file = path === undefined ? ref.file : relativePath(joinPath(config.root, config.summary), path)
    return formatReferenceSource({ file, hasModels, grouping })
  }

  /** Returns a requested slug unchanged; throws `already_taken` when it is in use. Only slugs made from titles get a number. */
  private async requireFreeSlug({
    slug,
    into,
  }: Extract<Change, { operation: 'insert_page' }>): Promise<string> {
    const parent = into === undefined ? null : await this.find(this.pageId(into))
    const folder = parent !== undefined && parent !== null && 'path' in parent ? parent.path : ''
    const path = joinPath(folder, slugify(slug!))
    const taken = await this.findByPath(path)
    if (taken !== undefined) throw new ApiError('already_taken', { member: 'path', value: path })
    return slug!
  }

  private async updatePage(change: ChangeOf<'update_page'>, index: number): Promise<void> {
    const id = this.pageId(change.page)
    let page = await this.find(id)
    if (page === undefined) throw new EditError('page-not-found', change.page)
    if (change.computed !== undefined && page.type !== 'computed') throw new EditError('not-computed', id)
    if (change.type === 'document' && page.type !== 'document')
      page = await this.convertToDocument(page, change)
    if (page.type === 'document') await this.updateDocument(page, change, index)
    else await this.updateOther(page, change, index)
    if (change.slug !== undefined) await this.edit({ kind: 'rename-page', page: id, slug: change.slug })
    if (change.into !== undefined || change.at !== undefined) {
      const parent =
        change.into === undefined ? page.parent : change.into === null ? null : this.pageId(change.into)
      await this.edit({
        kind: 'move-page',
        page: id,
        parent,
        ...(change.at !== undefined && { index: change.at }),
      })
    }
    this.addOutcome('updated_page', id)
  }

  /** Makes the change on an earlier content, and merges what it did with what came between. */
  private async updateBasedPage(
    change: Extract<Change, { operation: 'update_page' }>,
    name: string,
    index: number,
  ): Promise<void> {
    const id = change.page as PageId
    const base = await findEditBase(this.source, this.content, { page: id }, name)
    if (base === undefined || (await this.run(findPage(base, id))) === undefined)
      throw new ApiError('invalid_reference', {
        member: `changes[${index}].base`,
        thing: 'a revision, or an earlier text of the page,',
      })
    const current = this.snapshot
    this.snapshot = base
    await this.updatePage(change, index)
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

  private async convertToDocument(
    page: PageRecord,
    { document }: ChangeOf<'update_page'>,
  ): Promise<DocumentPage> {
    const { emoji, icon, hidden } = page
    const attributes = { ...(emoji && { emoji }), ...(icon && { icon }), ...(hidden && { hidden }) }
    const text = document?.markdown ?? setAttributes(setTitle('# x\n', page.title), attributes)
    await this.edit({ kind: 'convert-group', page: page.id, text })
    return (await this.find(page.id)) as DocumentPage
  }

  private async updateDocument(
    page: DocumentPage,
    change: ChangeOf<'update_page'>,
    index: number,
  ): Promise<void> {
    requireMembersOf(page.type, change, index)
    const before = page.text === undefined ? '' : await this.text(page)
    const metadata = change.document && parseFrontMatter(change.document.markdown).metadata
    const settings = metadata === undefined ? change : missingSettings(change, metadata)
    const withAttributes =
      change.document === undefined
        ? setMembers(before, change, page.title)
        : setMissingAttributes(change.document.markdown, change, metadata!)
    const place = { text: withAttributes, file: page.file, member: `changes[${index}]` }
    const text = await setPageSettings(this, place, settings)
    const set = membersOutsideText(page, change, text)
    if (text === before && Object.keys(set).length === 0) return
    await this.edit({ kind: 'update-page', page: page.id, set, ...(text !== before && { text }) })
    if (change.document !== undefined) this.pagesWithNewText.add(page.id)
  }

  private async updateOther(page: PageRecord, change: ChangeOf<'update_page'>, index: number): Promise<void> {
    if (change.document !== undefined) throw new EditError('not-a-document', page.id)
    if (change.linkTitle) throw new EditError('no-link-title', page.id)
    requireMembersOf(page.type, change, index)
    const set = {
      ...(change.title !== undefined && { title: change.title }),
      ...(change.emoji !== undefined && { emoji: change.emoji || null }),
      ...(change.icon !== undefined && { icon: change.icon || null }),
      ...(change.hidden !== undefined && { hidden: change.hidden || null }),
      ...(change.computed !== undefined && { source: await this.sourceOf(change.computed) }),
      ...(change.target !== undefined && { url: await this.urlOfLink(change.target, index) }),
    }
    if (Object.keys(set).length > 0) await this.edit({ kind: 'update-page', page: page.id, set })
  }

  private async deletePage(name: string): Promise<void> {
    const id = this.pageId(name)
    await this.edit({ kind: 'delete-page', page: id })
    this.outcomes.push({ object: 'deleted_page', page: id })
  }

  /** Restores a page as of an earlier revision: its text, title, slug and position, or its absence. */
  private async revertPage(change: Extract<Change, { operation: 'revert_page' }>): Promise<void> {
    const { base } = this.request
    const found = await findContent(this.source, (change.revision as RevisionId | undefined) ?? base)
    if (found === undefined)
      throw new ApiError('invalid_reference', { member: 'revision', thing: 'a revision' })
    const earlier = asWritten(found)
    const id = change.page as PageId
    const [restored, now] = [await earlier.run(findPage(earlier.revision.snapshot, id)), await this.find(id)]
    if (restored === undefined) {
      if (now === undefined) throw new EditError('page-not-found', id)
      await this.edit({ kind: 'delete-page', page: id })
      this.outcomes.push({ object: 'deleted_page', page: id })
      return
    }
    const parent =
      restored.parent !== null && (await this.find(restored.parent)) !== undefined ? restored.parent : null
    const text =
      restored.type === 'document' && restored.text !== undefined
        ? (await earlier.run(loadTexts([restored.text])))[0]
        : undefined
    if (now === undefined) {
      await this.edit({
        kind: 'insert-page',
        page: restoredPage(restored, text),
        parent,
        position: restored.position,
      })
    } else {
      if (restored.type !== now.type) throw new EditError('other-type', id)
      await this.edit({ kind: 'move-page', page: id, parent, position: restored.position })
      if (restored.type !== 'link' && now.type !== 'link' && restored.slug !== now.slug) {
        await this.edit({ kind: 'rename-page', page: id, slug: restored.slug })
      }
      const set = restoredMembers(restored)
      await this.edit({ kind: 'update-page', page: id, set, ...(text !== undefined && { text }) })
    }
    this.addOutcome(now === undefined ? 'created_page' : 'updated_page', id)
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

  /** Replaces `./<ref>` and `./<ref>.md` in the texts of this batch by the paths of the referenced pages and files. */
  async linkReferences(): Promise<void> {
    const paths = await this.pathsOfReferences()
    if (paths.size === 0) return
    const edits: Edit[] = []
    for (const id of this.pagesWithNewText) {
      const page = await this.find(id)
      if (page?.type !== 'document' || page.text === undefined) continue
      const text = await this.text(page)
      const linked = replaceReferences(text, page.file, paths)
      if (linked !== text) edits.push({ kind: 'update-page', page: id, text: linked })
    }
    for (const file of this.textsWithReferences) {
      const entry = await this.run(entryAt(this.snapshot, file))
      if (entry === undefined || !('text' in entry)) continue
      const text = (await this.run(loadTexts([entry.text])))[0]!
      const linked = replaceReferences(text, file, paths)
      if (linked !== text) edits.push({ kind: 'put-text', path: file, text: linked })
    }
    if (edits.length > 0) await this.edit(...edits)
  }

  /** Returns where the pages and files that this batch named are now. */
  private async pathsOfReferences(): Promise<ReadonlyMap<string, string>> {
    const paths = new Map<string, string>()
    for (const [ref, id] of this.pages) {
      const page = await this.find(id)
      if (page?.type === 'document') paths.set(ref, page.file)
    }
    for (const { ref, file } of this.files) {
      const path = ref === undefined ? undefined : (await this.run(findFile(this.snapshot, file.id)))?.path
      if (path !== undefined) paths.set(ref!, path)
    }
    if (this.reusableContents.size === 0) return paths
    const texts = await this.run(listReusableContents(this.snapshot))
    for (const [ref, id] of this.reusableContents) {
      const path = texts.find((one) => one.id === id)?.path
      if (path !== undefined) paths.set(ref, path)
    }
    return paths
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

  private find(id: PageId): Promise<PageRecord | undefined> {
    return this.run(findPage(this.snapshot, id))
  }

  private findByPath(path: string): Promise<PageRecord | undefined> {
    return this.run(findPageByPath(this.snapshot, path))
  }

  private async text(page: DocumentPage): Promise<string> {
    return (await this.run(loadTexts([page.text!])))[0]!
  }

  private addOutcome(object: 'created_page' | 'updated_page', id: PageId, ref?: string): void {
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

/** Returns the text with the names that a batch gave to its pages and files replaced by relative paths to them. */
function replaceReferences(text: string, file: string, paths: ReadonlyMap<string, string>): string {
  const replacements = parsePage(text).references.flatMap(({ url, span, syntax }) => {
    const [, ref = '', fragment = ''] = /^\.\/([^#]+?)(?:\.md)?(#.*)?$/.exec(url) ?? []
    const path = paths.get(ref)
    return path === undefined ? [] : [{ span, syntax, url: relativePath(file, path) + fragment }]
  })
  return replacements.length === 0 ? text : replaceDestinations(text, replacements)
}

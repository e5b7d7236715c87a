/** Changes of pages: inserted, updated, deleted, and reverted to an earlier revision. */
import type { FileId, PageId, RevisionId } from '../../core/ids.js'
import { relativePath } from '../../core/links/relative.js'
import { describePage } from '../../core/markdown/describe.js'
import { setTitle } from '../../core/markdown/front-matter-edit.js'
import { parseFrontMatter } from '../../core/markdown/front-matter.js'
import { computedTitle } from '../../core/markdown/summary.js'
import { loadTexts } from '../../core/merkle/steps.js'
import { formatReferenceSource } from '../../core/openapi/reference-source.js'
import { EditError } from '../../core/pages/edit-error.js'
import type { NewPage } from '../../core/pages/edit.js'
import { joinPath, slugify, summaryFile } from '../../core/pages/paths.js'
import { entryAt, findFile, findPage, findPageByPath, listReusableContents } from '../../core/pages/read.js'
import { resolveTargets } from '../../core/pages/targets.js'
import type { DocumentPage, PageRecord } from '../../core/pages/types.js'
import { newId } from '../../access/ids.js'
import type { ChangeOf, ContentTarget } from '../../contract/changes.js'
import { ApiError } from '../../contract/errors.js'
import type { ChangeBatch } from './change-batch.js'
import type { ContentContext } from './content.js'
import { destinationOf } from './content-targets.js'
import {
  membersOutsideText,
  restoredMembers,
  restoredPage,
  setAttributes,
  setMembers,
  setMissingAttributes,
} from './page-attributes.js'
import { requireMembersOf, requireMembersOfType, requireValidCondition } from './page-members.js'
import { missingSettings, setPageSettings } from './page-settings.js'

type WithoutId<Page> = Page extends unknown ? Omit<Page, 'id'> : never
type UnidentifiedPage = WithoutId<Exclude<NewPage, { type: 'document' }>>
type ComputedPageInput = NonNullable<ChangeOf<'insert_page'>['computed']>

export async function insertPage(
  batch: ChangeBatch,
  change: ChangeOf<'insert_page'>,
  index: number,
): Promise<void> {
  const id = newId<PageId>()
  const type = requireMembersOfType(change, index)
  if (type === 'document') await insertDocument(batch, id, change, change.document!.markdown, index)
  else {
    const parent = change.into === undefined ? null : batch.pageId(change.into)
    const page = { id, ...(await newPage(batch, change, type, index)) }
    const place = change.at === undefined ? {} : { index: change.at }
    await batch.edit({ kind: 'insert-page', parent, page, ...place })
  }
  if (change.ref !== undefined) batch.pages.set(change.ref, id)
  batch.addPageOutcome('created_page', id, change.ref)
}

async function insertDocument(
  batch: ChangeBatch,
  id: PageId,
  change: ChangeOf<'insert_page'>,
  markdown: string,
  index: number,
): Promise<void> {
  const described = describePage(markdown)
  // Front matter of the text takes precedence over members of the change.
  const text = setMissingAttributes(markdown, change, described.metadata)
  const title = described.metadata.title ?? described.title ?? change.title
  await batch.edit({
    kind: 'insert-page',
    parent: change.into === undefined ? null : batch.pageId(change.into),
    page: {
      type: 'document',
      id,
      text,
      ...(title !== undefined && { title }),
      ...(change.linkTitle && described.metadata.linkTitle === undefined && { linkTitle: change.linkTitle }),
      ...(change.slug !== undefined && { slug: await requireFreeSlug(batch, change) }),
    },
    ...(change.at !== undefined && { index: change.at }),
  })
  batch.pagesWithNewText.add(id)
  const { file } = (await findIn(batch, id)) as DocumentPage
  const settings = missingSettings(change, described.metadata)
  const withSettings = await setPageSettings(batch, { text, file, member: `changes[${index}]` }, settings)
  if (withSettings !== text) await batch.edit({ kind: 'update-page', page: id, text: withSettings })
}

/** Returns a new page that is no document. */
async function newPage(
  batch: ChangeBatch,
  change: ChangeOf<'insert_page'>,
  type: 'computed' | 'group' | 'link',
  index: number,
): Promise<UnidentifiedPage> {
  const { title, emoji, icon, hidden } = change
  const appearance = { ...(emoji && { emoji }), ...(icon && { icon }), ...(hidden && { hidden }) }
  if (type === 'link') {
    const url = await urlOfLink(batch, change.target!, index)
    return { type, title: title!, url, ...appearance }
  }
  const slug = change.slug === undefined ? {} : { slug: await requireFreeSlug(batch, change) }
  if (type === 'group') return { type, title: title!, ...slug, ...appearance }
  const source = await sourceOf(batch, change.computed!)
  return { type, source, title: title ?? computedTitle(source), ...slug, ...appearance }
}

export async function updatePage(
  batch: ChangeBatch,
  change: ChangeOf<'update_page'>,
  index: number,
): Promise<void> {
  const id = batch.pageId(change.page)
  let page = await findIn(batch, id)
  if (page === undefined) throw new EditError('page-not-found', change.page)
  requireValidCondition(change, index)
  if (change.computed !== undefined && page.type !== 'computed') throw new EditError('not-computed', id)
  if (change.type === 'document' && page.type !== 'document')
    page = await convertToDocument(batch, page, change)
  if (page.type === 'document') await updateDocument(batch, page, change, index)
  else await updateOther(batch, page, change, index)
  if (change.slug !== undefined) await batch.edit({ kind: 'rename-page', page: id, slug: change.slug })
  if (change.into !== undefined || change.at !== undefined) {
    const parent =
      change.into === undefined ? page.parent : change.into === null ? null : batch.pageId(change.into)
    await batch.edit({
      kind: 'move-page',
      page: id,
      parent,
      ...(change.at !== undefined && { index: change.at }),
    })
  }
  batch.addPageOutcome('updated_page', id)
}

async function convertToDocument(
  batch: ChangeBatch,
  page: PageRecord,
  { document }: ChangeOf<'update_page'>,
): Promise<DocumentPage> {
  const { emoji, icon, hidden } = page
  const attributes = { ...(emoji && { emoji }), ...(icon && { icon }), ...(hidden && { hidden }) }
  const text = document?.markdown ?? setAttributes(setTitle('# x\n', page.title), attributes)
  await batch.edit({ kind: 'convert-group', page: page.id, text })
  return (await findIn(batch, page.id)) as DocumentPage
}

async function updateDocument(
  batch: ChangeBatch,
  page: DocumentPage,
  change: ChangeOf<'update_page'>,
  index: number,
): Promise<void> {
  requireMembersOf(page.type, change, index)
  const before = page.text === undefined ? '' : await textOf(batch, page)
  const metadata = change.document && parseFrontMatter(change.document.markdown).metadata
  const settings = metadata === undefined ? change : missingSettings(change, metadata)
  const withAttributes =
    change.document === undefined
      ? setMembers(before, change, page.title)
      : setMissingAttributes(change.document.markdown, change, metadata!)
  const place = { text: withAttributes, file: page.file, member: `changes[${index}]` }
  const text = await setPageSettings(batch, place, settings)
  const set = membersOutsideText(page, change, text)
  if (text === before && Object.keys(set).length === 0) return
  await batch.edit({ kind: 'update-page', page: page.id, set, ...(text !== before && { text }) })
  if (change.document !== undefined) batch.pagesWithNewText.add(page.id)
}

async function updateOther(
  batch: ChangeBatch,
  page: PageRecord,
  change: ChangeOf<'update_page'>,
  index: number,
): Promise<void> {
  if (change.document !== undefined) throw new EditError('not-a-document', page.id)
  if (change.linkTitle) throw new EditError('no-link-title', page.id)
  requireMembersOf(page.type, change, index)
  const set = {
    ...(change.title !== undefined && { title: change.title }),
    ...(change.emoji !== undefined && { emoji: change.emoji || null }),
    ...(change.icon !== undefined && { icon: change.icon || null }),
    ...(change.hidden !== undefined && { hidden: change.hidden || null }),
    ...(change.computed !== undefined && { source: await sourceOf(batch, change.computed) }),
    ...(change.target !== undefined && { url: await urlOfLink(batch, change.target, index) }),
  }
  if (Object.keys(set).length > 0) await batch.edit({ kind: 'update-page', page: page.id, set })
}

export async function deletePage(batch: ChangeBatch, name: string): Promise<void> {
  const id = batch.pageId(name)
  await batch.edit({ kind: 'delete-page', page: id })
  batch.outcomes.push({ object: 'deleted_page', page: id })
}

/** Restores a page as of an earlier revision: its text, title, slug and position, or its absence. */
export async function revertPage(batch: ChangeBatch, change: ChangeOf<'revert_page'>): Promise<void> {
  const earlier = await batch.earlierContent(change.revision as RevisionId | undefined)
  if (earlier === undefined)
    throw new ApiError('invalid_reference', { member: 'revision', thing: 'a revision' })
  const id = change.page as PageId
  const [restored, now] = [
    await earlier.run(findPage(earlier.revision.snapshot, id)),
    await findIn(batch, id),
  ]
  if (restored === undefined) {
    if (now === undefined) throw new EditError('page-not-found', id)
    await batch.edit({ kind: 'delete-page', page: id })
    batch.outcomes.push({ object: 'deleted_page', page: id })
    return
  }
  const parent =
    restored.parent !== null && (await findIn(batch, restored.parent)) !== undefined ? restored.parent : null
  const text =
    restored.type === 'document' && restored.text !== undefined
      ? (await earlier.run(loadTexts([restored.text])))[0]
      : undefined
  if (text !== undefined) await restoreUsed(batch, earlier, { page: restored as DocumentPage, text })
  if (now === undefined) {
    await batch.edit({
      kind: 'insert-page',
      page: restoredPage(restored, text),
      parent,
      position: restored.position,
    })
  } else {
    if (restored.type !== now.type) throw new EditError('other-type', id)
    await batch.edit({ kind: 'move-page', page: id, parent, position: restored.position })
    if (restored.type !== 'link' && now.type !== 'link' && restored.slug !== now.slug) {
      await batch.edit({ kind: 'rename-page', page: id, slug: restored.slug })
    }
    const set = restoredMembers(restored)
    await batch.edit({ kind: 'update-page', page: id, set, ...(text !== undefined && { text }) })
  }
  batch.addPageOutcome(now === undefined ? 'created_page' : 'updated_page', id)
}

/** Restores the files and reusable contents that a restored text uses and that were deleted since. */
async function restoreUsed(
  batch: ChangeBatch,
  earlier: ContentContext,
  { page, text }: { readonly page: DocumentPage; readonly text: string },
): Promise<void> {
  const { snapshot } = earlier.revision
  const urls = describePage(text).references.map(({ url }) => url)
  const targets = await earlier.run(resolveTargets(snapshot, page.file, urls))
  for (const target of targets.values()) {
    if (target.kind === 'file' && (await batch.run(findFile(batch.snapshot, target.file.id))) === undefined)
      await batch.edit({ kind: 'put-file', file: target.file })
    if (target.kind !== 'text' || target.entry.id === undefined) continue
    const { path, entry } = target
    const id = target.entry.id
    const isThere = (await batch.run(listReusableContents(batch.snapshot))).some((one) => one.id === id)
    if (isThere || (await batch.run(entryAt(batch.snapshot, path))) !== undefined) continue
    const [content] = await earlier.run(loadTexts([entry.text]))
    await batch.edit({ kind: 'put-text', path, text: content!, id })
  }
}

/** Links of the table of contents are relative to it. */
function urlOfLink(batch: ChangeBatch, target: ContentTarget, index: number): Promise<string> {
  return destinationOf(batch, target, summaryFile(batch.snapshot.config), `changes[${index}].target`)
}

/** Returns the source as written in the table of contents, which names a file by its relative path. */
async function sourceOf(
  batch: ChangeBatch,
  { props = {}, dependencies }: ComputedPageInput,
): Promise<string> {
  const { models: hasModels = false, grouping = 'tag' } = props
  const { ref } = dependencies.spec
  if (ref.kind === 'openapi') return formatReferenceSource({ spec: ref.spec, hasModels, grouping })
  const { config } = batch.snapshot
  const named = batch.files.find((one) => one.ref === ref.file)?.file.id ?? (ref.file as FileId)
  const path = (await batch.run(findFile(batch.snapshot, named)))?.path
  const file = path === undefined ? ref.file : relativePath(joinPath(config.root, config.summary), path)
  return formatReferenceSource({ file, hasModels, grouping })
}

/** Returns a requested slug unchanged; throws `already_taken` when it is in use. Only slugs made from titles get a number. */
async function requireFreeSlug(batch: ChangeBatch, { slug, into }: ChangeOf<'insert_page'>): Promise<string> {
  const parent = into === undefined ? null : await findIn(batch, batch.pageId(into))
  const folder = parent !== undefined && parent !== null && 'path' in parent ? parent.path : ''
  const path = joinPath(folder, slugify(slug!))
  const taken = await batch.run(findPageByPath(batch.snapshot, path))
  if (taken !== undefined) throw new ApiError('already_taken', { member: 'path', value: path })
  return slug!
}

function findIn(batch: ChangeBatch, id: PageId): Promise<PageRecord | undefined> {
  return batch.run(findPage(batch.snapshot, id))
}

async function textOf(batch: ChangeBatch, page: DocumentPage): Promise<string> {
  return (await batch.run(loadTexts([page.text!])))[0]!
}

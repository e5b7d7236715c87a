/**
 * Changes of reusable contents. Each is a Markdown file of `.gitbook/includes`; its title is in the front matter, so that
 * a rename changes no path and no include.
 */
import { describePage } from '../../core/markdown/describe.js'
import { setFrontMatter } from '../../core/markdown/front-matter-edit.js'
import { loadTexts } from '../../core/merkle/steps.js'
import { findFreeNumber } from '../../core/pages/free-numbers.js'
import { joinPath, slugify } from '../../core/pages/paths.js'
import {
  type ReusableContentEntry,
  entryAt,
  listReusableContents,
  titleOfText,
} from '../../core/pages/read.js'
import { EditError } from '../../core/pages/edit-error.js'
import type { ChangeOf } from '../../contract/changes.js'
import { ApiError } from '../../contract/errors.js'
import { newId } from '../../access/ids.js'
import { type ChangeBatch, listUses } from './change-batch.js'

export async function insertReusableContent(
  batch: ChangeBatch,
  { title, document: { markdown }, ref }: ChangeOf<'insert_reusable_content'>,
): Promise<void> {
  const name = describePage(markdown).metadata.title ?? title?.trim()
  if (name === undefined) throw new EditError('no-title', '')
  const path = await freePath(batch, name)
  const id = newId<string>()
  await batch.edit({ kind: 'put-text', path, text: withTitle(markdown, path, name), id })
  batch.textsWithReferences.add(path)
  if (ref !== undefined) batch.reusableContents.set(ref, id)
  batch.outcomes.push({
    object: 'created_reusable_content',
    ...(ref !== undefined && { ref }),
    reusableContent: id,
  })
}

/** A text that comes without a title keeps the one that the reusable content has. */
export async function updateReusableContent(
  batch: ChangeBatch,
  { reusableContent, title, document }: ChangeOf<'update_reusable_content'>,
  index: number,
): Promise<void> {
  const before = await requireReusableContent(batch, reusableContent, `changes[${index}]`)
  const { id, path } = before
  const [stored] = await batch.run(loadTexts([before.text]))
  const own = document && describePage(document.markdown).metadata.title
  const text = withTitle(document?.markdown ?? stored!, path, own ?? title?.trim() ?? before.title)
  if (text !== stored) {
    await batch.edit({ kind: 'put-text', path, text, id })
    if (document !== undefined) batch.textsWithReferences.add(path)
  }
  batch.outcomes.push({ object: 'updated_reusable_content', reusableContent: id })
}

/** What includes it is reported and keeps its broken includes. */
export async function deleteReusableContent(
  batch: ChangeBatch,
  { reusableContent }: ChangeOf<'delete_reusable_content'>,
  index: number,
): Promise<void> {
  const { id, path } = await requireReusableContent(batch, reusableContent, `changes[${index}]`)
  await batch.edit({ kind: 'delete-text', path })
  const outcome = { object: 'deleted_reusable_content' as const, reusableContent: id }
  batch.outcomes.push(outcome)
  batch.deletions.push({ outcome, listUses: () => listUses(batch, { path }) })
}

/** Returns the reusable content of an id, or of a name of this batch; throws 400 with the member of the change. */
export async function requireReusableContent(
  batch: ChangeBatch,
  name: string,
  change: string,
): Promise<ReusableContentEntry> {
  const id = batch.reusableContents.get(name) ?? name
  const found = (await batch.run(listReusableContents(batch.snapshot))).find((one) => one.id === id)
  if (found === undefined)
    throw new ApiError('invalid_reference', {
      member: `${change}.reusableContent`,
      thing: 'a reusable content',
    })
  return found
}

/** Returns the path of a new reusable content; a taken name gets a number. */
async function freePath(batch: ChangeBatch, title: string): Promise<string> {
  const { snapshot } = batch
  const folder = joinPath(snapshot.config.root, '.gitbook/includes')
  const pathOf = (number: number) =>
    joinPath(folder, `${slugify(title)}${number === 0 ? '' : `-${number}`}.md`)
  const findFree = findFreeNumber(function* (number) {
    return (yield* entryAt(snapshot, pathOf(number))) === undefined
  })
  return pathOf(await batch.run(findFree))
}

/** Returns the text with this title in its front matter; one that its file implies is not written. */
function withTitle(text: string, path: string, title: string): string {
  const current = describePage(text).metadata.title
  if ((current ?? titleOfText(path, undefined)) === title) return text
  return setFrontMatter(text, { title })
}

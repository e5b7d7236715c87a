/** Links by the names that a batch gives to its pages, files and reusable contents: replaced by paths after the last change. */
import { relativePath } from '../../core/links/relative.js'
import { replaceDestinations } from '../../core/links/replace.js'
import { parsePage } from '../../core/markdown/parse.js'
import { loadTexts } from '../../core/merkle/steps.js'
import type { Edit } from '../../core/pages/edit.js'
import { entryAt, findFile, findPage, listReusableContents } from '../../core/pages/read.js'
import type { ChangeBatch } from './change-batch.js'

/** Replaces `./<ref>` and `./<ref>.md` in the texts of this batch by the paths of the referenced pages and files. */
export async function linkReferences(batch: ChangeBatch): Promise<void> {
  const paths = await pathsOfReferences(batch)
  if (paths.size === 0) return
  const edits: Edit[] = []
  for (const id of batch.pagesWithNewText) {
    const page = await batch.run(findPage(batch.snapshot, id))
    if (page?.type !== 'document' || page.text === undefined) continue
    const text = (await batch.run(loadTexts([page.text])))[0]!
    const linked = replaceReferences(text, page.file, paths)
    if (linked !== text) edits.push({ kind: 'update-page', page: id, text: linked })
  }
  for (const file of batch.textsWithReferences) {
    const entry = await batch.run(entryAt(batch.snapshot, file))
    if (entry === undefined || !('text' in entry)) continue
    const text = (await batch.run(loadTexts([entry.text])))[0]!
    const linked = replaceReferences(text, file, paths)
    if (linked !== text) edits.push({ kind: 'put-text', path: file, text: linked })
  }
  if (edits.length > 0) await batch.edit(...edits)
}

/** Returns where the pages and files that this batch named are now. */
async function pathsOfReferences(batch: ChangeBatch): Promise<ReadonlyMap<string, string>> {
  const paths = new Map<string, string>()
  for (const [ref, id] of batch.pages) {
    const page = await batch.run(findPage(batch.snapshot, id))
    if (page?.type === 'document') paths.set(ref, page.file)
  }
  for (const { ref, file } of batch.files) {
    const path = ref === undefined ? undefined : (await batch.run(findFile(batch.snapshot, file.id)))?.path
    if (path !== undefined) paths.set(ref!, path)
  }
  if (batch.reusableContents.size === 0) return paths
  const texts = await batch.run(listReusableContents(batch.snapshot))
  for (const [ref, id] of batch.reusableContents) {
    const path = texts.find((one) => one.id === id)?.path
    if (path !== undefined) paths.set(ref, path)
  }
  return paths
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

/** Changes of files: other names and folders under the same id, and deletion. */
import { relativePath } from '../../core/links/relative.js'
import { findSpecificationPages } from '../../core/openapi/expand-computed-pages.js'
import { withReferenceFile } from '../../core/openapi/reference-source.js'
import type { Edit } from '../../core/pages/edit.js'
import { folderOf, joinPath, nameOf, reasonAgainstFilePath, summaryFile } from '../../core/pages/paths.js'
import { entryAt } from '../../core/pages/read.js'
import type { FileRecord } from '../../core/pages/types.js'
import type { ChangeOf } from '../../contract/changes.js'
import { ApiError } from '../../contract/errors.js'
import { type ChangeBatch, listUses, maxUses, refuseMember, requireFile } from './change-batch.js'

/** Renames or moves a file; links to it, and the sources of computed pages, follow. */
export async function updateFile(
  batch: ChangeBatch,
  change: ChangeOf<'update_file'>,
  index: number,
): Promise<void> {
  const member = `changes[${index}]`
  const before = await requireFile(batch, change.file, `${member}.file`)
  const path = await requireFreePath(batch, before, change, member)
  const file = { ...before, path, name: nameOf(path) }
  if (path !== before.path) {
    const sources = await findSourceEdits(batch, file)
    await batch.edit({ kind: 'put-file', file }, ...sources)
  }
  batch.outcomes.push({ object: 'updated_file', file: file.id })
}

/** Deletes a file; what refers to it is reported and keeps its broken links. */
export async function deleteFile(
  batch: ChangeBatch,
  change: ChangeOf<'delete_file'>,
  index: number,
): Promise<void> {
  const file = await requireFile(batch, change.file, `changes[${index}].file`)
  const computed = (await batch.run(findSpecificationPages(batch.snapshot)))
    .filter((one) => one.file?.id === file.id)
    .map(({ page }) => page.id)
  await batch.edit({ kind: 'delete-file', file: file.id })
  const outcome = { object: 'deleted_file' as const, file: file.id }
  batch.outcomes.push(outcome)
  const target = { path: file.path, otherNames: [`/files/${file.id}`] }
  batch.deletions.push({
    outcome,
    async listUses() {
      const uses = await listUses(batch, target, computed)
      const sites = await batch.listUsingSites(file.id)
      return [...uses, ...sites.map(({ id }) => ({ site: id }))].slice(0, maxUses)
    },
  })
}

async function requireFreePath(
  batch: ChangeBatch,
  file: FileRecord,
  { name, path: wholePath }: ChangeOf<'update_file'>,
  member: string,
): Promise<string> {
  if (name !== undefined && wholePath !== undefined)
    refuseMember(`${member}.name`, 'must be absent beside "path", which ends in the name')
  if (name?.includes('/')) refuseMember(`${member}.name`, 'must have no slashes: "path" takes folders')
  const path = wholePath ?? (name === undefined ? file.path : joinPath(folderOf(file.path), name))
  if (path === file.path) return path
  const reason = reasonAgainstFilePath(path, batch.snapshot.config)
  if (reason !== undefined) refuseMember(`${member}.${name === undefined ? 'path' : 'name'}`, reason)
  if ((await batch.run(entryAt(batch.snapshot, path))) !== undefined)
    throw new ApiError('already_taken', { member: 'path', value: path })
  return path
}

/** Returns the edits by which computed pages follow their specification. */
async function findSourceEdits(batch: ChangeBatch, moved: FileRecord): Promise<Edit[]> {
  const pages = await batch.run(findSpecificationPages(batch.snapshot))
  const name = relativePath(summaryFile(batch.snapshot.config), moved.path)
  return pages
    .filter(({ file }) => file?.id === moved.id)
    .map(({ page }) => ({
      kind: 'update-page',
      page: page.id,
      set: { source: withReferenceFile(page.source, name) },
    }))
}

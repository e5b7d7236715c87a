/** Targets that changes name by ids, as destinations of a text or of the table of contents. */
import type { FileId, PageId } from '../../core/ids.js'
import { relativePath } from '../../core/links/relative.js'
import { findPage } from '../../core/pages/read.js'
import type { ContentTarget } from '../../contract/changes.js'
import { ApiError } from '../../contract/errors.js'
import { type ChangeBatch, refuseMember, requireFile } from './change-batch.js'

/** Returns the destination of a target as written in the file `from`; throws 400 with the member that is wrong. */
export async function destinationOf(
  batch: ChangeBatch,
  target: ContentTarget,
  from: string,
  member: string,
): Promise<string> {
  switch (target.kind) {
    case 'url':
      return requireAddress(requireName(target, 'url', member), `${member}.url`)
    case 'file': {
      const file = await requireFile(batch, requireName(target, 'file', member) as FileId, `${member}.file`)
      return relativePath(from, file.path)
    }
    case 'page':
      return `/pages/${(await requirePage(batch, target, member)).id}`
    case 'anchor': {
      const page = await requirePage(batch, target, member)
      const fragment = encodeURIComponent(requireName(target, 'anchor', member))
      // The table of contents lists a file once, but parts of it as often as one likes.
      return `${page.type === 'document' ? relativePath(from, page.file) : `/pages/${page.id}`}#${fragment}`
    }
  }
}

async function requirePage(batch: ChangeBatch, target: ContentTarget, member: string) {
  const id = batch.pageId(requireName(target, 'page', member))
  const page = await batch.run(findPage(batch.snapshot, id as PageId))
  if (page === undefined || page.type === 'link')
    throw new ApiError('invalid_reference', {
      member: `${member}.page`,
      thing: 'a page of the content besides link pages',
    })
  return page
}

function requireName(
  target: ContentTarget,
  name: 'url' | 'page' | 'anchor' | 'file',
  member: string,
): string {
  const value = target[name]
  if (value === undefined)
    refuseMember(`${member}.${name}`, `is needed in a target of the kind "${target.kind}"`)
  return value
}

function requireAddress(url: string, member: string): string {
  if (!/^(?:https?:\/\/[^\s/]|mailto:\S|tel:\S)\S*$/i.test(url))
    refuseMember(member, 'must begin with "https://", "http://", "mailto:" or "tel:" and have no spaces')
  return url
}

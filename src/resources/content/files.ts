/**
 * Lists the files of a revision by id, which is their order of creation, and its reusable contents by path: a cursor stays
 * valid in any later revision.
 */
import type { FileId } from '../../core/ids.js'
import { count } from '../../core/merkle/map.js'
import { listFiles, listReusableContents } from '../../core/pages/read.js'
import type { Services } from '../../access/route/scope.js'
import type { UrlViewer } from '../../contract/addresses.js'
import type { ReusableContent } from '../../contract/content.js'
import type { File } from '../../contract/pages.js'
import { ApiError } from '../../contract/errors.js'
import type { ContentContext } from './content.js'
import { listVisibleFiles } from './file-visibility.js'
import { presentFile, presentReusableContent } from './present.js'

interface FileList {
  next?: { page: string }
  count: number
  items: File[]
}

export async function listContentFiles(
  content: ContentContext,
  { page, limit }: { page?: string; limit: number },
  { addresses }: Services,
  urlViewer: UrlViewer,
): Promise<FileList> {
  const { snapshot } = content.revision
  const after = page === undefined ? undefined : requireId(page)
  // For visitors of an adaptive site each file is checked.
  const open = content.visitor === undefined ? undefined : await listVisibleFiles(content)
  const total = open?.length ?? (await content.run(count(snapshot.files)))
  if (limit === 0) return { count: total, items: [] }
  const found =
    open?.filter(({ id }) => after === undefined || id > after).slice(0, limit + 1) ??
    (await content.run(listFiles(snapshot, { limit: limit + 1, ...(after !== undefined && { after }) })))
  const visible = found.slice(0, limit)
  const items = visible.map((file) => presentFile(addresses, file, content, urlViewer))
  return {
    ...(found.length > limit && { next: { page: visible.at(-1)!.id } }),
    count: total,
    items,
  }
}

/** The cursor is the id of the last listed file. */
function requireId(page: string): FileId {
  if (!/^[A-Za-z0-9]+$/.test(page)) throw new ApiError('invalid_page_cursor')
  return page as FileId
}

interface ReusableContentList {
  next?: { page: string }
  count: number
  items: ReusableContent[]
}

/** Returns the reusable contents of a page of the list; the cursor is the path of the last one. */
export async function listContentTexts(
  { revision, run, spaceId }: ContentContext,
  { page, limit }: { page?: string; limit: number },
  { addresses }: Services,
): Promise<ReusableContentList> {
  const texts = await run(listReusableContents(revision.snapshot))
  const rest = page === undefined ? texts : texts.filter(({ path }) => path > page)
  const listed = rest.slice(0, limit)
  return {
    ...(listed.length > 0 && rest.length > limit && { next: { page: listed.at(-1)!.path } }),
    count: texts.length,
    items: listed.map((one) => presentReusableContent(one, { addresses, spaceId })),
  }
}

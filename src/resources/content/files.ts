/** The files of a revision in the order in which they were made, which is that of their ids: a cursor stays valid in any later revision. */
import type { FileId } from '../../core/ids.js'
import { count } from '../../core/merkle/map.js'
import { listFiles } from '../../core/pages/read.js'
import type { Services } from '../../access/route/scope.js'
import type { Asker } from '../../contract/addresses.js'
import type { File } from '../../contract/pages.js'
import { ApiError } from '../../contract/errors.js'
import type { ContentHere } from './content.js'
import { listOpenFiles } from './open-files.js'
import { presentFile } from './present.js'

interface FileList {
  next?: { page: string }
  count: number
  items: File[]
}

export async function listFilesOf(
  content: ContentHere,
  { page, limit }: { page?: string; limit: number },
  { addresses }: Services,
  asker: Asker,
): Promise<FileList> {
  const { snapshot } = content.revision
  const after = page === undefined ? undefined : requireId(page)
  // Who is shown a part of the content is judged file by file.
  const open = content.visitor === undefined ? undefined : await listOpenFiles(content)
  const total = open?.length ?? (await content.run(count(snapshot.files)))
  if (limit === 0) return { count: total, items: [] }
  const found =
    open?.filter(({ id }) => after === undefined || id > after).slice(0, limit + 1) ??
    (await content.run(listFiles(snapshot, { limit: limit + 1, ...(after !== undefined && { after }) })))
  const shown = found.slice(0, limit)
  const items = shown.map((file) => presentFile(addresses, file, content, asker))
  return {
    ...(found.length > limit && { next: { page: shown.at(-1)!.id } }),
    count: total,
    items,
  }
}

/** The cursor is the id of the last file that was shown. */
function requireId(page: string): FileId {
  if (!/^[A-Za-z0-9]+$/.test(page)) throw new ApiError('invalid_page_cursor')
  return page as FileId
}

/** Pasted and dropped files: stored in the change request, with progress; returns the path for the text. */
import type { File as StoredFile } from '../../contract/pages.js'
import { uploadChangeRequestFile } from '../../contract/change-requests.js'
import { uploadSpaceFile } from '../../contract/spaces.js'
import { relativePath } from '../../core/links/relative.js'
import { queryClient } from '../api/queries.js'
import { text } from '../i18n/text.js'
import { upload } from '../imports/upload.js'
import { showToast } from '../ui/toast.js'
import { type EditedPage, fileOf } from './choices.js'
import { fileUrlsQuery } from './file-urls.js'

/** Bytes; the limit of the server. */
const largest = 25 * 1024 * 1024

/** Returns the path in the text of the page. */
export async function uploadImage(edited: EditedPage, file: File): Promise<string | undefined> {
  if (file.size > largest) {
    showToast(text.editor.tooLarge(file.name), { kind: 'error' })
    return undefined
  }
  const { space, change } = edited.source
  const { path } = change === undefined ? uploadSpaceFile : uploadChangeRequestFile
  const below = path.replace(':spaceId', space).replace(':changeRequestId', String(change))
  try {
    const form = new FormData()
    form.set('file', file, file.name || 'image.png')
    const stored = await upload<StoredFile>(`/v1${below}`, form)
    await queryClient.invalidateQueries({ queryKey: fileUrlsQuery(edited.source).queryKey })
    await queryClient.fetchQuery(fileUrlsQuery(edited.source))
    return relativePath(await fileOf(edited), stored.path)
  } catch (error) {
    showToast(text.editor.uploadFailed(file.name), { description: (error as Error).message, kind: 'error' })
    return undefined
  }
}

/** Pasted and dropped files: stored in the change request, with progress; returns the path for the text. */
import type { File as StoredFile } from '../../contract/pages.js'
import { uploadChangeRequestFile } from '../../contract/change-requests.js'
import { uploadSpaceFile } from '../../contract/spaces.js'
import type { ContentSource } from '../api/queries.js'
import { text } from '../i18n/text.js'
import { upload } from '../imports/upload.js'
import { showToast } from '../ui/toast.js'

/** Bytes; the limit of the server. */
const largest = 25 * 1024 * 1024

export async function uploadImage({ space, change }: ContentSource, file: File): Promise<string | undefined> {
  if (file.size > largest) {
    showToast(text.editor.tooLarge(file.name), { kind: 'error' })
    return undefined
  }
  const { path } = change === undefined ? uploadSpaceFile : uploadChangeRequestFile
  const below = path.replace(':spaceId', space).replace(':changeRequestId', String(change))
  try {
    const form = new FormData()
    form.set('file', file, file.name || 'image.png')
    const stored = await upload<StoredFile>(`/v1${below}`, form)
    return stored.git?.path ?? stored.name
  } catch (error) {
    showToast(text.editor.uploadFailed(file.name), { description: (error as Error).message, kind: 'error' })
    return undefined
  }
}

/** Markup and Markdown of the clipboard as blocks, by the converter of the server's importer. */
import type { EditedBlock } from '../../core/editing/source-blocks.js'
import { convertForChangeRequest, convertForSpace } from '../../contract/html-conversion.js'
import { api } from '../api/client.js'
import { contentRequest } from '../api/content-request.js'
import type { ContentSource } from '../api/queries.js'
import { text } from '../i18n/text.js'
import { showToast } from '../ui/toast.js'

export async function convertContent(
  source: ContentSource,
  body: { readonly html: string } | { readonly markdown: string },
): Promise<readonly EditedBlock[] | undefined> {
  const { blocks, droppedImages } = await api.call(
    ...contentRequest(source, convertForSpace, convertForChangeRequest, { body }),
  )
  if (droppedImages.length > 0) showToast(text.editor.droppedImages(droppedImages.length))
  return blocks
}

/** Markup and Markdown of the clipboard as blocks, by the converter of the server's importer. */
import type { EditedBlock } from '../../core/editing/source-blocks.js'
import { convertForChangeRequest, convertForSpace } from '../../contract/html-conversion.js'
import { api } from '../api/client.js'
import type { ContentSource } from '../api/queries.js'
import { text } from '../i18n/text.js'
import { showToast } from '../ui/toast.js'

export async function convertContent(
  { space: spaceId, change }: ContentSource,
  content: { readonly html: string } | { readonly markdown: string },
): Promise<readonly EditedBlock[] | undefined> {
  const body = content
  const { blocks, droppedImages } =
    change === undefined
      ? await api.call(convertForSpace, { params: { spaceId }, body })
      : await api.call(convertForChangeRequest, { params: { spaceId, changeRequestId: change }, body })
  if (droppedImages.length > 0) showToast(text.editor.droppedImages(droppedImages.length))
  return blocks
}

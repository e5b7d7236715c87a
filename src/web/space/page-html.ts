/** The text of a page as the reader's HTML. */
import { queryOptions } from '@tanstack/react-query'
import { changeRequestContent, spaceContent } from '../../contract/content.js'
import { api } from '../api/client.js'
import { type ContentSource, contentKey } from '../api/queries.js'

export const pageHtmlQuery = (source: ContentSource, pageId: string) =>
  queryOptions({
    queryKey: [...contentKey(source), 'page', pageId, 'html'],
    queryFn: async ({ signal }) => {
      const { space: spaceId, change } = source
      const page =
        change === undefined
          ? await api.call(spaceContent.page, {
              params: { spaceId, pageId },
              query: { format: 'markdown' },
              signal,
            })
          : await api.call(changeRequestContent.page, {
              params: { spaceId, changeRequestId: change, pageId },
              query: { format: 'markdown' },
              signal,
            })
      return page.markdown ?? ''
    },
  })

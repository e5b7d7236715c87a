/** Query of what pages of a space share: variables, reusable contents and tags. */
import { queryOptions } from '@tanstack/react-query'
import { changeRequestContent, spaceContent } from '../../contract/content.js'
import { api } from '../api/client.js'
import { type ContentSource, contentKey } from '../api/queries.js'

export const sharedContentsQuery = (source: ContentSource) =>
  queryOptions({
    queryKey: [...contentKey(source), 'shared'],
    queryFn: async ({ signal }) => {
      const { space: spaceId, change } = source
      const query = { metadata: false, computed: false }
      const revision =
        change === undefined
          ? await api.call(spaceContent.revision, { params: { spaceId }, query, signal })
          : await api.call(changeRequestContent.revision, {
              params: { spaceId, changeRequestId: change },
              query,
              signal,
            })
      const { variables = {}, tags, reusableContents } = revision
      return { variables, tags, reusableContents }
    },
  })

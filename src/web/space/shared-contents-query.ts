/** Query of what pages of a space share: variables, reusable contents, tags and files. */
import { queryOptions } from '@tanstack/react-query'
import { changeRequestContent, spaceContent } from '../../contract/content.js'
import { api } from '../api/client.js'
import { contentRequest } from '../api/content-request.js'
import { type ContentSource, contentKey } from '../api/queries.js'

export const sharedContentsQuery = (source: ContentSource) =>
  queryOptions({
    queryKey: [...contentKey(source), 'shared'],
    queryFn: async ({ signal }) => {
      const query = { metadata: false, computed: false }
      const {
        variables = {},
        tags,
        reusableContents,
        files,
      } = await api.call(
        ...contentRequest(source, spaceContent.revision, changeRequestContent.revision, { query, signal }),
      )
      return { variables, tags, reusableContents, files }
    },
  })

/** Addresses of the files that a text refers to by their paths. */
import { queryOptions } from '@tanstack/react-query'
import { changeRequestContent, spaceContent } from '../../contract/content.js'
import { api } from '../api/client.js'
import { contentRequest } from '../api/content-request.js'
import { type ContentSource, contentKey } from '../api/queries.js'

/** The files of the content: path from the root of the space → address of the bytes. */
export const fileUrlsQuery = (source: ContentSource) =>
  queryOptions({
    queryKey: [...contentKey(source), 'files'],
    queryFn: async ({ signal }) => {
      const query = { limit: 1000 }
      const { items } = await api.call(
        ...contentRequest(source, spaceContent.files, changeRequestContent.files, { query, signal }),
      )
      return new Map(items.map((file) => [file.path, file.downloadURL]))
    },
    staleTime: 60_000,
  })

/** Returns the address of a file by its path in a text, which is relative to the page. */
export function findFileUrl(urls: ReadonlyMap<string, string>, src: string): string | undefined {
  if (/^https?:/i.test(src)) return src
  const path = decodePath(src.split(/[?#]/, 1)[0]!).replace(/^(?:\.{0,2}\/)+/, '')
  const exact = urls.get(path)
  if (exact !== undefined) return exact
  for (const [stored, url] of urls) if (stored.endsWith(`/${path}`)) return url
  return undefined
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Queries of a comparison: its list in parts, one page of it rendered, and the Markdown of both versions. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { changeRequestContent, revisionContent, spaceContent } from '../../contract/content.js'
import {
  comparePage,
  compareReusableContent,
  getChangeRequestPageChanges,
  getChangeRequestReusableContentChanges,
  type PageComparison,
  type ReusableContentComparison,
} from '../../contract/page-comparisons.js'
import {
  type SemanticChange,
  compareContent,
  getChangeRequestChanges,
} from '../../contract/semantic-changes.js'
import { ApiRequestError, api } from '../api/client.js'
import { contentKey } from '../api/queries.js'

/** What is compared: a change request with its base, or two contents by their names in the API. */
export type ComparisonSource =
  | { readonly space: string; readonly change: number; readonly base: string }
  | { readonly space: string; readonly from: string; readonly to?: string | undefined }

/** Changes that are listed at once, with the number of changed blocks of each page. */
const partLimit = 200

export function comparisonKey(source: ComparisonSource): readonly unknown[] {
  return 'change' in source
    ? [...contentKey(source), 'comparison', source.base]
    : ['space', source.space, 'comparison', source.from, source.to ?? '']
}

const namesOf = (source: Extract<ComparisonSource, { from: string }>) => ({
  from: source.from,
  ...(source.to !== undefined && { to: source.to }),
})

export const changeListQuery = (source: ComparisonSource) =>
  infiniteQueryOptions({
    queryKey: [...comparisonKey(source), 'list'],
    queryFn: ({ pageParam, signal }) => {
      const part = { limit: partLimit, blocks: true, ...(pageParam !== '' && { page: pageParam }) }
      const { space: spaceId } = source
      return 'change' in source
        ? api.call(getChangeRequestChanges, {
            params: { spaceId, changeRequestId: source.change },
            query: part,
            signal,
          })
        : api.call(compareContent, { params: { spaceId }, query: { ...part, ...namesOf(source) }, signal })
    },
    initialPageParam: '',
    getNextPageParam: ({ next }) => next?.page,
  })

/** A changed page, reusable content or anything else, with all changes of it. */
export interface ChangedRow {
  readonly id: string
  readonly kind: 'page' | 'reusable-content' | 'other'
  readonly title: string
  readonly path?: string | undefined
  readonly changes: readonly SemanticChange[]
  /** Number of changed blocks; undefined for what is new or gone. */
  readonly count?: number
}

/** Returns a row for each thing that changed, in order of its first change. */
export function rowsOf(changes: readonly SemanticChange[]): ChangedRow[] {
  const rows = new Map<string, ChangedRow>()
  for (const change of changes) {
    const row = rowOf(change)
    const known = rows.get(row.id)
    if (known === undefined) rows.set(row.id, row)
    else
      rows.set(row.id, {
        ...known,
        changes: [...known.changes, change],
        count: (known.count ?? 0) + (row.count ?? 0),
      })
  }
  return [...rows.values()]
}

function rowOf(change: SemanticChange): ChangedRow {
  const blocks = 'blocks' in change ? (change.blocks?.length ?? 0) + (change.moreBlocks ?? 0) : undefined
  const counted = blocks === undefined ? {} : { count: blocks }
  if ('page' in change) {
    const { id, title, path } = change.page
    return { id, kind: 'page', title, path, changes: [change], ...counted }
  }
  if ('reusableContent' in change) {
    const { id, title } = change.reusableContent
    return { id, kind: 'reusable-content', title, changes: [change], ...counted }
  }
  const [id, title] = 'file' in change ? [change.file.id, change.file.name] : [change.type, change.summary]
  return { id, kind: 'other', title, changes: [change] }
}

/** The rendered comparison of a row. */
export const comparedPageQuery = (source: ComparisonSource, row: Pick<ChangedRow, 'id' | 'kind'>) =>
  queryOptions({
    queryKey: [...comparisonKey(source), row.kind, row.id],
    queryFn: async ({ signal }): Promise<PageComparison | ReusableContentComparison> => {
      const { space: spaceId } = source
      const isPage = row.kind === 'page'
      if ('change' in source) {
        const change = { spaceId, changeRequestId: source.change }
        return isPage
          ? api.call(getChangeRequestPageChanges, { params: { ...change, pageId: row.id }, signal })
          : api.call(getChangeRequestReusableContentChanges, {
              params: { ...change, reusableContentId: row.id },
              signal,
            })
      }
      const query = namesOf(source)
      return isPage
        ? api.call(comparePage, { params: { spaceId, pageId: row.id }, query, signal })
        : api.call(compareReusableContent, { params: { spaceId, reusableContentId: row.id }, query, signal })
    },
    enabled: row.kind !== 'other',
  })

/** The documents of all pages, by page: the document of a page has another id after each edit. */
export const documentsQuery = (source: ComparisonSource) =>
  queryOptions({
    queryKey: [...comparisonKey(source), 'documents'],
    queryFn: async ({ signal }) => {
      const query = { metadata: false, computed: false, fields: 'documentId' }
      const name = 'change' in source ? `change-request:${source.change}` : source.to
      const { pages } = await readIn(source.space, name, {
        space: (params) => api.call(spaceContent.pages, { params, query, signal }),
        revision: (params) => api.call(revisionContent.pages, { params, query, signal }),
        change: (params) => api.call(changeRequestContent.pages, { params, query, signal }),
      })
      const documents = new Map<string, string>()
      const visit = (list: typeof pages): void => {
        for (const page of list) {
          documents.set(page.id, ('documentId' in page ? page.documentId : undefined) ?? '')
          if ('pages' in page && page.pages !== undefined) visit(page.pages as typeof pages)
        }
      }
      visit(pages)
      return documents
    },
  })

/** The Markdown of a page before and after; empty where it is missing. */
export const markdownQuery = (source: ComparisonSource, page: string) =>
  queryOptions({
    queryKey: [...comparisonKey(source), 'markdown', page],
    queryFn: async () => {
      const [from, to] =
        'change' in source ? [source.base, `change-request:${source.change}`] : [source.from, source.to]
      return Promise.all([textIn(source.space, from, page), textIn(source.space, to, page)])
    },
  })

/** Reads in a content by its name: with the operation of a space, a revision or a change request. */
function readIn<Reply>(
  spaceId: string,
  name: string | undefined,
  read: {
    space: (params: { spaceId: string }) => Promise<Reply>
    revision: (params: { spaceId: string; revisionId: string }) => Promise<Reply>
    change: (params: { spaceId: string; changeRequestId: string }) => Promise<Reply>
  },
): Promise<Reply> {
  if (name === undefined) return read.space({ spaceId })
  const changeRequestId = /^change-request:(.+)$/.exec(name)?.[1]
  return changeRequestId === undefined
    ? read.revision({ spaceId, revisionId: name })
    : read.change({ spaceId, changeRequestId })
}

async function textIn(spaceId: string, name: string | undefined, pageId: string): Promise<string> {
  try {
    const { text } = await readIn(spaceId, name, {
      space: (params) => api.call(spaceContent.pageText, { params: { ...params, pageId } }),
      revision: (params) => api.call(revisionContent.pageText, { params: { ...params, pageId } }),
      change: (params) => api.call(changeRequestContent.pageText, { params: { ...params, pageId } }),
    })
    return text
  } catch (error) {
    if (error instanceof ApiRequestError && error.status === 404) return ''
    throw error
  }
}

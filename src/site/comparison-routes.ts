/** API routes that render the comparison of a page or a reusable content in two contents of a space. */
import { type Route, route } from '../access/route/route.js'
import { type Services, withParam } from '../access/route/scope.js'
import { ApiError } from '../contract/errors.js'
import * as operations from '../contract/page-comparisons.js'
import type { PageId, UserId } from '../core/ids.js'
import type { Side } from '../core/comparison/types.js'
import { type ReusableContentEntry, findPage, listReusableContents } from '../core/pages/read.js'
import type { PageRecord } from '../core/pages/types.js'
import { findCompared } from '../resources/change-requests/compared-contents.js'
import { inChangeRequestContent } from '../resources/change-requests/scope.js'
import { findChangeRequest } from '../resources/change-requests/store.js'
import type { ComparedContents } from '../resources/content/comparison-cursor.js'
import { type ContentContext, contentAtRevision } from '../resources/content/content.js'
import { presentReusableContent } from '../resources/content/present.js'
import { comparePageSettings, namedPage } from '../resources/content/semantic-changes.js'
import { listReferenceableVersions } from '../resources/content/specification-access.js'
import { inSpaceContent } from '../resources/spaces/scope.js'
import type { SpaceRow } from '../resources/spaces/store.js'
import type { Db } from '../store/db/database.js'
import { type ComparedText, renderComparison } from './pages/comparison.js'
import { type VisibleContent, openContent, readVisibleTexts } from './pages/content.js'
import { withComputedRevision } from './routing/computed-revisions.js'
import { previewSite } from './routing/site.js'

export const comparisonRoutes: readonly Route[] = [
  route(operations.comparePage, {
    at: withParam(inSpaceContent, 'pageId'),
    allow: 'view',
    prepare: async ({ db, space, content, query, services, actor, pageId }) => {
      const contents = await findCompared(sourceOf(db, services, content), space.row, query, content)
      return comparePages({ db, services, userId: actor.userId, space: space.row }, contents, pageId)
    },
    respond: async ({ result }) => result,
  }),

  route(operations.compareReusableContent, {
    at: withParam(inSpaceContent, 'reusableContentId'),
    allow: 'view',
    prepare: async ({ db, space, content, query, services, actor, reusableContentId: id }) => {
      const contents = await findCompared(sourceOf(db, services, content), space.row, query, content)
      return compareReusableContents({ db, services, userId: actor.userId, space: space.row }, contents, id)
    },
    respond: async ({ result }) => result,
  }),

  route(operations.getChangeRequestPageChanges, {
    at: withParam(inChangeRequestContent, 'pageId'),
    allow: 'view',
    prepare: async ({ db, space, changeRequest, content, services, actor, pageId }) => {
      const base = changeRequest.revision_merged_ancestor_id
      const before = await contentAtRevision(db, content, base, services)
      const context = { db, services, userId: actor.userId, space: space.row }
      return comparePages(context, { before, after: content }, pageId)
    },
    respond: async ({ result }) => result,
  }),

  route(operations.getChangeRequestReusableContentChanges, {
    at: withParam(inChangeRequestContent, 'reusableContentId'),
    allow: 'view',
    prepare: async ({ db, space, changeRequest, content, services, actor, reusableContentId: id }) => {
      const base = changeRequest.revision_merged_ancestor_id
      const before = await contentAtRevision(db, content, base, services)
      const context = { db, services, userId: actor.userId, space: space.row }
      return compareReusableContents(context, { before, after: content }, id)
    },
    respond: async ({ result }) => result,
  }),
]

interface ComparisonContext {
  readonly db: Db
  readonly services: Services
  readonly userId: UserId
  readonly space: SpaceRow
}

type Contents = ComparedContents & { readonly before: ContentContext }

const sourceOf = (db: Db, services: Services, { organizationId, spaceId }: ContentContext) => {
  return { db, services, organizationId, spaceId }
}

const sides = ['before', 'after'] as const

/** Reads the two versions of a page, and returns the work that renders their comparison. */
async function comparePages(
  context: ComparisonContext,
  contents: Contents,
  id: string,
): Promise<() => Promise<operations.PageComparison>> {
  const read = async (side: Side) => {
    const content = contents[side]
    const page = await content.run(findPage(content.revision.snapshot, id as PageId))
    const hash = page?.type === 'document' ? page.text : undefined
    const visible = await openSide(context, content)
    const [text = ''] = hash === undefined ? [] : await readVisibleTexts(visible, page!, [hash])
    return { page, text, visible }
  }
  const [before, after] = await Promise.all(sides.map(read))
  const one = after!.page ?? before!.page
  if (one === undefined) throw new ApiError('not_found', { thing: 'page' })
  const settings = await readSettings(before!, after!, context.services)
  return async () => {
    const textOf = ({ visible, text, page }: typeof before & object): ComparedText => {
      const record = page?.type === 'document' ? page : null
      const place = record ?? { title: one.title, file: one.type === 'document' ? one.file : '' }
      return { visible, text, page: { ...place, record } }
    }
    const compared = await renderComparison({ before: textOf(before!), after: textOf(after!) }, false)
    return {
      ...(before!.page && { before: namedPage(before!.page) }),
      ...(after!.page && { after: namedPage(after!.page) }),
      settings,
      ...presentComparison(compared),
    }
  }

  async function readSettings(
    was: { readonly page: PageRecord | undefined; readonly text: string },
    is: { readonly page: PageRecord | undefined; readonly text: string },
    services: Services,
  ) {
    if (was.page === undefined || is.page === undefined) return []
    return comparePageSettings(
      { content: contents.before, page: was.page, text: was.text },
      { content: contents.after, page: is.page, text: is.text },
      services,
    )
  }
}

/** Does the same for a reusable content. */
async function compareReusableContents(
  context: ComparisonContext,
  contents: Contents,
  id: string,
): Promise<() => Promise<operations.ReusableContentComparison>> {
  const read = async (side: Side) => {
    const content = contents[side]
    const entries = await content.run(listReusableContents(content.revision.snapshot))
    const entry = entries.find((one) => one.id === id)
    const visible = await openSide(context, content)
    const [text = ''] = entry === undefined ? [] : await readVisibleTexts(visible, null, [entry.text])
    return { entry, text, visible }
  }
  const [before, after] = await Promise.all(sides.map(read))
  const one = after!.entry ?? before!.entry
  if (one === undefined) throw new ApiError('not_found', { thing: 'reusable content' })
  const location = { addresses: context.services.addresses, spaceId: context.space.id }
  const named = (entry: ReusableContentEntry) => {
    const { id: entryId, title, document } = presentReusableContent(entry, location)
    return { id: entryId, title, ...(document !== undefined && { document }) }
  }
  return async () => {
    const textOf = ({ visible, text, entry }: typeof before & object): ComparedText => {
      const { title, path: file } = entry ?? one
      return { visible, text, page: { title, file, record: null } }
    }
    const compared = await renderComparison({ before: textOf(before!), after: textOf(after!) }, true)
    const [was, is] = [before!.entry?.title, after!.entry?.title]
    const isRenamed = was !== undefined && is !== undefined && was !== is
    return {
      ...(before!.entry && { before: named(before!.entry) }),
      ...(after!.entry && { after: named(after!.entry) }),
      settings: isRenamed ? [{ name: 'title', before: was, after: is }] : [],
      ...presentComparison(compared),
    }
  }
}

function presentComparison({ markup, changes, isTruncated }: Awaited<ReturnType<typeof renderComparison>>) {
  return {
    html: markup,
    changes: changes.map(({ key, words, ...change }) => ({ ...change, key: { ...key }, words: [...words] })),
    ...(isTruncated && { truncated: true }),
  }
}

/** Opens a content as the app previews it; files of one that is not a head are addressed by its revision. */
async function openSide(
  { db, services, userId, space }: ComparisonContext,
  content: ContentContext,
): Promise<VisibleContent> {
  const revision = content.writtenRevision.id
  const row = await withComputedRevision({ db, services }, { ...space, revision_id: revision })
  const specifications = await listReferenceableVersions(db, content, userId)
  const changeRequest =
    content.changeRequestId === null || content.isPinned === true
      ? undefined
      : await findChangeRequest(db, space, content.changeRequestId)
  const site = previewSite(services.addresses, row, specifications, changeRequest)
  const visible = await openContent(services, site, site.variants[0]!)
  if (content.isPinned !== true) return visible
  const { linker } = visible
  const pinned = (href: string) => `${href}&revision=${revision}`
  return {
    ...visible,
    linker: {
      ...linker,
      file: (file) => pinned(linker.file(file)),
      sizes: (file) => linker.sizes(file).map(({ href, width }) => ({ href: pinned(href), width })),
    },
  }
}

/** API routes that preview an unsaved text of a page of a space or change request. */
import { framedPage } from '../access/route/responses.js'
import { type Route, route } from '../access/route/route.js'
import type { Services } from '../access/route/scope.js'
import { ApiError } from '../contract/errors.js'
import { type PreviewBody, previewChangeRequestContent, previewSpaceContent } from '../contract/previews.js'
import type { ChangeRequestId, PageId, SiteId, UserId } from '../core/ids.js'
import { findPage } from '../core/pages/read.js'
import type { DocumentPage } from '../core/pages/types.js'
import { inChangeRequestContent } from '../resources/change-requests/scope.js'
import type { ContentContext } from '../resources/content/content.js'
import { listReferenceableVersions } from '../resources/content/specification-access.js'
import { inSpaceContent } from '../resources/spaces/scope.js'
import type { SpaceRow } from '../resources/spaces/store.js'
import type { Db } from '../store/db/database.js'
import { claimReaderOf, renderPreview } from './pages/preview.js'
import type { Assets } from './pages/site-view.js'
import { withComputedRevision } from './routing/computed-revisions.js'
import { previewInSite } from './preview-in-site.js'
import { type PublishedSite, previewSite } from './routing/site.js'
import { findPreviewedSite } from './reader-access.js'

/** `findAssets` returns the addresses of the style sheets. */
export const previewRoutes = (findAssets: () => Promise<Assets>): readonly Route[] => [
  route(previewSpaceContent, {
    at: inSpaceContent,
    allow: 'view',
    prepare: ({ db, space, content, body, services, actor }) =>
      preparePreview({ db, services, userId: actor.userId }, { space: space.row, content, body }, findAssets),
    respond: async ({ result }) => framedPage(result),
  }),

  route(previewChangeRequestContent, {
    at: inChangeRequestContent,
    allow: 'view',
    prepare: ({ db, space, changeRequest, content, body, services, actor }) =>
      preparePreview(
        { db, services, userId: actor.userId },
        { space: space.row, changeRequest, content, body },
        findAssets,
      ),
    respond: async ({ result }) => framedPage(result),
  }),
]

interface PreviewContext {
  readonly db: Db
  readonly services: Services
  readonly userId: UserId
}

interface PreviewedContent {
  readonly space: SpaceRow
  readonly changeRequest?: { readonly id: ChangeRequestId; readonly number: number }
  readonly content: ContentContext
  readonly body: PreviewBody
}

/** Reads what the preview depends on, and returns the work that renders it. */
async function preparePreview(
  { db, services, userId }: PreviewContext,
  { space, changeRequest, content, body }: PreviewedContent,
  findAssets: () => Promise<Assets>,
): Promise<() => Promise<string>> {
  const page = await getDocumentPage(content, body.page as PageId)
  const row = await withComputedRevision({ db, services }, { ...space, revision_id: content.revision.id })
  const specifications = await listReferenceableVersions(db, content, userId)
  const preview = previewSite(services.addresses, row, specifications, changeRequest)
  const site = body.site === undefined ? preview : await inSite(preview, body.site as SiteId)
  return async () => {
    const { description } = await services.reader.describe(body.markdown)
    return renderPreview(
      services,
      { ...body, site, spaceId: space.id, page, description },
      await findAssets(),
    )
  }

  async function inSite(preview: PublishedSite, siteId: SiteId): Promise<PublishedSite> {
    const { organization_id: organizationId } = space
    const readable = await findPreviewedSite({ db }, { organizationId, siteId }, userId)
    const claimReader = body.claims && claimReaderOf(body.claims)
    const found =
      readable &&
      (await previewInSite({ db, services }, preview, {
        site: readable,
        ...(claimReader && { claimReader }),
      }))
    if (found === undefined)
      throw new ApiError('invalid_reference', { member: 'site', thing: 'a site with this space' })
    return found
  }
}

async function getDocumentPage({ revision, run }: ContentContext, id: PageId): Promise<DocumentPage> {
  const page = await run(findPage(revision.snapshot, id))
  if (page?.type !== 'document') throw new ApiError('not_found', { thing: 'document page' })
  return page
}

/** Routes of PDF export: they return a signed URL with all parameters, which generates the PDF. */
import { type Route, route } from '../../access/route/route.js'
import { type Services, withLoaded } from '../../access/route/scope.js'
import { type Actor, urlViewerOf } from '../../access/signin/actor.js'
import { type PdfQuery, getChangeRequestPdf, getSpacePdf } from '../../contract/pdfs.js'
import { inChangeRequestContent } from '../change-requests/scope.js'
import type { ContentContext } from '../content/content.js'
import { expandForRequest } from '../content/content.js'
import { inSpaceContent } from '../spaces/scope.js'
import { listPrintedPages } from './pages.js'

interface PdfRequest {
  readonly content: ContentContext
  readonly query: PdfQuery
  readonly actor: Actor
  readonly now: number
  readonly services: Services
}

/** Includes the pages generated from OpenAPI specifications, as rendered for readers. */
const inRenderedSpace = withLoaded(inSpaceContent, 'content', (request, { content }) =>
  expandForRequest(request, content),
)
const inRenderedChangeRequest = withLoaded(inChangeRequestContent, 'content', (request, { content }) =>
  expandForRequest(request, content),
)

export const pdfRoutes: readonly Route[] = [
  route(getSpacePdf, {
    at: inRenderedSpace,
    allow: 'view',
    handle: ({ space, ...request }) => pdfUrlOf(request, space.row.title),
  }),
  route(getChangeRequestPdf, {
    at: inRenderedChangeRequest,
    allow: 'view',
    handle: ({ space, changeRequest, ...request }) => pdfUrlOf(request, space.row.title, changeRequest.id),
  }),
]

async function pdfUrlOf(
  { content, query, actor, now, services }: PdfRequest,
  spaceTitle: string,
  changeRequest?: string,
): Promise<{ url: string }> {
  const printed = await listPrintedPages(content, query)
  const title = query.page === undefined ? spaceTitle : printed[0]!.page.title
  const pdf = { spaceId: content.spaceId, revision: content.revision.id, changeRequest, ...query }
  return { url: services.addresses.pdf(pdf, title, urlViewerOf(actor, now)) }
}

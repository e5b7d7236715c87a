/** Where content is as a PDF: the address says all that is asked for, and what makes it stands there. */
import { type Route, route } from '../../access/route/route.js'
import { type Services, withMore } from '../../access/route/scope.js'
import { type Actor, askerOf } from '../../access/signin/actor.js'
import { type PdfQuery, getChangeRequestPdf, getSpacePdf } from '../../contract/pdfs.js'
import { inChangeRequestContent } from '../change-requests/scope.js'
import type { ContentHere } from '../content/content.js'
import { showContent } from '../content/show-content.js'
import { inSpaceContent } from '../spaces/scope.js'
import { listPrinted } from './pages.js'

interface Asked {
  readonly content: ContentHere
  readonly query: PdfQuery
  readonly actor: Actor
  readonly now: number
  readonly services: Services
}

/** With the pages that are made of specifications, as readers are shown it. */
const inShownSpace = withMore(inSpaceContent, 'content', (request, { content }) =>
  showContent(request, content),
)
const inShownChangeRequest = withMore(inChangeRequestContent, 'content', (request, { content }) =>
  showContent(request, content),
)

export const pdfRoutes: readonly Route[] = [
  route(getSpacePdf, {
    at: inShownSpace,
    allow: 'view',
    handle: ({ space, ...asked }) => addressOf(asked, space.row.title),
  }),
  route(getChangeRequestPdf, {
    at: inShownChangeRequest,
    allow: 'view',
    handle: ({ space, changeRequest, ...asked }) => addressOf(asked, space.row.title, changeRequest.id),
  }),
]

async function addressOf(
  { content, query, actor, now, services }: Asked,
  spaceTitle: string,
  changeRequest?: string,
): Promise<{ url: string }> {
  const printed = await listPrinted(content, query)
  const title = query.page === undefined ? spaceTitle : printed[0]!.page.title
  const what = { spaceId: content.spaceId, revision: content.revision.id, changeRequest, ...query }
  return { url: services.addresses.pdf(what, title, askerOf(actor, now)) }
}

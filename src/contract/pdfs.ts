/** Content as a PDF: returns its URL. The PDF is made when that URL is requested. */
import Type, { type Static } from 'typebox'
import { endpoint } from './endpoint.js'
import { limits } from './limits.js'
import { shape } from './shapes.js'

const Pdf = shape(
  'PdfAddress',
  Type.Object({
    url: Type.String({
      description:
        'Where the PDF is: it is made when it is first asked for there, once for each content, and an answer waits for it. Works for some hours, for whoever asked, without any header.',
    }),
  }),
)

const PdfQuery = Type.Object({
  page: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'Id of a page: it, and what stands below it, instead of everything.',
    }),
  ),
  only: Type.Optional(
    Type.Boolean({ description: 'With "page": that page alone, without a cover and what stands below it.' }),
  ),
})
export type PdfQuery = Static<typeof PdfQuery>

export const getSpacePdf = endpoint('getSpacePdf', 'GET', '/spaces/:spaceId/pdf', {
  summary: `Where the content of a space, or of a page of it, is as a PDF, of up to ${limits.pdfPages} pages`,
  tag: 'content',
  query: PdfQuery,
  reply: Pdf,
})

export const getChangeRequestPdf = endpoint(
  'getChangeRequestPdf',
  'GET',
  '/spaces/:spaceId/change-requests/:changeRequestId/pdf',
  {
    summary: 'Where the content of a change request, or of a page of it, is as a PDF',
    tag: 'change-requests',
    query: PdfQuery,
    reply: Pdf,
  },
)

/** Progress of a PDF, returned when its URL is requested as JSON. */
export const pdfStates = ['pending', 'progress', 'complete', 'failed'] as const
export type PdfState = (typeof pdfStates)[number]

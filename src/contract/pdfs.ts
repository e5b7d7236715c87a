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
        'Address of the PDF, which is made with the first request there. It is valid for some hours and needs no header.',
    }),
  }),
)

const PdfQuery = Type.Object({
  page: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'Id of a page, to include only that page and the pages below it.',
    }),
  ),
  only: Type.Optional(
    Type.Boolean({ description: 'With `page`: true includes only that page, without a cover.' }),
  ),
})
export type PdfQuery = Static<typeof PdfQuery>

export const getSpacePdf = endpoint('getSpacePdf', 'GET', '/spaces/:spaceId/pdf', {
  summary: 'Get the PDF of a space',
  description: `Returns the address of a PDF of the content, or of one page, with up to ${limits.pdfPages} pages. It is made when that address is requested.`,
  tag: 'Content',
  query: PdfQuery,
  reply: Pdf,
})

export const getChangeRequestPdf = endpoint(
  'getChangeRequestPdf',
  'GET',
  '/spaces/:spaceId/change-requests/:changeRequestId/pdf',
  {
    summary: 'Get the PDF of a change request',
    description: `Returns the address of a PDF of the content, or of one page, with up to ${limits.pdfPages} pages. It is made when that address is requested.`,
    tag: 'Change requests',
    query: PdfQuery,
    reply: Pdf,
  },
)

/** Progress of a PDF, returned when its URL is requested as JSON. */
export const pdfStates = ['pending', 'progress', 'complete', 'failed'] as const
export type PdfState = (typeof pdfStates)[number]

/** Conversion of clipboard HTML, for pasting into a page of a space or change request. Converted in a worker thread. */
import { type Route, route } from '../../access/route/route.js'
import type { Services } from '../../access/route/scope.js'
import { convertForChangeRequest, convertForSpace } from '../../contract/html-conversion.js'
import { inChangeRequest } from '../change-requests/scope.js'
import { inSpace } from '../spaces/scope.js'

interface ConversionRequest {
  readonly services: Services
  readonly body: { readonly html: string }
}

const prepare = async ({ services, body }: ConversionRequest) => {
  return async () => {
    const { source, ...converted } = await services.reader.convertClipboard(body.html)
    const { blocks, footnotes } = source
    return { ...converted, blocks, footnotes }
  }
}

export const conversionRoutes: readonly Route[] = [
  route(convertForSpace, { at: inSpace, allow: 'edit', prepare, respond: async ({ result }) => result }),
  route(convertForChangeRequest, {
    at: inChangeRequest,
    allow: 'edit',
    prepare,
    respond: async ({ result }) => result,
  }),
]

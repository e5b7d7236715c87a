/** Conversion of what was copied, for pasting into a page of a space or change request. Converted in a worker thread. */
import { type Route, route } from '../../access/route/route.js'
import type { Services } from '../../access/route/scope.js'
import { type ConvertBody, convertForChangeRequest, convertForSpace } from '../../contract/html-conversion.js'
import { ApiError } from '../../contract/errors.js'
import { inChangeRequest } from '../change-requests/scope.js'
import { inSpace } from '../spaces/scope.js'

interface ConversionRequest {
  readonly services: Services
  readonly body: ConvertBody
}

const prepare = async ({ services, body: { html, markdown } }: ConversionRequest) => {
  if ((html === undefined) === (markdown === undefined))
    throw new ApiError('invalid_request', {
      problem: 'The body must have one of the members "html" and "markdown", and not both.',
    })
  const content = html === undefined ? { markdown: markdown! } : { html }
  return async () => {
    const { source, ...converted } = await services.reader.convertClipboard(content)
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

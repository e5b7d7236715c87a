/**
 * Preview of a site, published or not: `/o/<organization>/site/<site>/preview`, the `urls.preview` of a site, redirects
 * those who administer it to an address that shows it for an hour.
 */
import type { FastifyInstance } from 'fastify'
import { type MountOptions, callOperation } from '../../access/route/mount.js'
import { ApiError } from '../../contract/errors.js'
import { previewSite } from '../../contract/site-audience.js'
import { siteAudienceRoutes } from '../../resources/sites/audience-routes.js'
import { errorPage } from '../../site/layout/message-pages.js'
import { noStore } from '../http/headers.js'
import { readyAnswer, sendAnswer } from '../http/send-answer.js'
import { redirectToSignIn } from '../web/app-shell.js'
import { productFrame } from './product-frame.js'

export function mountSitePreview(server: FastifyInstance, { signIn, ...options }: MountOptions): void {
  const operation = siteAudienceRoutes.find(({ endpoint }) => endpoint === previewSite)!

  server.get<{ Params: { organizationId: string; siteId: string } }>(
    '/o/:organizationId/site/:siteId/preview',
    async (request, reply) => {
      try {
        const actor = await signIn(request)
        if (actor === null) throw new ApiError('token_missing')
        const preview = await callOperation(operation, request, { ...options, actor }, request.params)
        return reply.headers(noStore).redirect((preview as { url: string }).url)
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        const { status } = error
        if (status === 401 && redirectToSignIn(request, reply)) return reply
        const message = status === 401 ? 'Open your sign-in link first, and come back.' : error.message
        const body = errorPage(await productFrame(), { title: 'This site has no preview for you', message })
        const answer = { status, contentType: 'text/html; charset=utf-8', body, isIndexed: false }
        return sendAnswer(request, reply, readyAnswer(answer, 'private'))
      }
    },
  )
}

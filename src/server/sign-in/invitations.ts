/** Accepting and declining invitations by the form on the home page: calls the operations of the API. */
import type { FastifyInstance } from 'fastify'
import { type MountOptions, waitPreferenceOf } from '../../access/route/mount.js'
import { originOf } from '../../access/signin/request.js'
import { ApiError } from '../../contract/errors.js'
import { acceptInvitation, declineInvitation } from '../../contract/invites.js'
import { inviteRoutes } from '../../resources/invites/routes.js'
import { signInRefusedPage } from '../../site/layout/sign-in.js'
import { productFrame } from '../sites/product-frame.js'
import { type Form, redirectWithCookies, mountForms, withErrorPage, requireOwnOrigin } from './browser.js'

export function mountInvitations(server: FastifyInstance, mounting: MountOptions): void {
  const { services, now } = mounting
  const renderRefusal = async ({ message }: ApiError) => signInRefusedPage(await productFrame(), message)

  mountForms(server, (forms) => {
    forms.post<{ Body: Form | undefined }>('/~octavo/invitations', (request, reply) =>
      withErrorPage(
        request,
        reply,
        async () => {
          requireOwnOrigin(request, services.addresses.base)
          const actor = await mounting.signIn(request)
          if (actor === null) return redirectWithCookies(reply, [], '/~octavo/sign-in')
          const { organization: organizationId = '', answer } = request.body ?? {}
          const { operationId } = answer === 'accept' ? acceptInvitation : declineInvitation
          const { run } = inviteRoutes.find(({ endpoint }) => endpoint.operationId === operationId)!
          const call = { actor, query: {}, body: {}, origin: originOf(request), now: now(), services }
          const readContext = await services.caches.readContext(request.raw)
          await run(
            { ...call, readContext, upload: noUpload, waitPreference: waitPreferenceOf(request) },
            { organizationId },
          )
          return redirectWithCookies(reply, [], '/')
        },
        renderRefusal,
      ),
    )
  })
}

const noUpload = {
  async file(): Promise<never> {
    throw new ApiError('invalid_request', { problem: 'This takes no file.' })
  },
}

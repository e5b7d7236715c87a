/** Accepting and declining invitations by the form on the home page: calls the operations of the API. */
import type { FastifyInstance } from 'fastify'
import { type MountOptions, callOperation } from '../../access/route/mount.js'
import type { ApiError } from '../../contract/errors.js'
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
          const operation = inviteRoutes.find(({ endpoint }) => endpoint.operationId === operationId)!
          await callOperation(operation, request, { services, now, actor }, { organizationId })
          return redirectWithCookies(reply, [], '/')
        },
        renderRefusal,
      ),
    )
  })
}

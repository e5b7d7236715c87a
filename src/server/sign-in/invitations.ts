/** The answer to an invitation, from the form on the first page: the operations of the API, in a browser. */
import type { FastifyInstance } from 'fastify'
import { type Mounting, waitingOf } from '../../access/route/mount.js'
import { originOf } from '../../access/signin/request.js'
import { ApiError } from '../../contract/errors.js'
import { acceptInvitation, declineInvitation } from '../../contract/invites.js'
import { inviteRoutes } from '../../resources/invites/routes.js'
import { refusedPage } from '../../site/layout/sign-in.js'
import { productFrame } from '../sites/product-frame.js'
import { type Form, goOn, mountForms, orRefuse, requireOwnOrigin } from './browser.js'

export function mountInvitations(server: FastifyInstance, mounting: Mounting): void {
  const { services, now } = mounting
  const refuse = async ({ message }: ApiError) => refusedPage(await productFrame(), message)

  mountForms(server, (forms) => {
    forms.post<{ Body: Form | undefined }>('/~octavo/invitations', (request, reply) =>
      orRefuse(
        request,
        reply,
        async () => {
          requireOwnOrigin(request, services.addresses.base)
          const actor = await mounting.signIn(request)
          if (actor === null) return goOn(reply, [], '/~octavo/sign-in')
          const { organization: organizationId = '', answer } = request.body ?? {}
          const { operationId } = answer === 'accept' ? acceptInvitation : declineInvitation
          const { run } = inviteRoutes.find(({ endpoint }) => endpoint.operationId === operationId)!
          const asked = { actor, query: {}, body: {}, origin: originOf(request), now: now(), services }
          const look = await services.caches.look(request.raw)
          await run({ ...asked, look, upload: noUpload, waiting: waitingOf(request) }, { organizationId })
          return goOn(reply, [], '/')
        },
        refuse,
      ),
    )
  })
}

const noUpload = {
  async file(): Promise<never> {
    throw new ApiError('invalid_request', { problem: 'This takes no file.' })
  },
}

/** Joining in a browser: the page of an invite link, and the answers to invitations on the home page. Both call the API. */
import type { FastifyInstance } from 'fastify'
import { type MountOptions, callOperation } from '../../access/route/mount.js'
import type { ApiError } from '../../contract/errors.js'
import { loadRequestFrom } from '../../access/route/scope.js'
import { acceptInvitation, declineInvitation, joinByInvite } from '../../contract/invites.js'
import { inviteRoutes } from '../../resources/invites/routes.js'
import { atInvitation } from '../../resources/invites/scope.js'
import {
  type Form,
  redirectWithCookies,
  mountForms,
  withErrorPage,
  requireOwnOrigin,
  sendSignInPage,
} from './browser.js'
import { joinPage, signInRefusedPage } from './pages.js'

/** The address of `urls.app` of an invite link. */
const joinPath = '/~octavo/join/:organizationId/:inviteId'

interface InvitePath {
  readonly organizationId: string
  readonly inviteId: string
}

const operationOf = ({ operationId }: { readonly operationId: string }) =>
  inviteRoutes.find(({ endpoint }) => endpoint.operationId === operationId)!

export function mountInvitations(server: FastifyInstance, mounting: MountOptions): void {
  const { services, now } = mounting
  const renderRefusal = ({ message }: ApiError) => signInRefusedPage(message)

  server.get<{ Params: InvitePath }>(joinPath, (request, reply) =>
    withErrorPage(
      request,
      reply,
      async () => {
        const actor = await mounting.signIn(request)
        if (actor === null) {
          const returnTo = encodeURIComponent(request.url)
          return redirectWithCookies(reply, [], `/~octavo/sign-in?return=${returnTo}`)
        }
        const { organizationId, inviteId } = request.params
        const db = services.database.read
        const load = loadRequestFrom({ db, immutable: db, readContext: null }, actor, services)
        const { organization } = await atInvitation.load(load, { organizationId, inviteId })
        const action = joinPath.replace(':organizationId', organizationId).replace(':inviteId', inviteId)
        return sendSignInPage(request, reply, await joinPage(organization.title, action))
      },
      renderRefusal,
    ),
  )

  mountForms(server, (forms) => {
    forms.post<{ Params: InvitePath }>(joinPath, (request, reply) =>
      withErrorPage(
        request,
        reply,
        async () => {
          requireOwnOrigin(request, services.addresses.base)
          const actor = await mounting.signIn(request)
          if (actor === null) return redirectWithCookies(reply, [], '/~octavo/sign-in')
          const { organizationId, inviteId } = request.params
          const params = { organizationId, inviteId }
          await callOperation(operationOf(joinByInvite), request, { services, now, actor }, params)
          return redirectWithCookies(reply, [], `/o/${organizationId}`)
        },
        renderRefusal,
      ),
    )

    forms.post<{ Body: Form | undefined }>('/~octavo/invitations', (request, reply) =>
      withErrorPage(
        request,
        reply,
        async () => {
          requireOwnOrigin(request, services.addresses.base)
          const actor = await mounting.signIn(request)
          if (actor === null) return redirectWithCookies(reply, [], '/~octavo/sign-in')
          const { organization: organizationId = '', answer } = request.body ?? {}
          const operation = operationOf(answer === 'accept' ? acceptInvitation : declineInvitation)
          await callOperation(operation, request, { services, now, actor }, { organizationId })
          return redirectWithCookies(reply, [], '/')
        },
        renderRefusal,
      ),
    )
  })
}

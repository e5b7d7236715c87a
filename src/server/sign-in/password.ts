/** Password page: users set or change their own password, in the browser they are signed in with. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { MountOptions } from '../../access/route/mount.js'
import { recordOperation } from '../../access/route/audit-operation.js'
import type { Actor } from '../../access/signin/actor.js'
import { requireAllOrganizations } from '../../access/signin/credential-scope.js'
import { originOf } from '../../access/signin/request.js'
import type { ApiError } from '../../contract/errors.js'
import { setOwnPassword } from '../../contract/sessions.js'
import { changePassword, needsCurrentPassword } from '../../resources/sessions/change-password.js'
import { peopleLock } from '../../store/db/lock-scope.js'
import {
  type Form,
  redirectWithCookies,
  mountForms,
  messageOf,
  withErrorPage,
  requireOwnOrigin,
  sendSignInPage,
} from './browser.js'
import type { FormError } from './document.js'
import { type PasswordView, passwordPage } from './pages.js'

const passwordPath = '/~octavo/password'
const signInPath = `/~octavo/sign-in?${new URLSearchParams({ return: passwordPath }).toString()}`

export function mountPassword(server: FastifyInstance, mounting: MountOptions): void {
  const { services, now } = mounting
  const { database, addresses } = services

  /** Returns the actor of a browser session; API tokens do not count. */
  async function findActor(request: FastifyRequest): Promise<Actor | undefined> {
    const actor = await mounting.signIn(request)
    return actor?.by === 'session' ? actor : undefined
  }

  async function renderPage(actor: Actor | undefined, messages: Pick<PasswordView, 'error' | 'note'> = {}) {
    const account =
      actor === undefined || actor.onlyIn !== null
        ? undefined
        : {
            email: actor.user.email,
            needsCurrent: await needsCurrentPassword(database.read, actor, now()),
          }
    return passwordPage({ ...messages, account })
  }

  server.get(passwordPath, async (request, reply) => {
    const actor = await findActor(request)
    if (actor === undefined) return redirectWithCookies(reply, [], signInPath)
    return withErrorPage(
      request,
      reply,
      async () => {
        requireAllOrganizations(actor)
        return sendSignInPage(request, reply, await renderPage(actor))
      },
      ({ message }) => renderPage(undefined, { error: { message } }),
    )
  })

  mountForms(server, (forms) => {
    forms.post<{ Body: Form | undefined }>(passwordPath, async (request, reply) => {
      let actor: Actor | undefined
      return withErrorPage(
        request,
        reply,
        async () => {
          requireOwnOrigin(request, addresses.base)
          actor = await findActor(request)
          if (actor === undefined) return redirectWithCookies(reply, [], signInPath)
          requireAllOrganizations(actor)
          await change(request, actor, request.body ?? {})
          const note =
            'Your password is set. You are signed out in all other browsers, and your API tokens are revoked.'
          return sendSignInPage(request, reply, await renderPage(actor, { note }))
        },
        (error) => renderPage(actor, { error: formErrorOf(error) }),
      )
    })
  })

  async function change(request: FastifyRequest, actor: Actor, form: Form): Promise<void> {
    const { password = '', current: currentPassword = '' } = form
    const [origin, at] = [originOf(request), now()]
    const operation = {
      endpoint: setOwnPassword,
      actor,
      origin,
      now: at,
      params: {},
      resources: {},
      organizationId: undefined,
      reply: undefined,
    }
    await changePassword(
      database,
      { actor, wanted: { password, currentPassword }, origin, now: at },
      (work) =>
        database.writeWithLocks(peopleLock, async (tx) => {
          await work(tx)
          await recordOperation(tx, operation)
        }),
    )
  }
}

/** Returns an error for the form; those of the API name members of a body, which users of the form do not see. */
function formErrorOf(error: ApiError): FormError {
  switch (error.errorName) {
    case 'password_wrong':
      return {
        field: 'current',
        message:
          'That is not your current password. With a sign-in link you can set a new one without it, within 15 minutes.',
      }
    case 'password_unfit':
      return { field: 'password', message: error.message }
    default:
      return { message: messageOf(error) }
  }
}

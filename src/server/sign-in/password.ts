/** The page where people set or change their own password, in the browser they are signed in with. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Mounting } from '../../access/route/mount.js'
import { recordAct } from '../../access/route/act.js'
import type { Actor } from '../../access/signin/actor.js'
import { requireWholeReach } from '../../access/signin/credential-scope.js'
import { originOf } from '../../access/signin/request.js'
import type { ApiError } from '../../contract/errors.js'
import { setOwnPassword } from '../../contract/sessions.js'
import { changePassword, needsCurrentPassword } from '../../resources/sessions/change-password.js'
import { type PasswordView, passwordPage } from '../../site/layout/password.js'
import { onlyPeople } from '../../store/db/hold.js'
import { productFrame } from '../sites/product-frame.js'
import { type Form, goOn, mountForms, orRefuse, requireOwnOrigin, sendDoor } from './browser.js'

const here = '/~octavo/password'
const signInFirst = `/~octavo/sign-in?${new URLSearchParams({ return: here }).toString()}`

export function mountPassword(server: FastifyInstance, mounting: Mounting): void {
  const { services, now } = mounting
  const { database, addresses } = services

  /** Who is signed in with this browser; a token is no browser. */
  async function findActor(request: FastifyRequest): Promise<Actor | undefined> {
    const actor = await mounting.signIn(request)
    return actor?.by === 'session' ? actor : undefined
  }

  async function page(actor: Actor | undefined, said: Pick<PasswordView, 'error' | 'note'> = {}) {
    const account =
      actor === undefined || actor.onlyIn !== null
        ? undefined
        : {
            email: actor.user.email,
            needsCurrent: await needsCurrentPassword(database.read, actor, now()),
          }
    return passwordPage(await productFrame(), { ...said, account })
  }

  server.get(here, async (request, reply) => {
    const actor = await findActor(request)
    if (actor === undefined) return goOn(reply, [], signInFirst)
    return orRefuse(
      request,
      reply,
      async () => {
        requireWholeReach(actor)
        return sendDoor(request, reply, await page(actor))
      },
      ({ message }) => page(undefined, { error: message }),
    )
  })

  mountForms(server, (forms) => {
    forms.post<{ Body: Form | undefined }>(here, async (request, reply) => {
      let actor: Actor | undefined
      return orRefuse(
        request,
        reply,
        async () => {
          requireOwnOrigin(request, addresses.base)
          actor = await findActor(request)
          if (actor === undefined) return goOn(reply, [], signInFirst)
          requireWholeReach(actor)
          await change(request, actor, request.body ?? {})
          const note =
            'Your password is set. You are signed out in all other browsers, and your API tokens are revoked.'
          return sendDoor(request, reply, await page(actor, { note }))
        },
        (error) => page(actor, { error: sentence(error) }),
      )
    })
  })

  async function change(request: FastifyRequest, actor: Actor, form: Form): Promise<void> {
    const { password = '', current: currentPassword = '' } = form
    const [origin, at] = [originOf(request), now()]
    const act = { endpoint: setOwnPassword, actor, origin, now: at, params: {}, things: {}, reply: undefined }
    await changePassword(
      database,
      { actor, wanted: { password, currentPassword }, origin, now: at },
      (work) =>
        database.writeHolding(onlyPeople, async (tx) => {
          await work(tx)
          await recordAct(tx, act)
        }),
    )
  }
}

/** The sentences of the API name members of a body, which nobody sees here. */
function sentence({ errorName, message }: ApiError): string {
  return errorName === 'password_wrong'
    ? 'That is not your current password. With a sign-in link you can set a new one without it, within 15 minutes.'
    : message
}

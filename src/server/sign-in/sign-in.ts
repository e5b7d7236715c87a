/** Signing in with a password or a link, asking for a link by mail, and signing out. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Mounting } from '../../access/route/mount.js'
import { addressKey, takeAttempt } from '../../access/signin/attempts.js'
import { deviceCookie } from '../../access/signin/known-devices.js'
import { signInWithPassword } from '../../access/signin/password-sign-in.js'
import { newSecret } from '../../access/signin/secrets.js'
import { serviceOf } from '../../access/signin/saml/service.js'
import { endSession, findJoinedBy, openSession, sessionCookie } from '../../access/signin/sessions.js'
import { foldEmail } from '../../core/email.js'
import { ApiError } from '../../contract/errors.js'
import { limits } from '../../contract/limits.js'
import type { OrganizationId } from '../../core/ids.js'
import { findOrganizationTitle, listUsableProviders } from '../../resources/saml-providers/store.js'
import { type DoorView, doorPage, linkPage } from '../../site/layout/sign-in.js'
import { enqueue } from '../../store/jobs/outbox.js'
import type { Allowance } from '../../store/db/attempts.js'
import { nothing, onlyPeople } from '../../store/db/hold.js'
import { sendSignInLinkJob } from '../mail/mail.js'
import { productFrame } from '../sites/product-frame.js'
import {
  type Cookies,
  type Form,
  arrivingOf,
  goOn,
  mountForms,
  orRefuse,
  requireOwnOrigin,
  safeReturn,
  sendDoor,
} from './browser.js'

const hour = 60 * 60 * 1000
const mailsPerAccount: Allowance = { limit: 5, window: hour }
const mailsPerAddress: Allowance = { limit: 30, window: hour }

/** Which ways there are besides the password. */
export interface DoorWays {
  readonly sendsMail: boolean
  readonly openId: string | undefined
}

type Query = Record<'link' | 'organization' | 'return', string | readonly string[] | undefined>

export function mountDoor(
  server: FastifyInstance,
  mounting: Mounting,
  { ways, cookies }: { readonly ways: DoorWays; readonly cookies: Cookies },
): void {
  const { services, now } = mounting
  const { database, addresses } = services
  const onward = (path: unknown) => safeReturn(path, addresses.base)

  async function door(view: Omit<DoorView, keyof DoorWays>): Promise<string> {
    return doorPage(await productFrame(), { ...ways, ...view })
  }

  async function organizationOf(id: Query['organization']): Promise<DoorView['organization']> {
    if (typeof id !== 'string') return undefined
    const found = await findOrganizationTitle(database.read, id as OrganizationId)
    if (found === undefined) return undefined
    const providers = await listUsableProviders(database.read, id as OrganizationId)
    const doors = providers.map((one) => ({
      label: one.label,
      href: new URL(serviceOf(addresses, one.id).startURL).pathname,
    }))
    return { title: found.title, providers: doors }
  }

  server.get<{ Querystring: Query }>('/~octavo/sign-in', async (request, reply) => {
    const { link, organization, return: wanted } = request.query
    const returnTo = onward(wanted)
    if (typeof link === 'string') {
      const joins = await findJoinedBy(database.read, link, now())
      return sendDoor(request, reply, linkPage(await productFrame(), { link, returnTo, joins }))
    }
    return sendDoor(
      request,
      reply,
      await door({ returnTo, organization: await organizationOf(organization) }),
    )
  })

  /** Signs in and returns the cookies that the browser gets. */
  async function openWith(request: FastifyRequest, form: Form): Promise<string[]> {
    const arriving = arrivingOf(request, mounting)
    const { link, email = '', password = '' } = form
    if (link !== undefined) {
      return [
        cookies.session(await database.writeHolding(onlyPeople, (tx) => openSession(tx, link, arriving))),
      ]
    }
    // Nobody has such an address, and nothing is to be remembered of it.
    if (email.length > limits.emailLength) throw new ApiError('sign_in_failed')
    const device = { brought: cookies.read(request, deviceCookie), given: newSecret() }
    const secret = await signInWithPassword(database, { email, password }, { ...arriving, device })
    return [cookies.session(secret), cookies.device(device.given)]
  }

  mountForms(server, (forms) => {
    forms.post<{ Body: Form | undefined }>('/~octavo/sign-in', (request, reply) => {
      const form = request.body ?? {}
      const returnTo = onward(form['return'])
      return orRefuse(
        request,
        reply,
        async () => {
          requireOwnOrigin(request, addresses.base)
          return goOn(reply, await openWith(request, form), returnTo)
        },
        ({ message }) => door({ error: message, email: form['email'], returnTo }),
      )
    })

    forms.post<{ Body: Form | undefined }>('/~octavo/sign-in/mail', (request, reply) => {
      const { email = '', return: wanted } = request.body ?? {}
      const returnTo = onward(wanted)
      return orRefuse(
        request,
        reply,
        async () => {
          requireOwnOrigin(request, addresses.base)
          await askForLink(request, foldEmail(email.trim()))
          const note = `If ${email} belongs to somebody here, a sign-in link is on its way to that address.`
          return sendDoor(request, reply, await door({ note, email, returnTo }))
        },
        ({ message }) => door({ error: message, email, returnTo }),
      )
    })

    forms.post('/~octavo/sign-out', (request, reply) =>
      orRefuse(
        request,
        reply,
        async () => {
          requireOwnOrigin(request, addresses.base)
          const secret = cookies.read(request, sessionCookie)
          if (secret !== undefined) await database.writeHolding(onlyPeople, (tx) => endSession(tx, secret))
          return goOn(reply, [cookies.noSession()], '/')
        },
        ({ message }) => door({ error: message, returnTo: '/' }),
      ),
    )
  })

  /** The same work for addresses that are known and for others: who has it is looked up when the mail is sent. */
  async function askForLink(request: FastifyRequest, email: string): Promise<void> {
    const at = now()
    await takeAttempt(database, `mail from ${addressKey(request.ip)}`, mailsPerAddress, { now: at })
    await takeAttempt(database, `mail to ${email}`, mailsPerAccount, { now: at })
    if (!ways.sendsMail || !/^[^\s@]+@[^\s@]+$/.test(email) || email.length > limits.emailLength) return
    await database.writeHolding(nothing, (tx) =>
      enqueue(tx, { organizationId: null, type: sendSignInLinkJob, key: email, payload: { email }, at }),
    )
  }
}

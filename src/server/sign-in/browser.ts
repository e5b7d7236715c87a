/** What the doors share: cookies, forms, where to go on to, and pages that nobody keeps a copy of. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Mounting } from '../../access/route/mount.js'
import { TooManyAttempts } from '../../access/signin/attempts.js'
import { deviceCookie, deviceLife } from '../../access/signin/known-devices.js'
import { cookieName, isOwnOrigin, originOf, readCookie } from '../../access/signin/request.js'
import { type Arriving, sessionCookie, sessionLife } from '../../access/signin/sessions.js'
import { ApiError } from '../../contract/errors.js'
import { limits } from '../../contract/limits.js'
import { readyAnswer, sendAnswer } from '../http/send-answer.js'

export type Form = Readonly<Record<string, string | undefined>>

/** Declares forms of so many bytes, on an instance of their own so that no other route reads them. */
export function mountForms(
  server: FastifyInstance,
  declare: (forms: FastifyInstance) => void,
  bodyLimit: number = limits.signInFormBytes,
): void {
  server.register(async (forms) => {
    // Members of anything else could be more than texts.
    forms.removeAllContentTypeParsers()
    forms.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit },
      (_request, body, done) => {
        // No database holds U+0000, so no field of a form can be meant to.
        const fields = new URLSearchParams((body as string).replaceAll('%00', ''))
        done(null, Object.fromEntries(fields))
      },
    )
    declare(forms)
  })
}

/** The cookies of one installation: `Secure` when it is reached by https. */
export function cookiesOf(base: string) {
  const secure = base.startsWith('https:') ? '; Secure' : ''
  const write = (name: string, value: string, seconds: number) =>
    `${cookieName(name, base)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secure}`
  return {
    session: (secret: string) => write(sessionCookie, secret, Math.floor(sessionLife / 1000)),
    device: (secret: string) => write(deviceCookie, secret, Math.floor(deviceLife / 1000)),
    noSession: () => write(sessionCookie, '', 0),
    /** Remembers a sign-in that has left for a provider. */
    pending: (name: string, value: string) => write(name, value, 600),
    nonePending: (name: string) => write(name, '', 0),
    /** What the browser sent of one of them. */
    read: (request: FastifyRequest, name: string) =>
      readCookie(request.headers.cookie, cookieName(name, base)),
  }
}
export type Cookies = ReturnType<typeof cookiesOf>

export function arrivingOf(
  request: FastifyRequest,
  { now, services }: Pick<Mounting, 'now' | 'services'>,
): Arriving {
  const replaced = cookiesOf(services.addresses.base).read(request, sessionCookie)
  return { ...originOf(request), now: now(), replaced }
}

/** Returns a path of ours as it is, and `/` for anything that could lead elsewhere. */
export function safeReturn(path: unknown, base: string): string {
  if (typeof path !== 'string' || path.length > 2000 || !/^\/(?![/\\])[\x21-\x7e]*$/.test(path)) return '/'
  try {
    return new URL(path, base).origin === new URL(base).origin ? path : '/'
  } catch {
    return '/'
  }
}

/** Throws 403 when a form was not sent by a page of ours: it would sign its visitors in as somebody else. */
export function requireOwnOrigin(request: FastifyRequest, base: string): void {
  if (!isOwnOrigin(request, new URL(base).origin)) throw new ApiError('cross_site_request')
}

export function sendDoor(
  request: FastifyRequest,
  reply: FastifyReply,
  body: string,
  status = 200,
): FastifyReply {
  const answer = { status, contentType: 'text/html; charset=utf-8', body, isIndexed: false }
  return sendAnswer(request, reply.header('vary', 'cookie'), readyAnswer(answer, 'nobody'))
}

/** Runs a step of a sign-in; what the caller did wrong becomes a page made by `refuse`. */
export async function orRefuse(
  request: FastifyRequest,
  reply: FastifyReply,
  step: () => Promise<FastifyReply>,
  refuse: (error: ApiError) => Promise<string>,
): Promise<FastifyReply> {
  try {
    return await step()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error instanceof TooManyAttempts) reply.headers(error.headers)
    return sendDoor(request, reply, await refuse(error), error.status)
  }
}

/** Sends the browser on with its cookies, as somebody whom nobody has kept a copy of. */
export function goOn(reply: FastifyReply, cookies: readonly string[], path: string): FastifyReply {
  return reply.header('set-cookie', cookies).header('cache-control', 'no-store').redirect(path, 303)
}

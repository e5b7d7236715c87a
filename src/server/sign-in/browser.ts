/** Shared by the sign-in pages: session cookies, form parsing, safe redirects, and pages that are never cached. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { formTypes } from '../../access/http/body-types.js'
import type { MountOptions } from '../../access/route/mount.js'
import { TooManyAttempts } from '../../access/signin/rate-limit.js'
import { deviceCookie, deviceLifetime } from '../../access/signin/known-devices.js'
import { cookieName, isSameOrigin, originOf, readCookie } from '../../access/signin/request.js'
import { type SignInContext, sessionCookie, sessionLifetime } from '../../access/signin/sessions.js'
import { ApiError } from '../../contract/errors.js'
import { limits } from '../../contract/limits.js'
import { readyAnswer, sendAnswer } from '../http/send-answer.js'

export type Form = Readonly<Record<string, string | undefined>>

/** Mounts routes that accept forms of up to `bodyLimit` bytes, in their own scope so that no other route parses forms. */
export function mountForms(
  server: FastifyInstance,
  declare: (forms: FastifyInstance) => void,
  bodyLimit: number = limits.signInFormBytes,
): void {
  server.register(async (forms) => {
    // Members of other content types could be more than strings.
    forms.removeAllContentTypeParsers()
    forms.addHook('onRoute', (options) => {
      options.config = { ...options.config, bodyTypes: formTypes }
    })
    forms.addContentTypeParser([...formTypes], { parseAs: 'string', bodyLimit }, (_request, body, done) => {
      // PostgreSQL stores no U+0000, so no form field can need it.
      const fields = new URLSearchParams((body as string).replaceAll('%00', ''))
      done(null, Object.fromEntries(fields))
    })
    declare(forms)
  })
}

/** Returns the cookies of one installation: `Secure` when it is reached by https. */
export function cookiesOf(base: string) {
  const secure = base.startsWith('https:') ? '; Secure' : ''
  const write = (name: string, value: string, seconds: number) =>
    `${cookieName(name, base)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secure}`
  return {
    session: (secret: string) => write(sessionCookie, secret, Math.floor(sessionLifetime / 1000)),
    device: (secret: string) => write(deviceCookie, secret, Math.floor(deviceLifetime / 1000)),
    clearSession: () => write(sessionCookie, '', 0),
    /** Stores the state of a sign-in while the browser is at the provider. */
    pending: (name: string, value: string) => write(name, value, 600),
    clearPending: (name: string) => write(name, '', 0),
    /** Returns the value that the browser sent. */
    read: (request: FastifyRequest, name: string) =>
      readCookie(request.headers.cookie, cookieName(name, base)),
  }
}
export type Cookies = ReturnType<typeof cookiesOf>

export function sessionOriginOf(
  request: FastifyRequest,
  { now, services }: Pick<MountOptions, 'now' | 'services'>,
): SignInContext {
  const replaced = cookiesOf(services.addresses.base).read(request, sessionCookie)
  return { ...originOf(request), now: now(), replaced }
}

/** Returns a path on this server unchanged, and `/` for anything that could redirect elsewhere. */
export function safeReturn(path: unknown, base: string): string {
  if (typeof path !== 'string' || path.length > 2000 || !/^\/(?![/\\])[\x21-\x7e]*$/.test(path)) return '/'
  try {
    return new URL(path, base).origin === new URL(base).origin ? path : '/'
  } catch {
    return '/'
  }
}

/** CSRF protection: throws 403 when a form was not sent by a page of ours, which could sign its visitors in as another user. */
export function requireOwnOrigin(request: FastifyRequest, base: string): void {
  if (!isSameOrigin(request, new URL(base).origin)) throw new ApiError('cross_site_request')
}

export function sendSignInPage(
  request: FastifyRequest,
  reply: FastifyReply,
  body: string,
  status = 200,
): FastifyReply {
  const answer = { status, contentType: 'text/html; charset=utf-8', body, isIndexed: false }
  return sendAnswer(request, reply.header('vary', 'cookie'), readyAnswer(answer, 'none'))
}

/** Returns the message of an error for a page, which says a wait in minutes. */
export function messageOf(error: ApiError): string {
  if (!(error instanceof TooManyAttempts)) return error.message
  const minutes = Math.ceil(Number(error.headers['retry-after']) / 60)
  return `Too many attempts. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`
}

/** Runs a step of a sign-in; an `ApiError` becomes the page that `renderError` returns. */
export async function withErrorPage(
  request: FastifyRequest,
  reply: FastifyReply,
  handle: () => Promise<FastifyReply>,
  renderError: (error: ApiError) => Promise<string>,
): Promise<FastifyReply> {
  try {
    return await handle()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error instanceof TooManyAttempts) reply.headers(error.headers)
    return sendSignInPage(request, reply, await renderError(error), error.status)
  }
}

/** Redirects the browser and sets its cookies; the response is not cached. */
export function redirectWithCookies(
  reply: FastifyReply,
  cookies: readonly string[],
  path: string,
): FastifyReply {
  return reply.header('set-cookie', cookies).header('cache-control', 'no-store').redirect(path, 303)
}

/**
 * HTML document of the browser app (a single-page application): the same bytes for everyone, since all content comes
 * through the API. It is sent to a signed-in person whose browser navigates to an address of the app.
 *
 * Other clients get JSON at the addresses that only the app has.
 *
 * The content security policy allows no foreign host and no inline script. Style elements need the nonce: CodeMirror
 * makes its style sheet at run time.
 */
import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isNavigation } from '../../access/http/accept.js'
import type { MountOptions } from '../../access/route/mount.js'
import { ApiError } from '../../contract/errors.js'
import { answerUnknownRoute } from '../http/answer-error.js'
import { noStore, permissionsPolicy } from '../http/headers.js'
import { readyAnswer, sendAnswer } from '../http/send-answer.js'
import { appFilesPath, loadAppManifest, mountAppFiles } from './app-files.js'

/** Addresses that only the app has; `/` and `/s/…` have a page for visitors who are not signed in, too. */
const ownAddresses = ['/account', '/account/*', '/o/*', '/inbox', '/~octavo/ui']

/** Sends the app to a signed-in person; returns false for others, who get what the address has for them. */
export type SendApp = (request: FastifyRequest, reply: FastifyReply) => Promise<boolean>

export function createSendApp({ signIn }: Pick<MountOptions, 'signIn'>): SendApp {
  return async (request, reply) => {
    if (!isPageRequest(request) || (await signIn(request)) === null) return false
    await sendShell(reply)
    return true
  }
}

/** True for a browser that opens a page, whoever is signed in. */
const isPageRequest = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' && headers.authorization === undefined && isNavigation(headers)

/**
 * Leads a browser to the sign-in page, which leads it back; returns false for others. Not for a prefetch: the browser would
 * display it after the sign-in.
 */
export function redirectToSignIn(request: FastifyRequest, reply: FastifyReply): boolean {
  if (!isPageRequest(request) || request.headers['sec-purpose'] !== undefined) return false
  reply.headers(noStore).redirect(`/~octavo/sign-in?return=${encodeURIComponent(request.url)}`, 303)
  return true
}

interface AppMountOptions extends MountOptions {
  /** Renders the page for visitors who open an unknown address. */
  readonly renderNotFound: () => Promise<string>
}

export function mountApp(server: FastifyInstance, mounting: AppMountOptions): void {
  mountAppFiles(server)
  const sendApp = createSendApp(mounting)
  for (const url of ownAddresses) {
    server.get(url, async (request, reply) => {
      if (await sendApp(request, reply)) return reply
      if (redirectToSignIn(request, reply)) return reply
      if ((await mounting.signIn(request)) === null) throw new ApiError('token_missing')
      return answerUnknownRoute(request, reply)
    })
  }
  // The lowest priority of all routes.
  server.get('/*', async (request, reply) => {
    const isOurs = /^\/+(?:v1|~octavo)(?:\/|$)/.test(request.url)
    if (isOurs || !isPageRequest(request)) return answerUnknownRoute(request, reply)
    if ((await mounting.signIn(request)) !== null) {
      await sendShell(reply, 404)
      return reply
    }
    const body = await mounting.renderNotFound()
    const answer = { status: 404, contentType: 'text/html; charset=utf-8', body, isIndexed: false }
    return sendAnswer(request, reply.header('vary', 'cookie'), readyAnswer(answer, 'none'))
  })
  server.get('/login', (request, reply) => {
    const query = request.url.indexOf('?')
    return reply.redirect(`/~octavo/sign-in${query < 0 ? '' : request.url.slice(query)}`, 303)
  })
  server.get('/settings', (_request, reply) => reply.redirect('/account', 303))
}

async function sendShell(reply: FastifyReply, status = 200): Promise<void> {
  const { script, styles, preload } = await loadAppManifest()
  const nonce = randomBytes(16).toString('base64')
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob: https:",
    "media-src 'self' blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
  const link = (name: string, attributes: string) => `<link ${attributes} href="${appFilesPath}${name}">\n`
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content">
<meta name="color-scheme" content="light dark">
<meta name="csp-nonce" content="${nonce}">
<title>Octavo</title>
<link rel="icon" href="/favicon.ico">
${styles.map((name) => link(name, 'rel="stylesheet"')).join('')}${preload
    .map((name) => link(name, 'rel="modulepreload"'))
    .join('')}<script type="module" src="${appFilesPath}${script}"></script>
</head>
<body>
<div id="app"></div>
<noscript>The app of Octavo needs JavaScript. The API, the published sites and this server's home page for readers do not.</noscript>
</body>
</html>
`
  reply
    .headers({
      ...noStore,
      ...permissionsPolicy,
      'content-security-policy': policy,
      'referrer-policy': 'same-origin',
      'x-robots-tag': 'noindex',
      vary: 'accept, cookie, sec-fetch-dest',
    })
    .code(status)
    .type('text/html; charset=utf-8')
    .send(html)
}
